/**
 * What a line that begins with a slash does. One list for the line mode, the screen and print mode: a command is a name, a
 * line of help and a deed that says what it did.
 */
import { type Agent, nearest, type SessionChoice, TauError } from '@tau/agent';

/** What a screen shows instead of words when a command comes without an argument. */
export type Panel =
  | 'help'
  | 'model'
  | 'scope'
  | 'settings'
  | 'sessions'
  | 'tree'
  | 'fork'
  | 'permissions'
  | 'theme'
  | 'mode'
  | 'thinking'
  | 'diff'
  | 'changelog';

export interface Command {
  name: string;
  aliases?: readonly string[];
  /** How what stands behind it is called: `[NAME]`. */
  argument?: string;
  help: string;
  /** Under which heading of the help it stands. */
  group?: string;
  /** What may stand behind it, to choose from. */
  choices?(world: CommandWorld): readonly string[] | Promise<readonly string[]>;
  /** It is heard while something is asked: it may be the answer. */
  whileAsked?: boolean;
  panel?: Panel;
  /** Only a screen can do it. */
  needsScreen?: boolean;
  run(argument: string, world: CommandWorld): string | Promise<string>;
}

export interface CommandWorld {
  agent: Agent;
  /** What waits to be heard, in order. */
  waiting(): readonly string[];
  clearWaiting(): readonly string[];
  /** Tokens and cost so far, on one line. */
  spent(): string;
  leave(): void;
  screen?: ScreenDeeds;
}

export interface ScreenDeeds {
  /** Goes on with another conversation, with these words in the editor; says which. */
  begin(session: SessionChoice, draft?: string): Promise<string>;
  /** This conversation goes on from elsewhere: what was said there may be said anew. */
  wentTo(text: string): void;
  /** To the clipboard; says how. */
  copy(text: string): Promise<string>;
  /** Something typed that is not seen; undefined when nobody wants to say it. */
  secret(label: string): Promise<string | undefined>;
  /** What fills the context window, in colours. Nothing more to say. */
  showContext(): string;
  /** From now on, kept for next time; says so. */
  setTheme(name: string): Promise<string>;
  themes(): readonly string[];
  setVim(on: boolean): Promise<string>;
  isVim(): boolean;
  openTranscript(): void;
  /** Keys, themes and settings are read again; says what is wrong with them. */
  reload(): Promise<string>;
  /** The keys that do something now, and the file that changes them. */
  keys(): string;
}

/** `/name`, with or without more. A path like /etc/hosts is none, nor is a lone slash. */
export function readCommand(line: string): { name: string; argument: string } | undefined {
  const [, name, argument = ''] = /^\/([a-z?][a-z-]*)(?:\s+(.*))?$/s.exec(line.trim()) ?? [];
  return name === undefined ? undefined : { name, argument: argument.trim() };
}

export interface Registry {
  /** What can be done here, in the order of the help. */
  list(world: Pick<CommandWorld, 'screen'>): readonly Command[];
  /** By its name or another it has. Throws with the nearest name. */
  find(name: string, world: Pick<CommandWorld, 'screen'>): Command;
  /** What the line could become: names while one is typed, then what may stand behind it. */
  complete(line: string, world: CommandWorld): Promise<Completion>;
}

interface Completion {
  /** Where in the line the completed word begins. */
  from: number;
  items: readonly { value: string; help?: string }[];
}

export function createRegistry(commands: readonly Command[]): Registry {
  const list: Registry['list'] = ({ screen }) => commands.filter((one) => screen !== undefined || !one.needsScreen);
  const known: Registry['find'] = (name, world) => {
    const found = list(world).find((one) => isCalled(one, name));
    if (found) return found;
    if (commands.some((one) => isCalled(one, name))) {
      throw new TauError('usage', `/${name} needs the screen`, { remedy: 'tau without -p and --plain has one' });
    }
    const names = list(world).flatMap((one) => [one.name, ...(one.aliases ?? [])]);
    const near = nearest(name, names);
    throw new TauError('usage', `There is no command /${name}`, {
      remedy: near === undefined ? '/help lists them' : `Did you mean /${near}?`,
    });
  };
  let asked: { command: Command; before: string; choices: ReturnType<NonNullable<Command['choices']>> } | undefined;
  return {
    list,
    find: known,
    async complete(line, world) {
      const [, word] = /^\/(\S*)$/.exec(line) ?? [];
      if (word !== undefined) {
        asked = undefined;
        return { from: 0, items: named(list(world), word) };
      }
      const [, name, before = ''] = /^(\/(?:[a-z?][a-z-]*)\s+)(.*)$/s.exec(line) ?? [];
      const command = name === undefined ? undefined : list(world).find((one) => isCalled(one, name.slice(1).trim()));
      if (!command?.choices) return { from: line.length, items: [] };
      // Whoever types on is offered less of the same: it is not looked for again with every letter.
      if (asked === undefined || asked.command !== command || !before.startsWith(asked.before)) {
        asked = { command, before, choices: command.choices(world) };
      }
      const { choices } = asked;
      const wanted = before.toLowerCase();
      const found = (await choices).filter((one) => one.toLowerCase().includes(wanted));
      const rank = (one: string) => (one === before ? 0 : one.startsWith(before) ? 1 : 2);
      const items = found.toSorted((a, b) => rank(a) - rank(b)).map((value) => ({ value }));
      return { from: line.length - before.length, items };
    },
  };
}

/** By its name, or another it has. */
export function isCalled({ name, aliases = [] }: Command, word: string): boolean {
  return name === word || aliases.includes(word);
}

/**
 * The name that is typed, for Enter takes the first: /mode is not /model. Then names that begin so, then those that have its
 * letters; another name counts where the first does not.
 */
function named(commands: readonly Command[], word: string): { value: string; help: string }[] {
  const ways: readonly ((name: string) => boolean)[] = [
    (name) => name === word,
    (name) => name.startsWith(word),
    (name) => hasLetters(name, word),
  ];
  const items = new Map<string, { value: string; help: string }>();
  for (const fits of ways) {
    for (const { name, aliases = [], help } of commands) {
      const shown = [name, ...aliases].find(fits);
      if (shown !== undefined && !items.has(name)) items.set(name, { value: `/${shown}`, help });
    }
  }
  return [...items.values()];
}

/** All of them, in their order. */
function hasLetters(name: string, letters: string): boolean {
  let at = -1;
  return [...letters].every((letter) => {
    at = name.indexOf(letter, at + 1);
    return at >= 0;
  });
}

/** For commands that are listed only where there is one. */
export function screenOf({ screen }: CommandWorld): ScreenDeeds {
  if (screen === undefined) throw new TauError('usage', 'This needs the screen');
  return screen;
}

/** One of the words, or an error with the nearest. */
export function oneOf<T extends string>(choices: readonly T[], word: string, what: string): T {
  const found = choices.find((one) => one === word);
  if (found !== undefined) return found;
  const near = nearest(word, choices);
  throw new TauError('usage', `There is no ${what} "${word}"`, {
    remedy: near === undefined ? `It is one of: ${choices.join(', ')}` : `Did you mean ${near}?`,
  });
}
