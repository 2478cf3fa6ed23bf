/**
 * What a line puts elsewhere. There may be links in it that nobody has followed from there: where a later path through it
 * leads is not known, and what is removed with it is not what was looked at.
 */
import { resolve } from 'node:path/posix';
import type { Effect } from '@tau/core';
import type { Finding, Invocation, ShellFacts } from '../invocation.ts';

export interface Move {
  from: readonly string[];
  /** Real paths, as far as they are there already. */
  to: readonly string[];
  /** It is gone from where it was. */
  takes: boolean;
  /** Nothing but links are made: what is written through them was only said to be read. */
  links: boolean;
}

/** Undefined for a program that leaves no links where it puts something. */
export function moveOf({ words }: Invocation, { effects }: Finding, facts: ShellFacts): Move | undefined {
  const [name = '', ...rest] = words;
  const keepsLinks = rest.some((word) => /^-[a-zA-Z]*[rRadP]|^--(rec|arch|no-deref)/.test(word ?? ''));
  if (!/^(mv|ln|cp)$/.test(name) || (name === 'cp' && !keepsLinks)) return undefined;
  const from = effects.flatMap((effect) => (effect.kind === 'read' ? [written(effect.path, facts)] : []));
  const to = effects.flatMap((effect) =>
    effect.kind === 'write' && effect.removes === undefined ? [placeOf(effect.path, facts)] : [],
  );
  return { from, to, takes: name === 'mv', links: name === 'ln' };
}

/** Why these effects are not what they seem after the moves. */
export function afterMoves(effects: readonly Effect[], moves: readonly Move[], facts: ShellFacts): string | undefined {
  if (moves.length === 0) return undefined;
  for (const effect of effects) {
    if (effect.kind !== 'read' && effect.kind !== 'write') continue;
    const path = placeOf(effect.path, facts);
    for (const { from, to, takes, links } of moves) {
      const writes = effect.kind === 'write';
      const removes = writes && effect.removes === 'tree';
      if (removes && takes && to.some((place) => isAt(place, path))) return 'it removes what the line has put there';
      if (!to.some((place) => isAt(path, place))) continue;
      if ((links && writes) || from.some((one) => facts.holdsLinks?.(one) !== false)) {
        return 'a path in it leads through what the line has put there';
      }
    }
  }
  return undefined;
}

function placeOf(path: string, facts: ShellFacts): string {
  return resolve('/', facts.realPath?.(written(path, facts)) ?? written(path, facts));
}

/** Not tidied: `..` after a link is the machine's matter. */
function written(path: string, { cwd }: ShellFacts): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`;
}

function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`);
}
