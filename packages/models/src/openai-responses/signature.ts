/** How the ids of Responses items ride in a session: a message's in its text's signature, a call's behind its call id. */
import { isRecord } from '@tau/core';

/** Which of the two kinds of speech a message is, where the model tells: on the way, or the answer. */
interface TextSignature {
  id?: string;
  phase?: string;
}

export function textSignature(id: string, phase: string | null | undefined): string {
  return JSON.stringify({ v: 1, id, ...(phase && { phase }) });
}

export function readTextSignature(signature: string | undefined): TextSignature {
  // Older sessions hold the bare id.
  if (!signature?.startsWith('{')) return signature ? { id: signature } : {};
  try {
    const parsed: unknown = JSON.parse(signature);
    if (!isRecord(parsed) || parsed.v !== 1) return {};
    const { id, phase } = parsed;
    return { ...(typeof id === 'string' && { id }), ...(typeof phase === 'string' && { phase }) };
  } catch {
    return {};
  }
}

export function joinCallId(callId: string, itemId: string | undefined): string {
  return itemId ? `${callId}|${itemId}` : callId;
}

export function splitCallId(id: string): { callId: string; itemId?: string } {
  const bar = id.indexOf('|');
  return bar < 0 ? { callId: id } : { callId: id.slice(0, bar), itemId: id.slice(bar + 1) };
}
