/**
 * The usual provider: `/commands` with their arguments, `@mentions`, and paths on Tab. It reads no disk; the app says what
 * there is.
 */
import { fuzzyFilter } from '../../text/fuzzy.ts';
import type { Completion, CompletionAnswer, CompletionProvider, CompletionRequest, Completions } from './provider.ts';

type Maybe<T> = T | Promise<T>;

export interface Command {
  /** Without the slash. */
  name: string;
  description?: string;
  /** How its argument may go on, given what is there of it. A command without this takes none. */
  complete?(argument: string, signal: AbortSignal): Maybe<readonly Completion[]>;
}

export interface PathEntry {
  name: string;
  folder: boolean;
}

export interface CombinedOptions {
  commands?(): readonly Command[];
  /** Files and folders that match what is typed behind `@`, best first; a folder ends with `/`. */
  mentions?(query: string, signal: AbortSignal): Maybe<readonly string[]>;
  /** What is in a folder, as typed: `src/`, `~/`, `../`, or empty for the current one. */
  list?(folder: string, signal: AbortSignal): Maybe<readonly PathEntry[]>;
}

/** More than anyone will scroll through. */
const most = 100;

export function combinedProvider(options: CombinedOptions): CompletionProvider {
  return {
    complete(request) {
      const { before, first, forced } = request;
      const command = first && options.commands ? /^\/(\S*)$/.exec(before) : null;
      if (command) return commandNames(options, command[1] ?? '');
      const call = first ? /^\/(\S+)\s+(.*)$/.exec(before) : null;
      const known = call && options.commands?.().find(({ name }) => name === call[1]);
      if (known?.complete) return argumentsOf(known, call?.[2] ?? '', request);
      const mention = /(?:^|[\s([{,;=])@(?:"([^"]*)|([^\s"]*))$/.exec(before);
      if (mention && options.mentions) return mentionsOf(options.mentions, mention[1] ?? mention[2] ?? '', request);
      return forced && options.list ? pathsOf(options.list, request) : undefined;
    },
  };
}

function commandNames(options: CombinedOptions, query: string): Completions | undefined {
  const found = fuzzyFilter(query, options.commands?.() ?? [], ({ name }) => name).slice(0, most);
  const items = found.map(({ name, description, complete }) => ({
    value: complete ? `/${name} ` : `/${name}`,
    label: `/${name}`,
    ...(description === undefined ? {} : { description }),
    ...(complete ? { continues: true } : { submits: true }),
  }));
  return { replaces: query.length + 1, items };
}

function argumentsOf(command: Command, argument: string, { signal }: CompletionRequest): CompletionAnswer {
  return then(command.complete?.(argument, signal) ?? [], (items) => ({
    replaces: argument.length,
    items: fuzzyFilter(argument, items, ({ label, value }) => label ?? value).slice(0, most),
  }));
}

function mentionsOf(
  mentions: NonNullable<CombinedOptions['mentions']>,
  query: string,
  { before, signal }: CompletionRequest,
): CompletionAnswer {
  const quoted = before.endsWith(`@"${query}`);
  return then(mentions(query, signal), (paths) => ({
    replaces: query.length + (quoted ? 2 : 1),
    items: paths.slice(0, most).map((path) => mentionOf(path, quoted, path === query)),
  }));
}

/** A folder is gone into, unless it stands there already: then it is meant itself. */
function mentionOf(path: string, quoted: boolean, whole: boolean): Completion {
  const folder = path.endsWith('/') && !whole;
  const quotes = quoted || /[\s"]/.test(path);
  const body = quotes ? `@"${path}${folder ? '' : '"'}` : `@${path}`;
  return folder ? { value: body, label: path, continues: true } : { value: `${body} `, label: path };
}

function pathsOf(list: NonNullable<CombinedOptions['list']>, { before, signal }: CompletionRequest): CompletionAnswer {
  const typed = /(?:[^\s"'\\]|\\.)*$/.exec(before)?.[0] ?? '';
  const cut = typed.lastIndexOf('/') + 1;
  const folder = typed.slice(0, cut);
  const query = typed.slice(cut);
  return then(list(folder.replace(/\\(.)/g, '$1'), signal), (entries) => ({
    replaces: typed.length,
    items: fuzzyFilter(query, entries, ({ name }) => name)
      .slice(0, most)
      .map((entry) => pathItem(folder, entry)),
  }));
}

function pathItem(folder: string, entry: PathEntry): Completion {
  const name = entry.name.replace(/[\s"'\\]/g, '\\$&');
  const label = entry.folder ? `${entry.name}/` : entry.name;
  return entry.folder ? { value: `${folder}${name}/`, label, continues: true } : { value: `${folder}${name} `, label };
}

function then<T, R>(value: Maybe<T>, map: (value: T) => R): Maybe<R> {
  return value instanceof Promise ? value.then(map) : map(value);
}
