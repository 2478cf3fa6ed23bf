/**
 * Texts made comparable: what models commonly get wrong is folded away, and each folded character knows where it came
 * from. Folding never joins or splits lines, so line N of a text is line N of its folding. Pure.
 */

/** What is folded beside line endings, which always are. */
export interface Folding {
  /** Blanks at line ends. */
  blanks: boolean;
  /** Characters that look alike: typographic quotes, dashes, spaces, other forms of the same letter. */
  alike: boolean;
}

export interface Folded {
  text: string;
  /** For each character of the folded text, where in the source the piece starts and ends that it comes from. */
  starts: number[];
  ends: number[];
}

export function fold(source: string, folding: Folding): string {
  let text = '';
  let copied = 0;
  for (const { start, end, becomes } of changes(source, folding)) {
    text += source.slice(copied, start) + becomes;
    copied = end;
  }
  return text + source.slice(copied);
}

export function foldWithOrigins(source: string, folding: Folding): Folded {
  const folded: Folded = { text: fold(source, folding), starts: [], ends: [] };
  const copy = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      folded.starts.push(at);
      folded.ends.push(at + 1);
    }
  };
  let copied = 0;
  for (const { start, end, becomes } of changes(source, folding)) {
    copy(copied, start);
    for (let count = 0; count < becomes.length; count++) {
      folded.starts.push(start);
      folded.ends.push(end);
    }
    copied = end;
  }
  copy(copied, source.length);
  return folded;
}

/** True when a character of the folded text is the first that its piece of the source became. */
export function startsPiece({ starts }: Folded, at: number): boolean {
  return starts[at - 1] !== starts[at];
}

export function endsPiece({ starts }: Folded, at: number): boolean {
  return starts[at + 1] !== starts[at];
}

function* changes(
  source: string,
  { blanks, alike }: Folding,
): Generator<{ start: number; end: number; becomes: string }> {
  const parts = ['(?<ending>\\r\\n)'];
  // The look behind keeps a long run of blanks inside a line from being tried once for each of them.
  const blank = alike ? '[^\\S\\r\\n]' : '[ \\t]';
  if (blanks) parts.push(`(?<dropped>(?<!${blank})${blank}+(?=\\r?\\n|$))`);
  if (alike) parts.push('(?<letter>[^\\p{M}\\r\\n]\\p{M}+|[^\\0-\\x7f])');
  for (const { 0: piece, index, groups } of source.matchAll(new RegExp(parts.join('|'), 'gu'))) {
    const becomes = groups?.ending ? '\n' : groups?.letter ? plain(piece) : '';
    yield { start: index, end: index + piece.length, becomes };
  }
}

/** Drawn as nothing. A model is not told of some of them, and does not repeat the others. */
const unseen = /[\ufe00-\ufe0f\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|[\u{e0000}-\u{e0fff}]/gu;

function plain(letter: string): string {
  return letter
    .normalize('NFKC')
    .replace(/[\u2018-\u201b\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u301d-\u301f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Zs}/gu, ' ')
    .replace(unseen, '');
}
