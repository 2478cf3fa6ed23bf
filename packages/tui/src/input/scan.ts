/** Where an escape sequence ends. Looks at its outer form only; what it means is for others. */

export type Sequence =
  | { kind: 'csi'; end: number; prefix: string; params: string; intermediates: string; final: string }
  | { kind: 'console'; end: number; final: string }
  | { kind: 'ss3'; end: number; params: string; final: string }
  /** OSC, DCS, APC, PM, SOS: the letter that introduces it in seven bits, and what is in it. */
  | { kind: 'string'; end: number; introducer: string; body: string }
  /** ESC before a character: Alt is held. */
  | { kind: 'alt'; end: number; text: string }
  /** Something that is no key and no reply, to be swallowed up to its end. */
  | { kind: 'noise'; end: number };

export const esc = '\u001b';
const rxvtShift = /^(?:[2-8]|1[1-57-9]|2[013-689]|3[1-4])$/;

/** The sequence that begins at `at`, with ESC or a control of eight bits; undefined while it is not complete. */
export function scan(text: string, at: number): Sequence | undefined {
  const code = text.charCodeAt(at);
  const eightBits = code !== 0x1b;
  const introducer = eightBits ? String.fromCharCode(code - 0x40) : text.charAt(at + 1);
  const body = at + (eightBits ? 1 : 2);
  switch (introducer) {
    case '':
      return undefined;
    case '[':
      return scanCsi(text, body);
    case 'O':
      return scanSs3(text, body);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return scanString(text, body, introducer);
    default:
      return eightBits ? { kind: 'noise', end: body } : scanAlt(text, at + 1);
  }
}

function scanCsi(text: string, body: number): Sequence | undefined {
  if (text.charAt(body) === '[') {
    const final = text.charAt(body + 1);
    if (final === '') return undefined;
    return final >= 'A' && final <= 'E' ? { kind: 'console', end: body + 2, final } : { kind: 'noise', end: body + 1 };
  }
  const end = endOfCsi(text, body);
  if (end === undefined) return undefined;
  const final = text.charAt(end.at);
  if (!end.whole) return { kind: 'noise', end: end.at };
  const inside = text.slice(body, end.at);
  if (final === 'M' && inside === '') return scanOldMouse(text, end.at + 1);
  const [, prefix = '', params = '', intermediates] = /^([<-?]?)([0-9:;]*)([ -/]*)$/.exec(inside) ?? [];
  if (intermediates === undefined) return { kind: 'noise', end: end.at + 1 };
  return { kind: 'csi', end: end.at + 1, prefix, params, intermediates, final };
}

/** Where its final byte stands, or what broke it. */
export function endOfCsi(text: string, from: number): { at: number; whole: boolean } | undefined {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return { at, whole: true };
    // rxvt ends shifted keys with a byte that in any other sequence stands before the final one.
    if (code === 0x24 && at - from <= 2 && rxvtShift.test(text.slice(from, at))) return { at, whole: true };
    if (code < 0x20 || code > 0x7e) return { at, whole: false };
  }
  return undefined;
}

/** The oldest mouse report has three bytes after its end, which would otherwise be typed. */
function scanOldMouse(text: string, from: number): Sequence | undefined {
  for (let at = from; at < from + 3; at += 1) {
    if (at >= text.length) return undefined;
    if (text.charCodeAt(at) < 0x20) return { kind: 'noise', end: at };
  }
  return { kind: 'noise', end: from + 3 };
}

function scanSs3(text: string, body: number): Sequence | undefined {
  let at = body;
  while (at < body + 2 && text.charAt(at) >= '0' && text.charAt(at) <= '9') at += 1;
  if (at >= text.length) return undefined;
  const code = text.charCodeAt(at);
  if (code < 0x20 || code > 0x7e) return { kind: 'noise', end: at };
  return { kind: 'ss3', end: at + 1, params: text.slice(body, at), final: text.charAt(at) };
}

function scanString(text: string, body: number, introducer: string): Sequence | undefined {
  const end = endOfString(text, body);
  if (end === undefined) return undefined;
  if (end.length === 0) return { kind: 'noise', end: end.at };
  return { kind: 'string', end: end.at + end.length, introducer, body: text.slice(body, end.at) };
}

/** Where its terminator stands and how long that is; length 0 where another control broke it off. */
export function endOfString(text: string, from: number): { at: number; length: number } | undefined {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code !== 0x9c) continue;
    if (code === 0x07 || code === 0x9c) return { at, length: 1 };
    if (code !== 0x1b) return { at, length: 0 };
    if (at + 1 >= text.length) return undefined;
    return { at, length: text.charAt(at + 1) === '\\' ? 2 : 0 };
  }
  return undefined;
}

function scanAlt(text: string, at: number): Sequence | undefined {
  const code = text.codePointAt(at);
  // The second half of a character outside the first plane is still to come.
  if (code === undefined || (code >= 0xd800 && code <= 0xdbff && at === text.length - 1)) return undefined;
  // ESC before a control of eight bits is the Escape key; the caller looks at the rest.
  if (code >= 0x80 && code <= 0x9f) return { kind: 'alt', end: at, text: '' };
  const character = String.fromCodePoint(code);
  return { kind: 'alt', end: at + character.length, text: character };
}
