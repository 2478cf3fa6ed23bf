/**
 * Text from a model, a tool or a file, made safe to show: what a terminal would obey, and what would be drawn as nothing, is
 * seen. What letters and emoji are made of keeps its meaning.
 */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(special(), (found, needed: string | undefined) => needed ?? show(found));
}

/** On one line: a name or a message cannot begin a line of its own. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', ' ⏎ ');
}

const plain = /^[\n\t\x20-\x7e]*$/;

/** Scripts whose letters are joined, or kept apart, by a character that draws nothing. */
const joining = [
  'Arab',
  'Syrc',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mong',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const selector = '\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
const needed = [
  // England, Scotland, Wales.
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})',
  `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
  // One selector behind what has more than one form.
  `(?<=[\\p{Emoji}\\p{S}\\p{Lo}])[\\ufe00-\\ufe0f](?![${selector}])`,
  `(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}](?![${selector}])`,
].join('|');
/** Line breaks and tabs are neither. Made at the first need: to read it takes Node two milliseconds. */
const special = once(
  () => new RegExp(`(${needed})|(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\p{NChar}]`, 'gu'),
);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function show(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** What the next piece may give another meaning to: half of a line break, of a character, of an emoji. */
const undecided = /(?:\r|(?:[\ufe00-\ufe0f\u200c]|\u200d|\udb40[\udc00-\udfff])*[\ud800-\udbff]?)$/;
/** More of it in a row means nothing, whatever comes. */
const mostHeld = 32;

/** The same for text that comes in pieces. */
export function createVisible(): { piece(text: string): string; rest(): string } {
  let held = '';
  /** The character before, which says what a joiner joins. */
  let before = '';
  const take = (text: string) => {
    const shown = visible(before + text).slice(visible(before).length);
    before = /.$/su.exec(text)?.[0] ?? before;
    return shown;
  };
  return {
    piece(text) {
      if (held === '' && plain.test(text)) {
        before = text.slice(-1) || before;
        return text;
      }
      const whole = held + text;
      const end = undecided.exec(whole.slice(-2 * mostHeld))?.[0] ?? '';
      held = end.length > mostHeld ? (/[\ud800-\udbff]$/.exec(end)?.[0] ?? '') : end;
      return take(whole.slice(0, whole.length - held.length));
    },
    rest() {
      const last = take(held);
      held = '';
      before = '';
      return last;
    },
  };
}
