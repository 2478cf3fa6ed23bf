/** The script a scripted model follows. It says what the model does, never how a vendor puts it on the wire. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from './faults.ts';

export type ScriptBlock =
  | { text: string }
  /** Every vendor signs it in its own way; redacted thinking has a signature and no text. */
  | { thinking: string; redacted?: boolean }
  | { call: string; input: Record<string, unknown>; id?: string };

export interface ScriptedReply {
  blocks: ScriptBlock[];
  /** Tokens; `input` excludes what the cache read or wrote. */
  usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number };
  /** Text and arguments are split into pieces of this many characters. Default 8. */
  chunk?: number;
  /** Default `stop`; a reply with calls then ends as the vendor ends those. */
  stopReason?: 'stop' | 'length';
  /** What goes wrong on the way, all of it at once. */
  faults?: readonly Fault[];
  /** Beside the ones every stream has. */
  headers?: Record<string, string>;
}

export type ScriptStep =
  | ScriptedReply
  /** An HTTP error. Without a body it gets the vendor's own for that status. */
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Never finishes; over when the client goes away or the server closes. */
  | { hang: 'beforeHeaders' | 'midStream' }
  /** The socket dies in the middle of an event. */
  | { cut: true; blocks: ScriptBlock[] }
  /** Decides from the request. */
  | ((request: RecordedRequest) => ScriptStep);

export interface RecordedRequest {
  method: string;
  /** As requested, query included. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined when it was none. */
  body: unknown;
  raw: string;
  /** Resolves when the client closed the socket before the answer was complete. */
  aborted: Promise<void>;
}
