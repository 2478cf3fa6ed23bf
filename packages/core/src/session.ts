/** The v3 session file: a header line, then entries, each pointing at its parent. Append-only. */
import type { ResultBlock, SessionMessage } from './messages.ts';

export interface SessionHeader {
  type: 'session';
  version: 3;
  /** UUIDv7. */
  id: string;
  timestamp: string;
  cwd: string;
  parentSession?: string;
}

interface EntryBase {
  /** Eight hex digits, unique in the file. */
  id: string;
  parentId: string | null;
  timestamp: string;
}

/** What an entry says, before it has a place in the tree. */
export type EntryBody =
  | { type: 'message'; message: SessionMessage }
  | { type: 'model_change'; provider: string; modelId: string }
  | { type: 'thinking_level_change'; thinkingLevel: string }
  | {
      type: 'compaction';
      summary: string;
      firstKeptEntryId: string;
      tokensBefore: number;
      details?: unknown;
      fromHook?: boolean;
    }
  | { type: 'branch_summary'; fromId: string; summary: string; details?: unknown; fromHook?: boolean }
  /** Never in context; the place for everything that is tau's own. */
  | { type: 'custom'; customType: string; data?: unknown }
  | { type: 'custom_message'; customType: string; content: string | ResultBlock[]; display: boolean; details?: unknown }
  | { type: 'label'; targetId: string; label?: string }
  | { type: 'session_info'; name?: string };

export type SessionEntry = EntryBase & EntryBody;

/** `customType` of the entry that announces an effect before it happens; its tool result is the completion. */
export const intentEntry = 'tau.intent';

/**
 * `customType` of the entry with which the conversation goes on from elsewhere: its parent is where. An entry type of its
 * own would leave other programs on the old branch.
 */
export const moveEntry = 'tau.move';

/** `customType` of what the model is told and nobody sees: the word of a hook, how an answer is to go on. */
export const noteEntry = 'tau.note';

/** `customType` of what the model is told by the program around it. */
export const wordEntry = 'tau.word';

/** `customType` of what the model is told when a command in the background has ended. */
export const jobEntry = 'tau.job';

/** `customType` of the entry that says which tools are offered, where that is not the default set. */
export const toolsEntry = 'tau.tools';

/** `customType` of the entry after which models are told only what came from `firstKeptEntryId` on. */
export const cutEntry = 'tau.cut';

export interface Cut {
  firstKeptEntryId: string;
  /** What is told of the part that went; `more` lines had no room. */
  leftOut?: { lines: string[]; more: number };
}

/** `customType` of the entry after which models are told the beginning and the end of the results it names. */
export const trimEntry = 'tau.trim';

export interface Trim {
  entryIds: string[];
}

/** `customType` of the entry with which the user allowed or denied something for the rest of the session. */
export const grantEntry = 'tau.grant';

export interface Grant {
  /** Where it was said: a rule means something else in another folder. */
  cwd: string;
  /** As allow rules. */
  rules: readonly string[];
  /** As deny rules. */
  deny?: readonly string[];
  /** What was allowed before this does not count any more. */
  reset?: boolean;
}

export interface Intent {
  toolCallId: string;
  toolName: string;
  effects: readonly unknown[];
}
