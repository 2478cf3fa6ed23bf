/**
 * What to leave out of a conversation that does not fit, so that at least a quarter goes: the middle of old long results,
 * which can be had again, if that is enough; else the oldest part, by whole groups. A group is a prompt and all that came
 * before the next one. Of the last group, which goes on, only its oldest turns can go; of its last turn the middle of results.
 */
import type { Cut, EntryBody, Trim } from '@tau/core';
import { cutEntry, messageTokens, trimEntry } from '@tau/core';
import type { Chain } from './chain.ts';
import { isCut, messageOf } from './context.ts';
import { leaveOut, leftOutIn } from './left-out.ts';
import { toldOf } from './told.ts';
import { planLastTrim, planTrim, trimsOf } from './trim.ts';

export interface Piece {
  id: string;
  kind: string;
  /** What it costs to tell it, in any unit. */
  size: number;
}

/** The entry that makes it shorter; nothing when all of it is needed. */
export function planShorter(chain: Chain): EntryBody | undefined {
  const { front, rest } = toldOf(chain);
  const entries = chain.read(rest);
  const trims = trimsOf(chain);
  const told = entries.map((entry) => ({ id: entry.id, message: messageOf(entry, trims) }));
  const old = planTrim(told, trims);
  if (old) return trimOf(old);
  const pieces = told.map(({ id, message }, at) => {
    return { id, kind: chain.kind(rest[at] ?? -1), size: message ? messageTokens(message) : 0 };
  });
  const firstKeptEntryId = planCut(pieces);
  if (firstKeptEntryId === undefined) {
    const last = planLastTrim(told, trims);
    return last && trimOf(last);
  }
  const kept = pieces.findIndex(({ id }) => id === firstKeptEntryId);
  // A byte for each token: what is told of a part costs at most a quarter of it.
  const room = pieces.slice(0, kept).reduce((total, { size }) => total + size, 0);
  const earlier = chain.read(front).find(isCut);
  const leftOut = leaveOut(entries.slice(0, kept), room, leftOutIn(earlier?.data));
  return { type: 'custom', customType: cutEntry, data: { firstKeptEntryId, leftOut } satisfies Cut };
}

function trimOf(entryIds: string[]): EntryBody {
  return { type: 'custom', customType: trimEntry, data: { entryIds } satisfies Trim };
}

/** The id of the first entry to keep; nothing when all of it is needed. At least one piece goes, and one stays. */
export function planCut(pieces: readonly Piece[]): string | undefined {
  const groups = starts(pieces, 'message:user');
  if (groups[0] !== 0) groups.unshift(0);
  return cutAt(pieces, groups) ?? cutAt(pieces, starts(pieces, 'message:assistant'));
}

function starts(pieces: readonly Piece[], kind: string): number[] {
  return pieces.flatMap((piece, index) => (piece.kind === kind ? [index] : []));
}

/** The first of these places before which a quarter goes; the last of them where all are too early. Never the very first. */
function cutAt(pieces: readonly Piece[], places: readonly number[]): string | undefined {
  const [first, ...later] = places;
  if (first === undefined) return undefined;
  const quarter = pieces.reduce((total, { size }) => total + size, 0) / 4;
  let gone = 0;
  let at = first;
  for (const place of later) {
    for (; at < place; at++) gone += pieces[at]?.size ?? 0;
    if (gone >= quarter) break;
  }
  return at === first ? undefined : pieces[at]?.id;
}
