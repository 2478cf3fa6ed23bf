/** Bracketed paste: everything up to the end marker is text, however long it is and wherever it was split. */

const pasteEnd = '\u001b[201~';

export interface Paste {
  /** Takes text up to the end marker. Says where the text goes on behind it; undefined when the paste is not over. */
  add(text: string, from: number): number | undefined;
  /** What was pasted and not yet given out, cleaned. Undefined when all was given out in parts. */
  take(): string | undefined;
}

/** Never holds more than `limit` characters: a longer paste is given to `onPart` in parts. */
export function createPaste(limit: number, onPart: (text: string) => void): Paste {
  let pieces: string[] = [];
  let length = 0;
  let parts = 0;
  // The last characters may be the beginning of the end marker.
  let held = '';

  function keep(text: string): void {
    let from = 0;
    while (from < text.length) {
      const piece = text.slice(from, from + limit - length);
      pieces.push(piece);
      length += piece.length;
      from += piece.length;
      if (length >= limit) givePart();
    }
  }

  function givePart(): void {
    const whole = pieces.join('');
    // A line break and a character may be in two halves, and belong together.
    const half = whole.length > 1 && /[\r\ud800-\udbff]$/.test(whole) ? 1 : 0;
    pieces = [whole.slice(whole.length - half)];
    length = half;
    parts += 1;
    onPart(clean(whole.slice(0, whole.length - half)));
  }

  return {
    add(text, from) {
      // The marker can only be in two chunks if it begins in what was held back: one short join finds it.
      const joined = held + text.slice(from, from + pasteEnd.length - 1);
      const across = held === '' ? -1 : joined.indexOf(pasteEnd);
      if (across >= 0) {
        const rest = across + pasteEnd.length - held.length;
        keep(joined.slice(0, across));
        held = '';
        return from + rest;
      }
      const end = text.indexOf(pasteEnd, from);
      if (end >= 0) {
        keep(held + text.slice(from, end));
        held = '';
        return end + pasteEnd.length;
      }
      const all = held + text.slice(from);
      const start = startOfMarker(all);
      keep(all.slice(0, start));
      held = all.slice(start);
      return undefined;
    },
    take() {
      keep(held);
      held = '';
      return length === 0 && parts > 0 ? undefined : clean(pieces.join(''));
    },
  };
}

/** Where a beginning of the end marker stands at the very end of the text; the text's length if there is none. */
function startOfMarker(text: string): number {
  const from = text.lastIndexOf('\u001b');
  return from >= 0 && pasteEnd.startsWith(text.slice(from)) ? from : text.length;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what a paste is cleaned of
/** tmux with extended keys writes the controls of a paste as keys. */
const controlAsKey = /\u001b\[(\d{1,3});5u/g;
const sequences = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above
const suspect = /[^\n\t\u0020-\u007e\u00a0-\ud7ff\ue000-\uffff]/;

/** Text as an editor can hold it: line breaks are `\n`, tabs stay, escape sequences and other controls go. */
function clean(text: string): string {
  if (!suspect.test(text)) return text;
  return text
    .replace(controlAsKey, (_, code: string) => String.fromCharCode(Number(code) & 0x1f))
    .replace(sequences, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}
