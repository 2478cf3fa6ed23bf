/**
 * Another place of the conversation to go on from: before something the user said, or where a branch was left. Nothing is
 * taken out of the session's file, and files that were changed meanwhile stay as they are.
 */
import { type SessionEntry, TauError } from '@tau/core';
import type { Session } from '@tau/session';
import type { SessionGrants } from './grants.ts';

/** Something the user said. */
export interface Said {
  entryId: string;
  /** The words alone, without what was attached to them. */
  text: string;
  /** Unix milliseconds. */
  at: number;
}

/** A branch that was left: where it ended, and what the user said last on it. */
export interface Branch extends Said {}

export interface GoingBack {
  /** What the user said, the newest first, as far as the conversation leads there now. */
  said(): readonly Said[];
  /** The branches that were left, the newest first. */
  branches(): readonly Branch[];
  /**
   * The conversation goes on from before this entry, which the user said, or from the end of a branch; with null it begins
   * anew. What is left is the text that was said there, to be said again; empty where nothing was. Not during a run.
   */
  goTo(entryId: string | null): string;
  /** The entry before it, to begin a copy with; undefined where there is none. */
  entryBefore(entryId: string): string | undefined;
}

export interface GoingBackPlace {
  session: Session;
  grants: Pick<SessionGrants, 'moved'>;
  isBusy(): boolean;
  /** The model may not know any more what it was told on the way. */
  onMove(): void;
}

/** Of each kind: more than anybody looks through. */
const maxListed = 200;

export function createGoingBack({ session, grants, isBusy, onMove }: GoingBackPlace): GoingBack {
  function move(entryId: string | null): void {
    if (isBusy()) {
      throw new TauError('usage', 'The conversation cannot go back: a run is under way', {
        remedy: 'Stop it first, or wait for its end',
      });
    }
    const [given, tools] = [session.grants(), session.activeTools()];
    session.moveTo(entryId);
    // What the user allowed and denied, and which tools there are, does not depend on what was said.
    grants.moved(given);
    if (tools) session.setActiveTools(tools);
    onMove();
  }

  function known(entryId: string): SessionEntry {
    const entry = session.entry(entryId);
    if (entry) return entry;
    throw new TauError('usage', `There is no message ${entryId} in this conversation`, {
      remedy: '/tree lists those you can go back to',
    });
  }

  return {
    said: () => session.last('message:user', maxListed).flatMap(saidIn),
    branches: () =>
      session.left(maxListed).flatMap(({ end, prompt }) => {
        const [said] = prompt === undefined ? [] : saidIn(prompt);
        return said ? [{ ...said, entryId: end }] : [];
      }),
    goTo(entryId) {
      const entry = entryId === null ? undefined : known(entryId);
      const [said] = entry ? saidIn(entry) : [];
      move(said && entry ? entry.parentId : entryId);
      return said?.text ?? '';
    },
    entryBefore: (entryId) => known(entryId).parentId ?? undefined,
  };
}

function saidIn(entry: SessionEntry): Said[] {
  if (entry.type !== 'message' || entry.message.role !== 'user') return [];
  return [{ entryId: entry.id, text: wordsOf(entry.message), at: Date.parse(entry.timestamp) }];
}

/** What the user typed: what is attached stands behind it. */
export function wordsOf({ content }: { content: string | readonly { type: string; text?: string }[] }): string {
  if (typeof content === 'string') return content;
  return content.find(({ type }) => type === 'text')?.text ?? '';
}
