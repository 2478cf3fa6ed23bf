/** Which files a glob of the user or the model means. One matcher for every engine, so that all mean the same. */
import { TauError } from '@tau/core';
import { type RawPath, toText } from './paths.ts';
import { createTimeLimit } from './time-limit.ts';

const maxGlobLength = 1000;
const maxMs = 2000;

export interface Glob {
  /** Those of the paths that the glob names. */
  select<T>(items: readonly T[], pathOf: (item: T) => RawPath): T[];
  /** A glob of file names that all files it names have: enough for an engine to leave most others alone. */
  names?: string;
}

export async function compileGlob(glob: string): Promise<Glob> {
  if (glob.length > maxGlobLength) throw badGlob(glob.slice(0, 60), `it is longer than ${maxGlobLength} characters`);
  const { default: picomatch } = await import('picomatch');
  const negated = glob.startsWith('!');
  const pattern = anywhere(negated ? glob.slice(1) : glob);
  let matches: (path: string) => boolean;
  try {
    matches = picomatch(pattern, { dot: true, nonegate: true, noextglob: true, strictBrackets: true });
  } catch (cause) {
    throw badGlob(glob, cause instanceof Error ? cause.message : String(cause));
  }
  const limited = createTimeLimit(maxMs);
  const names = negated ? undefined : lastPart(pattern);
  return {
    select(items, pathOf) {
      const selected = limited(() => items.filter((item) => matches(toText(pathOf(item))) !== negated));
      if (!selected) throw badGlob(glob, 'it takes too long to match');
      return selected.value;
    },
    ...(names !== undefined && { names }),
  };
}

/** A glob without a slash is about names, at any depth; one that ends in a slash is about what is in that folder. */
function anywhere(glob: string): string {
  const relative = glob.replace(/^(?:\.?\/)+/, '');
  const whole = relative.endsWith('/') ? `${relative}**` : relative;
  const anchored = glob.startsWith('/') || glob.startsWith('./');
  return anchored || relative.replace(/\/$/, '').includes('/') ? whole : `**/${whole}`;
}

/** Only what every matcher reads the same way. */
const plainNames = /^(?=.*[\w.-])(?:[\w.*-]|\{[\w.*,-]+\})+$/;

function lastPart(pattern: string): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  return plainNames.test(name) && !name.includes('**') ? name : undefined;
}

function badGlob(glob: string, why: string): TauError {
  return new TauError('usage', `The glob ${glob} cannot be used: ${why}`, {
    remedy: 'Write one like *.ts, src/**/*.test.ts or *.{js,jsx}.',
  });
}
