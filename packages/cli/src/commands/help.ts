/** `/help`: every command under what it is about, as they are listed for lines and for the screen. */
import type { Command, CommandWorld } from './command.ts';

/** The first of all: it lists the others, wherever they come from. */
export function helpCommand(list: (world: CommandWorld) => readonly Command[]): Command {
  return {
    ...{ name: 'help', aliases: ['?'], help: 'commands and keys', panel: 'help' },
    run: (_, world) => [...commandLines(list(world)), '', ...inLines].join('\n'),
  };
}

/** Where what something does begins, behind its name. */
export const helpColumn = 27;

/** Behind a heading for each group, with its commands below. */
export function commandLines(commands: readonly Command[], bold = (text: string) => text): string[] {
  const groups = [...new Set(commands.map(({ group = '' }) => group))];
  return groups.flatMap((title, at) => [
    ...(at === 0 ? [] : ['']),
    ...(title === '' ? [] : [bold(title)]),
    ...commands.filter(({ group = '' }) => group === title).map(commandLine),
  ]);
}

function commandLine({ name, aliases = [], argument, help }: Command): string {
  const others = aliases.length > 0 ? ` (/${aliases.join(', /')})` : '';
  return helpLine(`/${name}${argument === undefined ? '' : ` ${argument}`}`, help + others);
}

export function helpLine(name: string, help: string): string {
  return `  ${name.padEnd(helpColumn - 3)} ${help}`;
}

const inLines = [
  'A line ending in \\ goes on in the next. While tau works, a line is heard after the current step, and one that',
  'begins with + when tau would stop. Ctrl+C stops the work and gives back what waited.',
  '!command runs a command as you, and the model hears of it with the next prompt; !!command is for you alone.',
];
