/** Help from what is in force: every command and every key as it is bound now. */
import { type HelpRow, helpRows, type Keymap } from '@tau/tui';
import type { Command } from '../../commands/command.ts';
import { commandLines, helpLine } from '../../commands/help.ts';

const contextTitles: Readonly<Record<string, string>> = {
  app: 'Everywhere',
  editor: 'In the editor',
  completion: 'While something is completed',
  historySearch: 'While the history is searched',
  list: 'In lists',
  sessions: 'In the list of conversations',
  settingsScreen: 'In the settings',
  settings: 'In the settings, where a setting has a few values',
  viewer: 'In the viewer',
  viewerSearch: 'While the viewer searches',
};

/** As lines; `bold` for headings. Keys of parts that the app does not have are left out. */
export function helpLines(
  keys: Pick<Keymap, 'actions' | 'keysFor'>,
  commands: readonly Command[],
  bold: (text: string) => string,
): string[] {
  return [...howTo, '', ...commandLines(commands, bold), ...keyLines(keys, bold)];
}

const howTo = [
  'Write what you want and press Enter. While tau works, Enter is heard after the current step.',
  '@ names a file or a folder, / a command; Tab completes a path. A line that ends with \\ goes on in the next.',
  '!command runs a command as you, and the model hears of it with the next prompt; !!command is for you alone.',
];

export function keyLines(keys: Pick<Keymap, 'actions' | 'keysFor'>, bold: (text: string) => string): string[] {
  const rows = helpRows(keys, Object.keys(contextTitles));
  return Object.entries(contextTitles).flatMap(([context, title]) => {
    const here = rows.filter((row) => row.context === context && row.keys.length > 0);
    return here.length === 0 ? [] : ['', bold(title), ...here.map(keyLine)];
  });
}

function keyLine({ keys, description }: HelpRow): string {
  return helpLine(keys.join(', '), description);
}
