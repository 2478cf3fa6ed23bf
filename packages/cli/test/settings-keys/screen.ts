/** Settings of the screen, seen in a real terminal. */
import { stripVTControlCharacters } from 'node:util';
import type { SettingName } from '@tau/agent';
import { openTheme } from '@tau/tui';
import { call, calls } from '../conversation.ts';
import { keys, startTyping } from '../repl-terminal.ts';
import type { Proof, Scene } from './proof.ts';

/** The app is opened, something is typed, and it is left; what came to the terminal is what is seen. */
const atTerminal =
  (typed: string, shown: string): NonNullable<Proof['perform']> =>
  async (scene: Scene) => {
    const app = startTyping(scene, [], { TAU_PLAIN: '', TAU_SANDBOX_ENABLED: 'false', COLORTERM: 'truecolor' });
    await app.shows('Ask, or /help');
    app.type(typed);
    await app.shows(shown);
    app.type(`${keys.ctrlC}${keys.ctrlD}`);
    const { code } = await app.done;
    return { code, stdout: app.bytes(), stderr: '' };
  };

const promptOf = (name: string) => openTheme(name, { depth: 'truecolour' }).theme.paint('editorPrompt', '> ');

/** A bell that is not the end of a title or a mark. */
function rings(bytes: string): boolean {
  const [first = '', ...sequences] = bytes.split('\u001b]');
  const ends = (one: string) => ['\u0007', '\u001b'].map((end) => one.indexOf(end)).filter((at) => at >= 0);
  const after = sequences.map((one) => one.slice(Math.min(one.length, ...ends(one)) + 1));
  return [first, ...after].some((text) => text.includes('\u0007'));
}

export const screenProofs = {
  theme: {
    value: 'light',
    perform: atTerminal('x', 'x'),
    see: ({ run }) => ['dark', 'light'].filter((name) => run.stdout.includes(promptOf(name))),
    without: ['dark'],
    with: ['light'],
  },
  vim: {
    value: true,
    perform: atTerminal('word', 'word'),
    see: ({ run }) => run.stdout.includes('INSERT'),
    without: false,
    with: true,
  },
  doubleEscapeAction: {
    value: 'fork',
    perform: atTerminal('\u001b[27u\u001b[27u', 'Nothing was said yet'),
    see: ({ run }) => stripVTControlCharacters(run.stdout).includes('Say something first'),
    without: false,
    with: true,
  },
  cycleModels: {
    value: ['scripted/scripted', 'another/*'],
    perform: atTerminal('\u0010', 'Now '),
    see: ({ run }) => /Now (\S+)/.exec(stripVTControlCharacters(run.stdout))?.[1],
    without: 'scripted/second',
    with: 'another/third',
  },
  statusLine: {
    ...{ instead: 'echo another line', value: 'echo "line of $(grep -o display_name.*scripted | cut -c 1-12)"' },
    perform: atTerminal('x', 'line'),
    see: ({ run }) => /another line|line of display_name/.exec(stripVTControlCharacters(run.stdout))?.[0],
    without: 'another line',
    with: 'line of display_name',
  },
  notifications: {
    value: 'off',
    steps: [calls(call('bash', { command: 'touch made' }))],
    // The window is left, something is asked, and it is declined.
    perform: atTerminal('\u001b[Ogo\r', 'Yes, once'),
    see: ({ run }) => rings(run.stdout),
    without: true,
    with: false,
  },
  terminalTitle: {
    value: false,
    perform: atTerminal('x', 'x'),
    see: ({ run }) => run.stdout.includes('\u001b]2;τ project\u0007'),
    without: true,
    with: false,
  },
} satisfies Partial<Record<SettingName, Proof>>;
