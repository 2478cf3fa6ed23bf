/** What a terminal answers to a query, taken out of the stream of keys. */
import type { Sequence } from './scan.ts';

export type Reply =
  /** DA1, DA2: the answer that every terminal gives, so it stands at the end of a row of queries as a fence. */
  | { type: 'attributes'; level: 1 | 2; params: readonly number[] }
  /** DECRPM: 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset. */
  | { type: 'mode'; mode: number; state: number }
  /** The flags of the Kitty keyboard protocol in force. */
  | { type: 'keyboard'; flags: number }
  /** OSC 10, 11, 12 and 4: `#rrggbb`. */
  | { type: 'colour'; of: 'foreground' | 'background' | 'cursor' | number; value: string }
  /** The user's system turned dark or light (mode 2031). */
  | { type: 'scheme'; scheme: 'dark' | 'light' }
  /** XTVERSION: name and version in the terminal's own words. */
  | { type: 'version'; text: string }
  /** Kitty graphics: what became of the image with this id. */
  | { type: 'graphics'; id: number | undefined; ok: boolean; message: string }
  /** From 1. */
  | { type: 'cursor'; row: number; column: number }
  /** `CSI 4|6|8 ; height ; width t`: the window in pixels, a cell in pixels, the window in cells. */
  | { type: 'size'; of: 'window' | 'cell' | 'text'; height: number; width: number };

/** Undefined when it is no answer that we know. */
export function replyOf(sequence: Sequence): Reply | undefined {
  switch (sequence.kind) {
    case 'csi':
      return csiReply(sequence.prefix, sequence.params.split(';').map(Number), sequence.intermediates, sequence.final);
    case 'string':
      return stringReply(sequence.introducer, sequence.body);
    case 'console':
    case 'ss3':
    case 'alt':
    case 'noise':
      return undefined;
  }
}

function csiReply(prefix: string, params: readonly number[], intermediates: string, final: string): Reply | undefined {
  const [first = 0, second = 0, third = 0] = params;
  switch (`${prefix}${intermediates}${final}`) {
    case '?c':
      return { type: 'attributes', level: 1, params };
    case '>c':
      return { type: 'attributes', level: 2, params };
    case '?$y':
      return { type: 'mode', mode: first, state: second };
    case '?u':
      return { type: 'keyboard', flags: first };
    case '?n':
      if (first !== 997) return undefined;
      return { type: 'scheme', scheme: second === 2 ? 'light' : 'dark' };
    case '?R':
    case 'R':
      return isCursor(prefix, params) ? { type: 'cursor', row: first, column: second } : undefined;
    case 't': {
      const of = first === 4 ? 'window' : first === 6 ? 'cell' : first === 8 ? 'text' : undefined;
      return of && { type: 'size', of, height: second, width: third };
    }
    default:
      return undefined;
  }
}

/** `CSI 1 ; 5 R` is Ctrl+F3 as well as a cursor in the first row. A key is likelier: whoever asks can use the `?` form. */
function isCursor(prefix: string, [row = 0, column = 0]: readonly number[]): boolean {
  return row > 0 && column > 0 && (prefix === '?' || row > 1 || column > 16);
}

function stringReply(introducer: string, body: string): Reply | undefined {
  switch (introducer) {
    case ']':
      return colourReply(body);
    case 'P':
      return body.startsWith('>|') ? { type: 'version', text: body.slice(2) } : undefined;
    case '_':
      return body.startsWith('G') ? graphicsReply(body.slice(1)) : undefined;
    default:
      return undefined;
  }
}

const coloured = { 10: 'foreground', 11: 'background', 12: 'cursor' } as const;

function colourReply(body: string): Reply | undefined {
  const match = /^(?:(10|11|12)|4;(\d{1,3}));(.*)$/.exec(body);
  const value = parseColour(match?.[3] ?? '');
  if (!match || value === undefined) return undefined;
  const [, which, index] = match;
  const of =
    which === '10' ? coloured[10] : which === '11' ? coloured[11] : which === '12' ? coloured[12] : Number(index);
  return { type: 'colour', of, value };
}

/** `rgb:ffff/0000/8080`, `rgba:…`, `#ffff00008080`, with one to four digits a part. */
function parseColour(text: string): string | undefined {
  const parts = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(text)?.slice(1, 4);
  const packed = /^#((?:[\da-f]{3}){1,4})$/i.exec(text)?.[1];
  const third = (packed?.length ?? 0) / 3;
  const found = parts ?? (packed && [0, 1, 2].map((part) => packed.slice(part * third, (part + 1) * third)));
  return found && `#${found.map(toByte).join('')}`;
}

function toByte(digits: string): string {
  const value = Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
  return value.toString(16).padStart(2, '0');
}

function graphicsReply(body: string): Reply | undefined {
  const [keys = '', ...message] = body.split(';');
  const id = /(?:^|,)i=(\d{1,10})/.exec(keys)?.[1];
  const text = message.join(';');
  return { type: 'graphics', id: id === undefined ? undefined : Number(id), ok: text === 'OK', message: text };
}
