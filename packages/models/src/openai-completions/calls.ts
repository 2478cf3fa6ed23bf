/** Puts the pieces of calls together, from servers that number them, name them, do both, or neither. */
import type { Assembler } from '../assembler.ts';

export interface CallPiece {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
}

interface Calls {
  /** The pieces of one chunk. */
  grow(pieces: readonly CallPiece[]): void;
  end(): void;
  readonly some: boolean;
}

interface OpenCall {
  key: string;
  index: number;
  id: string;
  json: string;
  started: boolean;
  ended: boolean;
}

/** More of them in one message is a model that repeats itself. */
const maxCalls = 1000;
/** A call whose name does not come is told without one after so many characters. */
const maxHeldChars = 65_536;

export function createCalls(assembler: Assembler, nameOf: (wireName: string) => string, provider: string): Calls {
  const calls: OpenCall[] = [];

  function overflow(): void {
    const much = `more than ${maxCalls} calls in one message`;
    assembler.fail({ class: 'outputLimit', message: `${provider} sent ${much}, so tau stopped listening` });
  }

  function open(piece: CallPiece, position: number): OpenCall {
    // Earlier calls can start at once; but some servers interleave, so only whole ones.
    for (const call of calls) {
      if (call.ended) continue;
      if (!call.started || !isWhole(call.json)) break;
      call.ended = true;
      assembler.callEnd(call.key);
    }
    // A call needs an id in the conversation; some servers give it none.
    const id = piece.id || `call_${crypto.randomUUID()}`;
    const call = {
      key: `call ${calls.length}`,
      index: piece.index ?? position,
      id,
      json: '',
      started: false,
      ended: false,
    };
    calls.push(call);
    return call;
  }

  function start(call: OpenCall, name: string): void {
    call.started = true;
    assembler.callStart(call.key, call.id, nameOf(name));
    assembler.callDelta(call.key, call.json);
  }

  return {
    grow(pieces) {
      for (const [position, piece] of pieces.entries()) {
        const name = piece.function?.name || '';
        const json = jsonOf(piece.function?.arguments);
        const known = callOf(calls, piece, position, name !== '' && json !== '');
        if (!known && calls.length === maxCalls) return overflow();
        const call = known ?? open(piece, position);
        call.json += json;
        if (call.started) assembler.callDelta(call.key, json);
        else if (name !== '' || call.json.length > maxHeldChars) start(call, name);
      }
    },
    end() {
      for (const call of calls) {
        if (call.ended) continue;
        call.ended = true;
        if (!call.started) start(call, '');
        assembler.callEnd(call.key);
      }
    },
    get some() {
      return calls.length > 0;
    },
  };
}

/**
 * Which call a piece belongs to. Some servers number every call 0, or none: another id is another call, and without an
 * id a whole new call after a whole one is.
 */
function callOf(calls: readonly OpenCall[], { index, id }: CallPiece, position: number, whole: boolean) {
  const found = calls.findLast((call) => call.index === (index ?? position) && (!id || call.id === id));
  return found && !id && whole && found.started && isWhole(found.json) ? undefined : found;
}

/** Arguments are JSON in a text; some servers send the object itself. */
function jsonOf(given: unknown): string {
  if (typeof given === 'string') return given;
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
