/** Commands at the screen: obeyed, or shown as a list to choose from when they come without a word. */
import { describeError } from '@tau/agent';
import type { CompletionProvider } from '@tau/tui';
import { allCommands } from '../commands/all.ts';
import { type CommandWorld, type Panel as PanelName, type Registry, readCommand } from '../commands/command.ts';
import type { Deed } from './find/palette.ts';
import type { Pickers } from './find/pickers.ts';

export interface CommandsOptions {
  world: CommandWorld;
  /** What opens instead of words. */
  pickers(registry: Registry): Pickers;
  /** A line for the user to go on with. */
  begin(line: string): void;
  tell(text: string, kind: 'note' | 'error'): void;
  onChange(): void;
}

export interface Commands {
  /** False when the line is none. */
  obey(line: string): boolean;
  open(name: PanelName): void;
  /** Everything that can be done; what has a key of its own is done by `act`. */
  palette(act: (action: string) => void): void;
  completion: CompletionProvider;
}

export function createCommands({ world, pickers, begin, tell, onChange }: CommandsOptions): Commands {
  const registry = allCommands();
  const picking = pickers(registry);

  async function run(name: string, argument: string): Promise<void> {
    const command = registry.find(name, world);
    const chosen = (value: string) => start(command.name, value);
    if (argument === '' && command.panel !== undefined && (await picking.open(command.panel, chosen))) return;
    const said = await command.run(argument, world);
    if (said !== '') tell(said, 'note');
  }

  function attempt(deed: Promise<void>): void {
    void deed.catch((error: unknown) => tell(describeError(error), 'error')).finally(onChange);
  }

  function start(name: string, argument: string): void {
    attempt(run(name, argument));
  }

  function deed(chosen: Deed, act: (action: string) => void): void {
    if (chosen.kind === 'action') act(chosen.name);
    else if (chosen.needsArgument) begin(`/${chosen.name} `);
    else start(chosen.name, '');
  }

  return {
    obey(line) {
      const wish = readCommand(line);
      if (!wish) return false;
      start(wish.name, wish.argument);
      return true;
    },
    open(name) {
      const command = registry.list(world).find(({ panel }) => panel === name);
      if (command) start(command.name, '');
    },
    palette(act) {
      picking.palette((chosen) => deed(chosen, act));
    },
    completion: {
      complete({ before, first }) {
        if (!first || !before.startsWith('/')) return undefined;
        return registry.complete(before, world).then(({ from, items }) => ({
          replaces: before.length - from,
          items: items.map(({ value, help }) => ({
            value,
            ...(help !== undefined && { description: help, submits: true }),
          })),
        }));
      },
    },
  };
}
