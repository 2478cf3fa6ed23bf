/** Everything that can be done, in one list: commands, and what has a key of its own. */
import { type Keymap, printKey, type SelectItem } from '@tau/tui';
import type { Command } from '../../commands/command.ts';

export type Deed = { kind: 'command'; name: string; needsArgument: boolean } | { kind: 'action'; name: string };

/** What makes no sense from a list: it is about the line that is being written, the list itself, or a command that is in it. */
const notHere = new Set([
  ...['app.palette', 'app.interrupt', 'app.clear', 'app.message.followUp', 'app.paste.image'],
  ...['app.session.new', 'app.session.tree', 'app.session.fork', 'app.jobs', 'app.diff'],
]);

export function paletteItems(
  commands: readonly Command[],
  keys: Pick<Keymap, 'actions' | 'keysFor'>,
): SelectItem<Deed>[] {
  const asked = commands.map(({ name, argument, help, group = 'Commands' }) => ({
    value: { kind: 'command' as const, name, needsArgument: argument !== undefined && !argument.startsWith('[') },
    label: `/${name}${argument === undefined ? '' : ` ${argument}`}`,
    description: help,
    group,
  }));
  const actions = keys.actions
    .filter(({ name, context }) => context === 'app' && !notHere.has(name))
    .map(({ name, description }) => ({
      value: { kind: 'action' as const, name },
      label: description,
      description: keys.keysFor(name).map(printKey).join(', '),
      group: 'Keys',
    }));
  return [...asked, ...actions];
}
