/** `tau sessions`: which conversations there are; one of them shown, named or deleted. */
import {
  deleteSession,
  listSessions,
  nameSession,
  nearest,
  type SessionPlace,
  showSession,
  TauError,
} from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { jsonText } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { visibleLine } from '../render/visible.ts';
import { listLines } from './table.ts';
import { transcriptLines } from './transcript.ts';

const table: readonly Option[] = [
  { name: 'all', help: 'list those of every folder' },
  { name: 'json', help: 'list or show as JSON' },
  { name: 'limit', value: 'N', help: 'list at most N (default 50)' },
  { name: 'session-dir', value: 'DIR', help: 'where they are kept, instead of ~/.tau/sessions' },
  { name: 'help', short: 'h', help: 'show this help' },
];

function usage(): string {
  const rows = table.map(({ name, short, value, help }) => {
    const head = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${head.padEnd(20)} ${help}`;
  });
  return `tau sessions: the conversations that were kept

Usage:
  tau sessions [list]            those of this folder, the one used last first
  tau sessions show ID           what was said and done in it
  tau sessions name ID NAME      give it a name; '' takes it away
  tau sessions delete ID…        remove it for good

ID is an id, its beginning or its end, a name, the path of a file, or "last".

Options:
${rows.join('\n')}

See docs/sessions.md.`;
}

const actions = ['list', 'show', 'name', 'delete'] as const;
const defaultLimit = 50;

export async function sessionsCommand(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, table);
  if (flags.has('help')) return say(usage());
  const [word = 'list', ...rest] = positionals;
  const action = actions.find((one) => one === word);
  const sessionDir = flags.get('session-dir')?.at(-1);
  const place: SessionPlace = {
    env: process.env,
    cwd: process.cwd(),
    ...(sessionDir !== undefined && { sessionDir }),
  };
  const json = flags.has('json');
  switch (action) {
    case 'list':
      if (rest.length > 0) throw wrong(`tau sessions list takes no "${rest[0]}"`);
      return list(place, { json, all: flags.has('all'), limit: limitOf(flags.get('limit')?.at(-1)) });
    case 'show':
      return show(only(rest, 'show'), place, json);
    case 'name': {
      const [wanted, name, ...more] = rest;
      if (wanted === undefined || name === undefined) throw wrong('tau sessions name needs an ID and a NAME');
      if (more.length > 0) throw wrong('A name of several words must be quoted');
      const id = await nameSession(wanted, name, place);
      return say(visibleLine(name.trim() === '' ? `${id} has no name now` : `${id} is called ${name.trim()} now`));
    }
    case 'delete':
      if (rest.length === 0) throw wrong('tau sessions delete needs an ID');
      for (const wanted of rest) say(`Deleted ${visibleLine(await deleteSession(wanted, place))}`);
      return exitCode.done;
    case undefined: {
      const near = nearest(word, actions);
      throw wrong(`There is no tau sessions ${word}`, near && `Did you mean tau sessions ${near}?`);
    }
  }
}

async function list(
  place: SessionPlace,
  { json, all, limit }: { json: boolean; all: boolean; limit: number },
): Promise<number> {
  const { sessions, more, problems } = await listSessions(place, { all, limit });
  for (const problem of problems) tell(`tau: warning: ${problem}`);
  if (json) say(jsonText(sessions));
  else if (sessions.length > 0) {
    say(listLines(sessions, { all, now: Date.now(), style: createStyle(process.stdout, process.env) }).join('\n'));
  }
  if (more > 0) tell(`${more} more: tau sessions${all ? ' --all' : ''} --limit ${sessions.length + more} lists them`);
  if (sessions.length > 0 || json) return exitCode.done;
  tell(all ? 'There are no sessions yet' : 'There are no sessions of this folder: tau sessions --all lists the others');
  return exitCode.done;
}

async function show(wanted: string, place: SessionPlace, json: boolean): Promise<number> {
  const { info, entries, problems } = await showSession(wanted, place);
  for (const problem of problems) tell(`tau: warning: ${problem}`);
  if (json) return say(jsonText({ ...info, entries }));
  return say(transcriptLines(info, entries, createStyle(process.stdout, process.env)).join('\n'));
}

function only(words: readonly string[], action: string): string {
  const [word, ...more] = words;
  if (word === undefined || more.length > 0) throw wrong(`tau sessions ${action} needs one ID`);
  return word;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw wrong(`--limit needs a whole number above zero, not "${text}"`);
}

function wrong(message: string, hint?: string): TauError {
  const remedy = 'tau sessions --help shows how it is used';
  return new TauError('usage', message, { remedy: hint ? `${hint} ${remedy}` : remedy });
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCode.done;
}

function tell(line: string): void {
  process.stderr.write(`${visibleLine(line)}\n`);
}
