/** A session in use: the tree of its entries, the chain that leads to the last one, and a way to add to it. */
import type { Cut, EntryBody, Grant, Message, SessionEntry, SessionHeader } from '@tau/core';
import { cutEntry, messageTokens, moveEntry, TauError, toolsEntry } from '@tau/core';
import type { Unanswered } from './chain.ts';
import { activeToolsOf, allOf, grantsOf, lastModelOf, lastThinkingOf, onChain, unansweredCalls } from './chain.ts';
import { contextOf, isCut, messageOf } from './context.ts';
import { glanceBytes } from './glance.ts';
import { freshEntryId } from './ids.ts';
import { leaveOut, leftOutIn } from './left-out.ts';
import { planCut } from './shorten.ts';
import type { Storage } from './storage.ts';
import { toldOf } from './told.ts';

export interface Session {
  readonly header: SessionHeader;
  /** Where it is saved; undefined when it lives in memory only. */
  readonly path: string | undefined;
  /**
   * Adds an entry below the leaf. It is on disk when this returns. When it throws, a `TauError`, nothing has changed:
   * code `file` when it could not be written, code `session` when the session is another process's now.
   */
  append(body: EntryBody): SessionEntry;
  /**
   * The conversation goes on below this entry, or afresh with null. What is left stays in the file; a summary of it is
   * told to the model.
   */
  moveTo(entryId: string | null, options?: { summary?: string }): void;
  /** The active chain, from the root to the leaf. */
  entries(): readonly SessionEntry[];
  /** Any entry of the file, on the chain or not. */
  entry(id: string): SessionEntry | undefined;
  /** From the root to this entry; empty when there is no such entry. */
  pathTo(id: string): readonly SessionEntry[];
  /** Every entry of this type in the file, in its order. */
  find<T extends EntryBody['type']>(type: T): readonly Extract<SessionEntry, { type: T }>[];
  /** The ids of the entries that hang on this one; with null the roots. More than one is a fork in the tree. */
  children(entryId: string | null): readonly string[];
  /** What the model is told: the messages of the active chain, compaction and cut honoured, a result after every call. */
  messages(): Message[];
  /** Leaves the oldest part out of what the model is told, for good. False when nothing more can go. */
  shorten(): boolean;
  lastModel(): { provider: string; modelId: string } | undefined;
  lastThinking(): string | undefined;
  /** The tools that are offered where that is not the default set. */
  activeTools(): readonly string[] | undefined;
  /** Recorded only when it differs. */
  setActiveTools(names: readonly string[]): void;
  /** What the user allowed and denied for the rest of it, in order. Who reads them knows whether to believe the file. */
  grants(): readonly Grant[];
  /** Tool calls of the last answer that have no result. */
  unanswered(): Unanswered[];
  /** What the session is called; the last name wins, wherever in the tree it was given. */
  name(): string | undefined;
  /** An empty name takes it away. */
  setName(name: string): void;
  label(entryId: string): string | undefined;
  setLabel(entryId: string, label: string | undefined): void;
  close(): void;
}

/** A name further from the end than this is written once more on closing: whoever lists sessions reads only their ends. */
const nameReach = glanceBytes / 2;

export function sessionFrom(storage: Storage, now: () => Date): Session {
  const { header, path, tree } = storage;
  let closed = false;

  function add(body: EntryBody, parentId: string | null): SessionEntry {
    if (closed) throw new TauError('file', 'The session is closed', { remedy: 'Open it again to go on.' });
    const place = {
      type: body.type,
      id: freshEntryId((id) => tree.placeOf(id) !== undefined),
      parentId,
      timestamp: now().toISOString(),
    };
    const entry: SessionEntry = Object.assign(place, body);
    storage.append(entry);
    return entry;
  }

  function append(body: EntryBody): SessionEntry {
    return add(body, leafId());
  }

  function leafId(): string | null {
    const leaf = tree.leaf();
    return leaf === undefined ? null : (tree.id(leaf) ?? null);
  }

  function readAt(place: number | undefined): SessionEntry | undefined {
    return place === undefined ? undefined : storage.read([place])[0];
  }

  function placeOf(id: string): number {
    const place = tree.placeOf(id);
    if (place !== undefined) return place;
    throw new TauError('session', `There is no entry ${id} in the session ${header.id}`, {
      remedy: `tau sessions show ${header.id} --json lists its entries.`,
    });
  }

  /** The places of all entries of a type, the last first. */
  function* placesOf(type: string): Generator<number> {
    for (let place = tree.size() - 1; place >= 0; place--) {
      const kind = tree.kind(place);
      if (kind === type || kind?.startsWith(`${type}:`)) yield place;
    }
  }

  function nameEntry(): { place: number; name: string } | undefined {
    for (const place of placesOf('session_info')) {
      const entry = readAt(place);
      if (entry?.type === 'session_info') return { place, name: entry.name?.trim() ?? '' };
    }
    return undefined;
  }

  function sayNameAgain(): void {
    const last = nameEntry();
    if (last === undefined || last.name === '') return;
    if ((storage.bytesAfter(last.place) ?? 0) > nameReach) append({ type: 'session_info', name: last.name });
  }

  function label(entryId: string): string | undefined {
    for (const place of placesOf('label')) {
      const entry = readAt(place);
      if (entry?.type === 'label' && entry.targetId === entryId) return entry.label || undefined;
    }
    return undefined;
  }

  return {
    header,
    path,
    append,
    moveTo(entryId, { summary } = {}) {
      if (entryId !== null) placeOf(entryId);
      if (entryId === leafId()) return;
      if (summary === undefined) add({ type: 'custom', customType: moveEntry }, entryId);
      else add({ type: 'branch_summary', fromId: entryId ?? 'root', summary }, entryId);
    },
    entries: () => onChain(storage, allOf),
    entry: (id) => readAt(tree.placeOf(id)),
    pathTo(id) {
      for (;;) {
        const place = tree.placeOf(id);
        const path = place === undefined ? [] : storage.read(tree.pathTo(place));
        const whole = path.filter((entry) => entry !== undefined);
        if (whole.length === path.length) return whole;
      }
    },
    find(type) {
      const entries = storage.read([...placesOf(type)].reverse());
      return entries.filter((entry) => isOfType(entry, type));
    },
    children(entryId) {
      const ids: string[] = [];
      for (let place = 0; place < tree.size(); place++) {
        const id = tree.id(place);
        if (id !== undefined && tree.parentId(place) === entryId) ids.push(id);
      }
      return ids;
    },
    messages: () =>
      onChain(storage, (chain) => {
        const { front, rest } = toldOf(chain);
        const messages = contextOf(chain.read([...front, ...rest]));
        const places = tree.chain();
        storage.release(new Set([...front, ...rest].map((index) => places[index] ?? -1)));
        return messages;
      }),
    shorten() {
      const cut = onChain(storage, (chain): Cut | undefined => {
        const { front, rest } = toldOf(chain);
        const entries = chain.read(rest);
        const pieces = entries.map((entry, at) => {
          const message = messageOf(entry);
          return { id: entry.id, kind: chain.kind(rest[at] ?? -1), size: message ? messageTokens(message) : 0 };
        });
        const firstKeptEntryId = planCut(pieces);
        if (firstKeptEntryId === undefined) return undefined;
        const kept = pieces.findIndex(({ id }) => id === firstKeptEntryId);
        // A byte for each token: what is told of a part costs at most a quarter of it.
        const room = pieces.slice(0, kept).reduce((total, { size }) => total + size, 0);
        const earlier = chain.read(front).find(isCut);
        const leftOut = leaveOut(entries.slice(0, kept), room, leftOutIn(earlier?.data));
        return { firstKeptEntryId, leftOut };
      });
      if (cut === undefined) return false;
      append({ type: 'custom', customType: cutEntry, data: cut });
      return true;
    },
    lastModel: () => onChain(storage, lastModelOf),
    lastThinking: () => onChain(storage, lastThinkingOf),
    activeTools: () => onChain(storage, activeToolsOf),
    setActiveTools(names) {
      const active = onChain(storage, activeToolsOf);
      if (active?.length === names.length && active.every((name, at) => name === names[at])) return;
      append({ type: 'custom', customType: toolsEntry, data: { names: [...names] } });
    },
    grants: () => onChain(storage, grantsOf),
    unanswered: () => onChain(storage, unansweredCalls),
    name: () => nameEntry()?.name || undefined,
    setName(name) {
      if ((nameEntry()?.name ?? '') !== name.trim()) append({ type: 'session_info', name: name.trim() });
    },
    label,
    setLabel(entryId, text) {
      placeOf(entryId);
      if (label(entryId) === (text || undefined)) return;
      append({ type: 'label', targetId: entryId, ...(text && { label: text }) });
    },
    close() {
      if (closed) return;
      try {
        sayNameAgain();
      } catch {
        // A disk that is full now has been reported by what mattered, and only a list misses the name.
      }
      closed = true;
      storage.close();
    },
  };
}

function isOfType<T extends EntryBody['type']>(
  entry: SessionEntry | undefined,
  type: T,
): entry is Extract<SessionEntry, { type: T }> {
  return entry?.type === type;
}
