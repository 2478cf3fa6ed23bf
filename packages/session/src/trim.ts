/**
 * What goes first when a conversation does not fit: the middle of long results that were read some time ago. What was said
 * stays as it was said, and which calls were made; a result can be had again.
 */
import { isRecord, type Message, messageTokens, type ResultBlock, trimEntry } from '@tau/core';
import type { Chain } from './chain.ts';

const trimKind = `custom:${trimEntry}`;

/** In characters, of the beginning and of the end. */
const keptHead = 800;
const keptTail = 400;
/** A result with fewer tokens than this stays whole. */
const longTokens = 500;
/** What begins in the newer part of it all stays whole: it is what the model works with now. */
const newerShare = 1 / 2;
/** Of what is told. Less than this, and it would soon not fit again. */
const worthShare = 1 / 4;

type Told = readonly { id: string; message: Message | undefined }[];

/** The ids of the old entries to trim; nothing when that would not help enough. */
export function planTrim(told: Told, trims: ReadonlySet<string>): string[] | undefined {
  const total = sizeOf(told);
  const lastAnswer = told.findLastIndex(({ message }) => message?.role === 'assistant');
  let before = 0;
  const old = told.slice(0, Math.max(0, lastAnswer)).filter((one) => {
    const begins = before;
    before += sizeOf([one]);
    return begins < total * newerShare;
  });
  const { ids, gain } = trimmable(old, trims);
  return gain > 0 && gain >= total * worthShare ? ids : undefined;
}

/** When nothing else can go: whatever is long, also what came last. */
export function planLastTrim(told: Told, trims: ReadonlySet<string>): string[] | undefined {
  const { ids, gain } = trimmable(told, trims);
  return gain > 0 ? ids : undefined;
}

function trimmable(told: Told, trims: ReadonlySet<string>): { ids: string[]; gain: number } {
  const ids: string[] = [];
  let gain = 0;
  for (const { id, message } of told) {
    if (message?.role !== 'toolResult' || trims.has(id)) continue;
    const size = messageTokens(message);
    if (size < longTokens) continue;
    gain += size - messageTokens(trimmed(message));
    ids.push(id);
  }
  return { ids, gain };
}

function sizeOf(told: Told): number {
  return told.reduce((sum, { message }) => sum + (message ? messageTokens(message) : 0), 0);
}

/** What every trim of the chain names; the file may be somebody else's. */
export function trimsOf(chain: Chain): ReadonlySet<string> {
  const places: number[] = [];
  for (let index = 0; index < chain.length; index++) if (chain.kind(index) === trimKind) places.push(index);
  const ids = new Set<string>();
  for (const entry of chain.read(places)) {
    const data = entry.type === 'custom' ? entry.data : undefined;
    const named: unknown[] = isRecord(data) && Array.isArray(data.entryIds) ? data.entryIds : [];
    for (const id of named) if (typeof id === 'string') ids.add(id);
  }
  return ids;
}

/** The same message always gives the same bytes. Only results become shorter. */
export function trimmed(message: Message): Message {
  if (message.role !== 'toolResult') return message;
  const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const images = message.content.filter(({ type }) => type === 'image').length;
  const content: ResultBlock[] = [{ type: 'text', text: shortText(text) }];
  if (images > 0)
    content.push({ type: 'text', text: `[${images === 1 ? 'An image' : `${images} images`} left out here]` });
  return { ...message, content };
}

function shortText(text: string): string {
  const gone = text.length - keptHead - keptTail;
  if (gone <= 0) return text;
  const note = `[${gone} characters of this result were left out, because the conversation no longer fits. Make the call again if you need them.]`;
  return `${whole(text.slice(0, keptHead))}\n${note}\n${whole(text.slice(-keptTail))}`;
}

/** Without half of a character at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
