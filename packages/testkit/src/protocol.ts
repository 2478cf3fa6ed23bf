/** The seam between the script and a wire protocol: the server knows this interface and no vendor's details. */
import type { RecordedRequest, ScriptedReply } from './script.ts';

export interface Protocol {
  /** Whether it is posted to this path. */
  serves(pathname: string): boolean;
  /** What is wrong with a request that the vendor would not stream an answer to. */
  refuses?(request: RecordedRequest): string | undefined;
  /** Documents it serves to GET, outside the script. */
  documents: Readonly<Record<string, unknown>>;
  /** The server-sent events of a reply, one string each, ready for the wire. */
  stream(reply: ScriptedReply, context: ReplyContext): string[];
  /** The body of an HTTP error, as the vendor shapes it. */
  errorBody(status: number, message: string): unknown;
}

export interface ReplyContext {
  /** Which request of the script this answers, from 0: makes ids unique and repeatable. */
  number: number;
  /** The request's path, query included: some vendors name the model in it. */
  path: string;
  /** The request's JSON. */
  body: unknown;
}

/** For vendors that stream only when the body says so. */
export function streamsOnRequest({ body }: RecordedRequest): string | undefined {
  return field(body, 'stream') === true ? undefined : 'this server only streams: set "stream" to true';
}

/** A field of parsed JSON, or undefined when there is no such thing. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** The model a reply claims to come from: the one that was asked for, as vendors do. */
export function modelOf(body: unknown): string {
  const model = field(body, 'model');
  return typeof model === 'string' ? model : 'scripted';
}

/** Splits by characters, not by UTF-16 units: vendors never send half a surrogate pair. */
export function pieces(text: string, size = 8): string[] {
  const characters = Array.from(text);
  const step = Math.max(1, size);
  const result: string[] = [];
  for (let at = 0; at < characters.length; at += step) result.push(characters.slice(at, at + step).join(''));
  return result;
}

export function usageOf(reply: ScriptedReply): Required<NonNullable<ScriptedReply['usage']>> {
  return { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, ...reply.usage };
}
