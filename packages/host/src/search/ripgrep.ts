/** The search done by ripgrep. */
import { TauError } from '@tau/core';
import { upTo } from './clip.ts';
import { type CountsFound, type Engine, type LinesFound, type LinesWanted, type Place, selected } from './engine.ts';
import { createMessageReader, withoutDot } from './messages.ts';
import { type Ended, outputOf } from './output.ts';
import { comparePaths, type RawPath, toText } from './paths.ts';
import { badPattern } from './pattern.ts';
import type { FoundLine, TextPattern } from './search.ts';

/** So many matches, or bytes of report, more than wanted are sorted here; with more, ripgrep walks in order itself. */
const sortedHere = { matches: 2000, bytes: 16 * 1024 * 1024 };

export function ripgrepEngine(program: string, timeoutMs?: number): Engine {
  const run = (place: Place, args: readonly string[]) =>
    outputOf(program, [...commonArgs(place), ...args, '--', './'], {
      cwd: toText(place.at) || '/',
      signal: place.signal,
      timeoutMs,
    });

  return {
    async *list(place, onUnreadable) {
      const split = splitter('\0');
      const output = run(place, ['--files', '--null']);
      for (let next = await output.next(); ; next = await output.next()) {
        if (next.done) {
          onUnreadable(checkEnd(next.value, false));
          return;
        }
        yield split(next.value).map(withoutDot);
      }
    },

    async lines(place, wanted) {
      const args = ['--json', '--max-count', String(wanted.limit + 1), ...patternArgs(wanted)];
      if (wanted.context > 0) args.push('--context', String(wanted.context));
      // All cores, in any order. When that brings too much, one core in order, up to the limit.
      const some = await collect(run(place, args), place, wanted, {
        matches: wanted.limit + sortedHere.matches,
        bytes: sortedHere.bytes,
      });
      if (some.complete) return inOrder(some, wanted);
      const ordered = run(place, ['--sort', 'path', ...args]);
      return inOrder(await collect(ordered, place, wanted, { matches: wanted.limit }), wanted);
    },

    async counts(place, wanted, maxFiles) {
      const found: CountsFound = { files: [], complete: true, unreadable: 0 };
      const split = splitter('\n');
      let path: string | undefined;
      const output = run(place, ['--count', '--null', '--with-filename', ...patternArgs(wanted)]);
      try {
        for (let next = await output.next(); ; next = await output.next()) {
          if (next.done) {
            found.unreadable = checkEnd(next.value, wanted.literal ?? false);
            return found;
          }
          const files: CountsFound['files'] = [];
          for (const line of split(next.value)) {
            // A name may hold line breaks; the zero after it comes before the count.
            const said = path === undefined ? line : `${path}\n${line}`;
            const end = said.indexOf('\0');
            path = end < 0 ? said : undefined;
            if (end >= 0) files.push({ path: withoutDot(said.slice(0, end)), count: Number(said.slice(end + 1)) });
          }
          found.files.push(...selected(place, files, (file) => file.path));
          if (found.files.length > maxFiles) {
            return { ...found, files: found.files.slice(0, maxFiles), complete: false };
          }
        }
      } finally {
        await output.return({ exitCode: null, errors: '' });
      }
    },
  };
}

function commonArgs({ only, glob, inRepository, gitIgnored }: Place): string[] {
  const args = ['--no-config', '--hidden', '--no-ignore-global', '--no-ignore-messages', '--color', 'never'];
  // Without it ripgrep wants a repository to obey .gitignore; with it, it does not see where one ends.
  if (!inRepository) args.push('--no-require-git');
  if (gitIgnored) args.push('--no-ignore-vcs');
  // A glob that must match beats what ignore files say, which is right for a file that was asked for by name only.
  if (only !== undefined) return [...args, '--max-depth', '1', '--glob', `/${escapeGlob(toText(only))}`];
  args.push('--glob', '!.git');
  // A type does not. It is about names; the whole path is looked at here.
  if (glob?.names !== undefined) args.push('--type-add', `wanted:${glob.names}`, '--type', 'wanted');
  return args;
}

function patternArgs({ pattern, literal, ignoreCase }: TextPattern): string[] {
  return ['--crlf', ...(literal ? ['--fixed-strings'] : []), ...(ignoreCase ? ['--ignore-case'] : []), '-e', pattern];
}

/** White space too: at the end of a glob it would not count. */
function escapeGlob(name: string): string {
  return name.replaceAll(/[*?[\]{}\\\s]/g, (char) => (char === '\\' ? '\\\\' : `[${char}]`));
}

/** Takes files until there are as many matches as the bounds say, and the file that has the last of them is read. */
async function collect(
  output: AsyncGenerator<Buffer, Ended>,
  place: Place,
  wanted: LinesWanted,
  bounds: { matches: number; bytes?: number },
): Promise<LinesFound> {
  const found: LinesFound = { files: [], matches: 0, complete: true, unreadable: 0 };
  const reader = createMessageReader();
  let path: RawPath = '';
  let lines: FoundLine[] = [];
  let bytes = 0;
  try {
    for (let next = await output.next(); ; next = await output.next()) {
      if (next.done) {
        found.unreadable = checkEnd(next.value, wanted.literal ?? false);
        return found;
      }
      bytes += next.value.length;
      for (const message of reader.read(next.value)) {
        if (message.type === 'begin') {
          path = message.path;
          lines = [];
        } else if (message.type === 'line') {
          lines.push(message.line);
        } else if (!message.isBinary && selected(place, [path], (one) => one).length > 0) {
          found.files.push({ path, lines });
          found.matches += lines.filter(({ isMatch }) => isMatch).length;
        }
      }
      found.complete = found.matches <= bounds.matches && bytes <= (bounds.bytes ?? Number.POSITIVE_INFINITY);
      if (!found.complete) return found;
    }
  } finally {
    await output.return({ exitCode: null, errors: '' });
  }
}

/** The wanted matches, by path. */
function inOrder(found: LinesFound, { limit, context }: LinesWanted): LinesFound {
  const sorted = found.files.sort((a, b) => comparePaths(a.path, b.path));
  const files: LinesFound['files'] = [];
  let matches = 0;
  for (const { path, lines } of sorted) {
    const here = lines.filter(({ isMatch }) => isMatch).length;
    const room = limit - matches;
    if (room <= 0) break;
    files.push({ path, lines: here > room ? upTo(lines, room, context) : lines });
    matches += Math.min(here, room);
  }
  return { ...found, files, matches, complete: found.complete && found.matches <= limit };
}

/** How many files could not be read. Throws when the search itself failed. */
function checkEnd({ exitCode, errors }: Ended, literal: boolean): number {
  if (exitCode === 0 || exitCode === 1) return 0;
  const lines = errors.split('\n').filter((line) => line !== '');
  const unreadable = lines.filter((line) => /\(os error \d+\)$/.test(line)).length;
  if (exitCode === 2 && unreadable > 0) return unreadable;
  const why = /^error: (.+)$/m.exec(errors)?.[1];
  if (why !== undefined || /\bregex\b/.test(lines[0] ?? '')) {
    throw badPattern(why ?? (lines[0] ?? '').replace(/^rg: /, ''), literal);
  }
  throw new TauError('process', `The search failed: ${lines[0] ?? `ripgrep ended with ${exitCode ?? 'a signal'}`}`, {
    remedy: 'Search a smaller folder.',
  });
}

/** Cuts output at every separator, keeping what is after the last for the next chunk. */
function splitter(separator: string): (chunk: Buffer) => string[] {
  let rest = '';
  return (chunk) => {
    const parts = (rest + chunk.toString('latin1')).split(separator);
    rest = parts.pop() ?? '';
    return parts;
  };
}
