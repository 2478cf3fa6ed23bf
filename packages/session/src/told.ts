/** Which entries of a chain the model is told, in the order in which it is told them. */
import { cutEntry, isRecord } from '@tau/core';
import { type Chain, lastIndex } from './chain.ts';

const cutKind = `custom:${cutEntry}`;

export interface Told {
  /** What stands for the part that is not told: a summary, a note, the prompt that the rest still answers. */
  front: number[];
  rest: number[];
}

/**
 * After a compaction its summary and what it kept. After a cut a note and what the cut kept; where that begins in the
 * middle of an answer, the prompt it answers as well, for no answer makes sense without.
 */
export function toldOf(chain: Chain): Told {
  const compaction = lastIndex(chain, (kind) => kind === 'compaction');
  const front = compaction < 0 ? [] : [compaction];
  const kept = compaction < 0 ? 0 : keptByCompaction(chain, compaction);
  const cut = lastIndex(chain, (kind) => kind === cutKind);
  // A summary that was made later knows of the cut.
  const from = cut > compaction ? keptByCut(chain, cut) : undefined;
  const rest: number[] = [];
  for (let index = Math.max(kept, from ?? 0); index < chain.length; index++) {
    if (isTold(chain.kind(index))) rest.push(index);
  }
  if (from === undefined) return { front, rest };
  front.push(cut);
  const [first] = rest;
  if (first !== undefined && chain.kind(first) !== 'message:user') {
    const prompt = lastIndex(chain, (kind) => kind === 'message:user', first);
    // One that was compacted away is in the summary.
    if (prompt >= kept) front.push(prompt);
  }
  return { front, rest };
}

function isTold(kind: string): boolean {
  return kind.startsWith('message:') || kind === 'branch_summary' || kind === 'custom_message';
}

/** Where the kept entry is missing only the summary is left. */
function keptByCompaction(chain: Chain, place: number): number {
  const [entry] = chain.read([place]);
  const found = entry?.type === 'compaction' ? indexOfId(chain, entry.firstKeptEntryId, place) : undefined;
  return found ?? place;
}

/** Where the kept entry is missing nothing is left out: what is too long is found to be so again. */
function keptByCut(chain: Chain, place: number): number | undefined {
  const [entry] = chain.read([place]);
  if (entry?.type !== 'custom' || !isRecord(entry.data)) return undefined;
  const { firstKeptEntryId } = entry.data;
  return typeof firstKeptEntryId === 'string' ? indexOfId(chain, firstKeptEntryId, place) : undefined;
}

function indexOfId(chain: Chain, id: string, before: number): number | undefined {
  for (let index = before - 1; index >= 0; index--) if (chain.id(index) === id) return index;
  return undefined;
}
