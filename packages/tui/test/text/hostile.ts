/** Text as nobody would write it: for the properties that must hold whatever comes. */
import fc from 'fast-check';

/** Each is one grapheme, or becomes one with what is before it. */
export const curious = [
  '👨‍👩‍👧‍👦',
  '👍🏽',
  '🇩🇪',
  '🇩',
  '1️⃣',
  '❤️',
  '❤',
  '⌚\ufe0e',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'e\u0301',
  '\u0301',
  '각',
  '\u1112\u1161\u11ab',
  'क्षि',
  'நி',
  '漢',
  '。',
  '「',
  'ｱ',
  'Ａ',
  'שלום',
  'م',
  '\u200d',
  '\u200b',
  '\u00ad',
  '\ufe0f',
  '\ufeff',
] as const;

const words = [
  'a',
  'word',
  'https://example.org/some/long/path?with=query',
  './src/text/wrap.ts',
  '--flag',
  '(b)',
  '-',
];
const styles = [
  '\x1b[31m',
  '\x1b[1;38;5;200m',
  '\x1b[48;2;1;2;3m',
  '\x1b[4:3m',
  '\x1b[2m',
  '\x1b[22m',
  '\x1b[39m',
  '\x1b[0m',
  '\x1b[m',
];
const links = ['\x1b]8;;https://a.example\x1b\\', '\x1b]8;id=x;https://b.example\x07', '\x1b]8;;\x1b\\'];
const controls = [
  '\t',
  '\r',
  '\x07',
  '\x00',
  '\x7f',
  '\x85',
  '\x9b31m',
  '\x1b',
  '\x1b[',
  '\x1b]0;title',
  '\x1bPq',
  '\x1b[2J',
];
const controls2 = [
  '\x1b[5;5H',
  '\x1b_tau:cursor\x07',
  '\x1b(B',
  '\x90x\x9c',
  '\u202e',
  '\u2068',
  '\u2069',
  '\ud800',
  '\udc00',
];

/** Plain text: graphemes of all kinds, spaces, line breaks. */
export const plainText = pieces(...words, ' ', ' ', '   ', '\n', ...curious);
/** With styles and links, as components make it. */
export const styledText = pieces(...words, ' ', ' ', '  ', '\n', ...curious, ...styles, ...links);
/** With everything else. */
export const hostileText = fc.oneof(
  pieces(...words, ' ', '\n', ...curious, ...styles, ...links, ...controls, ...controls2),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

function pieces(...from: string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...from), { maxLength: 40 }).map((parts) => parts.join(''));
}
