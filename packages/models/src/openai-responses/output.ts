/**
 * The items of a response as they grow. A server says most things twice, in pieces and as a whole, and some say only one
 * of the two: whatever comes first is told to the assembler, and of what comes later only the missing rest.
 */
import type { Assembler } from '../assembler.ts';
import { joinCallId, textSignature } from './signature.ts';
import type { WireItem, WirePart } from './wire.ts';

type Kind = 'message' | 'reasoning' | 'function_call';

/** How an event names its item. Some servers leave out one, some both; some change the id from event to event. */
interface Place {
  output_index?: number;
  item_id?: string;
}

export interface Output {
  begin(place: Place, item: WireItem): void;
  piece(place: Place, kind: Kind, part: string, delta: string): void;
  whole(place: Place, kind: Kind, part: string, text: string): void;
  end(place: Place, item: WireItem): void;
}

/** The part of a call that grows. */
export const callArguments = 'arguments';

/** More is no answer but a server gone wild. */
const maxItems = 2000;

interface Growing {
  key: string;
  kind: string;
  index: number;
  id: string | undefined;
  callId: string | undefined;
  /** What was said of each part, in pieces: joined once, when the whole is known. */
  said: Map<string, string[]>;
  last: string | undefined;
  started: boolean;
  ended: boolean;
}

export function createOutput(assembler: Assembler, provider: string, nameOf: (wire: string) => string): Output {
  const items: Growing[] = [];

  function add({ output_index, item_id }: Place, kind: string): Growing {
    if (items.length === maxItems) {
      assembler.fail({ class: 'outputLimit', message: `${provider} sent more than ${maxItems} items in one message` });
    }
    const item: Growing = {
      key: `item ${items.length}`,
      kind,
      index: output_index ?? items.length,
      id: item_id,
      callId: undefined,
      said: new Map(),
      last: undefined,
      started: false,
      ended: false,
    };
    if (items.length < maxItems) items.push(item);
    return item;
  }

  /** By its id, or else by its number: a changed id is no other item. A call is another one when its call id is. */
  function find({ output_index, item_id }: Place, kind: string, callId?: string): Growing | undefined {
    const newest = items.at(-1);
    // Nearly always: the next piece of what was said last.
    if (newest && !callId && item_id && newest.id === item_id && newest.kind === kind) return newest;
    const same = (one: Growing) => one.kind === kind && (!callId || !one.callId || one.callId === callId);
    const byCall = callId ? items.findLast((one) => same(one) && one.callId === callId) : undefined;
    const byId = item_id ? items.findLast((one) => same(one) && one.id === item_id) : undefined;
    if (byCall ?? byId) return byCall ?? byId;
    if (typeof output_index === 'number') return items.findLast((one) => same(one) && one.index === output_index);
    return item_id ? undefined : items.findLast((one) => same(one) && !one.ended);
  }

  function say(item: Growing, part: string, delta: string): void {
    if (delta === '') return;
    const pieces = item.said.get(part);
    const fresh = pieces === undefined;
    if (pieces) pieces.push(delta);
    else item.said.set(part, [delta]);
    switch (item.kind) {
      case 'message':
        assembler.text(item.key, delta);
        break;
      case 'reasoning':
        assembler.thinking(item.key, fresh && item.last !== undefined ? `\n\n${delta}` : delta);
        break;
      case 'function_call':
        assembler.callDelta(item.key, delta);
        break;
    }
    item.last = part;
  }

  /** A part that another one has followed can grow no more: there is no way to put words into the middle. */
  function complete(item: Growing, part: string, text: string): void {
    const said = item.said.get(part)?.join('') ?? '';
    if (text.startsWith(said) && (said === '' || item.last === part)) say(item, part, text.slice(said.length));
  }

  function completeAll(
    item: Growing,
    name: 'content' | 'summary',
    parts: readonly WirePart[] | null | undefined,
  ): void {
    for (const [at, part] of (parts ?? []).entries())
      complete(item, partName(name, at), part.text ?? part.refusal ?? '');
  }

  function startCall(item: Growing, wire: WireItem, callId: string): void {
    if (item.started) return;
    item.started = true;
    item.callId = callId;
    assembler.callStart(item.key, joinCallId(callId, wire.id), nameOf(wire.name ?? ''));
  }

  return {
    begin(place, wire) {
      const named = wire.id ? { ...place, item_id: wire.id } : place;
      const known = find(named, wire.type, wire.call_id);
      const again = known !== undefined && known.id === named.item_id && (named.item_id || !known.ended);
      const item = again ? known : add(named, wire.type);
      // An empty delta keeps its place: what it says may come only with its end.
      if (wire.type === 'reasoning') assembler.thinking(item.key, '');
      if (wire.type === 'function_call' && wire.call_id && wire.name) startCall(item, wire, wire.call_id);
    },
    piece(place, kind, part, delta) {
      const item = find(place, kind) ?? add(place, kind);
      // A call that has no name yet is told when it has: its end says all of it again.
      if (!item.ended && (kind !== 'function_call' || item.started)) say(item, part, delta);
    },
    whole(place, kind, part, text) {
      const item = find(place, kind) ?? add(place, kind);
      if (!item.ended && (kind !== 'function_call' || item.started)) complete(item, part, text);
    },
    end(place, wire) {
      const named = wire.id ? { ...place, item_id: wire.id } : place;
      const item = find(named, wire.type, wire.call_id) ?? add(named, wire.type);
      if (item.ended) return;
      item.ended = true;
      switch (wire.type) {
        case 'message':
          completeAll(item, 'content', wire.content);
          if (wire.id && item.last !== undefined) assembler.signText(item.key, textSignature(wire.id, wire.phase));
          break;
        case 'reasoning':
          completeAll(item, 'summary', wire.summary);
          completeAll(item, 'content', wire.content);
          assembler.sign(item.key, JSON.stringify(wire), item.last === undefined && Boolean(wire.encrypted_content));
          break;
        case 'function_call':
          // A call needs a name in the conversation; some servers give it none.
          startCall(item, wire, wire.call_id || `call_${crypto.randomUUID()}`);
          complete(item, callArguments, wire.arguments ?? '');
          assembler.callEnd(item.key);
          break;
      }
    },
  };
}

export function partName(name: 'content' | 'summary', index = 0): string {
  return index === 0 ? name : `${name} ${index}`;
}
