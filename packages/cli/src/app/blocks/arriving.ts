/**
 * The arguments of a call while they arrive, read when somebody looks. A long text in them (a file that is written) grows by
 * what came since the last look, and is not read again from its beginning.
 */
import { isRecord, partialArguments, type ToolInput } from '@tau/agent';

export interface Arriving {
  push(text: string): void;
  value(): ToolInput;
}

export function createArriving(): Arriving {
  let json = '';
  let inText = false;
  let escaped = false;
  /** What stands before the text that is open or was last: names must not be taken for values. */
  let before = '';
  let last = '';
  let input: ToolInput = {};
  /** Grows the text that is open; undefined when the whole has to be read again. */
  let grow: ((more: string) => void) | undefined;
  /** Of the open text, what came since the last look. */
  let fresh = '';

  /** Whether all of it belongs to the text that is open. */
  function goesOn(text: string): boolean {
    let same = inText;
    for (const char of text) {
      if (escaped) escaped = false;
      else if (char === '\\' && inText) escaped = true;
      else if (char === '"') {
        inText = !inText;
        same = false;
        before = last;
      }
      if (!inText && char.trim() !== '') last = char;
    }
    return same;
  }

  return {
    push(text) {
      json += text;
      if (goesOn(text)) fresh += text;
      else grow = undefined;
    },
    value() {
      if (grow === undefined || !inText) {
        // Half an escape at the end says nothing yet, and blanks there are not read.
        const end = inText ? json.slice(0, wholeEnd(json)).trimEnd().length : json.length;
        input = partialArguments(json.slice(0, end));
        fresh = json.slice(end);
        grow = inText && (before === ':' || before === '[') ? growerOf(input) : undefined;
        return input;
      }
      const end = wholeEnd(fresh);
      const more = decoded(fresh.slice(0, end));
      if (more === undefined) grow = undefined;
      else {
        grow(more);
        fresh = fresh.slice(end);
      }
      return input;
    },
  };
}

/** How much of it is sure to hold no half of an escape. */
function wholeEnd(text: string): number {
  const [half = ''] = /(?:^|[^\\])(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/.exec(text.slice(-40))?.slice(1) ?? [];
  return text.length - half.length;
}

function decoded(raw: string): string | undefined {
  try {
    const value: unknown = JSON.parse(`"${raw}"`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Sets the last text in it anew, wherever that is. */
function growerOf(input: ToolInput): ((more: string) => void) | undefined {
  let at: Record<string, unknown> | unknown[] = input;
  for (;;) {
    const here: Record<string, unknown> | unknown[] = at;
    const key = Array.isArray(here) ? here.length - 1 : Object.keys(here).at(-1);
    if (key === undefined || key === -1) return undefined;
    const value: unknown = Reflect.get(here, key);
    if (typeof value === 'string') {
      let text = value;
      return (more) => {
        text += more;
        Reflect.set(here, key, text);
      };
    }
    if (!isRecord(value) && !Array.isArray(value)) return undefined;
    at = value;
  }
}
