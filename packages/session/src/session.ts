/** A session in use: the tree of its entries, the chain that leads to the last one, and a way to add to it. */
import type { EntryBody, Grant, Message, SessionEntry, SessionHeader } from '@tau/core';
import { moveEntry, TauError, toolsEntry } from '@tau/core';
import { branchEnds } from './branches.ts';
import type { Unanswered } from './chain.ts';
import {
  activeToolsOf,
  allOf,
  grantsOf,
  lastIndex,
  lastModelOf,
  lastThinkingOf,
  onChain,
  unansweredCalls,
} from './chain.ts';
import { contextOf } from './context.ts';
import { glanceBytes } from './glance.ts';
import { freshEntryId } from './ids.ts';
import { planShorter } from './shorten.ts';
import type { Storage } from './storage.ts';
import { toldOf } from './told.ts';
import { trimsOf } from './trim.ts';

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
  /** The last entries of a kind (`message:user`) on the active chain, the newest first. */
  last(kind: string, limit: number): readonly SessionEntry[];
  /** The branches that lead elsewhere, the newest first: their last message, and the user's last one on them. */
  left(limit: number): readonly { end: string; prompt: SessionEntry | undefined }[];
  /** Every entry of this type in the file, in its order. */
  find<T extends EntryBody['type']>(type: T): readonly Extract<SessionEntry, { type: T }>[];
  /** The ids of the entries that hang on this one; with null the roots. More than one is a fork in the tree. */
  children(entryId: string | null): readonly string[];
  /** What the model is told: the messages of the active chain, compaction and cut honoured, a result after every call. */
  messages(): Message[];
  /**
   * Makes what the model is told shorter, for good: of old long results the middle goes, and when that is not enough the
   * oldest part of it all. False when nothing more can go.
   */
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
    last: (kind, limit) =>
      onChain(storage, (chain) => {
        const found: number[] = [];
        for (let at = lastIndex(chain, (one) => one === kind); at >= 0 && found.length < limit; ) {
          found.push(at);
          at = lastIndex(chain, (one) => one === kind, at);
        }
        return chain.read(found);
      }),
    left(limit) {
      return branchEnds(tree, limit).map(({ end, prompt }) => ({ end: tree.id(end) ?? '', prompt: readAt(prompt) }));
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
        const messages = contextOf(chain.read([...front, ...rest]), trimsOf(chain));
        const places = tree.chain();
        storage.release(new Set([...front, ...rest].map((index) => places[index] ?? -1)));
        return messages;
      }),
    shorten() {
      const body = onChain(storage, planShorter);
      if (body === undefined) return false;
      append(body);
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
