/** A session in use: the active chain in memory, and a way to save what is added to it. */
import type { EntryBody, Message, SessionEntry, SessionHeader } from '@tau/core';
import { TauError } from '@tau/core';
import type { Unanswered } from './chain.ts';
import { activeChain, lastModelOf, lastThinkingOf, unansweredCalls } from './chain.ts';
import { contextOf } from './context.ts';
import { freshEntryId } from './ids.ts';

export interface Session {
  readonly header: SessionHeader;
  /** Where it is saved; undefined when it lives in memory only. */
  readonly path: string | undefined;
  /**
   * Adds an entry below the leaf. It is on disk when this returns. When it throws, a `TauError` of code `file`, nothing
   * has changed; code `session` is for a session that cannot be opened.
   */
  append(body: EntryBody): SessionEntry;
  /** The active chain, from the root to the leaf. */
  entries(): readonly SessionEntry[];
  /** What the model is told: the messages of the active chain, compaction honoured, a result after every call. */
  messages(): Message[];
  lastModel(): { provider: string; modelId: string } | undefined;
  lastThinking(): string | undefined;
  /** Tool calls of the last answer that have no result. */
  unanswered(): Unanswered[];
  close(): void;
}

interface SessionParts {
  header: SessionHeader;
  path: string | undefined;
  /** All entries of the file, in file order. */
  entries: readonly SessionEntry[];
  now: () => Date;
  save(entry: SessionEntry): void;
  close(): void;
}

export function sessionFrom(parts: SessionParts): Session {
  const chain = activeChain(parts.entries);
  const ids = new Set(parts.entries.map((entry) => entry.id));
  let closed = false;
  return {
    header: parts.header,
    path: parts.path,
    append(body) {
      if (closed) throw new TauError('file', 'The session is closed', { remedy: 'Open it again to go on.' });
      const place = {
        type: body.type,
        id: freshEntryId((id) => ids.has(id)),
        parentId: chain.at(-1)?.id ?? null,
        timestamp: parts.now().toISOString(),
      };
      const entry: SessionEntry = Object.assign(place, body);
      parts.save(entry);
      chain.push(entry);
      ids.add(entry.id);
      return entry;
    },
    entries: () => [...chain],
    messages: () => contextOf(chain),
    lastModel: () => lastModelOf(chain),
    lastThinking: () => lastThinkingOf(chain),
    unanswered: () => unansweredCalls(chain),
    close() {
      closed = true;
      parts.close();
    },
  };
}
