import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode } from './feed.ts';

const escapeByte = '\u001b';
const pieces = fc.oneof(
  fc.constantFrom(
    ...[
      'a',
      'Z',
      ' ',
      '\r',
      '\t',
      '\u0003',
      '\u007f',
      'é',
      '漢',
      '😀',
      '\ufffd',
      '[',
      'O',
      'M',
      '~',
      '\\',
      ';',
      '1',
      '$',
    ],
    ...[
      escapeByte,
      `${escapeByte}[`,
      `${escapeByte}O`,
      `${escapeByte}]`,
      `${escapeByte}P`,
      `${escapeByte}\\`,
      '\u009b',
      '\u009c',
    ],
    ...[
      `${escapeByte}[A`,
      `${escapeByte}[1;5C`,
      `${escapeByte}[3$`,
      `${escapeByte}[[B`,
      `${escapeByte}[M !"`,
      `${escapeByte}[<0;1;2M`,
    ],
    ...[
      `${escapeByte}[97:65;2:3u`,
      `${escapeByte}[27;6;63~`,
      `${escapeByte}[I`,
      `${escapeByte}[?62c`,
      `${escapeByte}[24;80R`,
    ],
    ...[
      `${escapeByte}]11;rgb:00/11/22\u0007`,
      `${escapeByte}P>|x${escapeByte}\\`,
      `${escapeByte}_Gi=1;OK${escapeByte}\\`,
    ],
    ...[`${escapeByte}[200~`, `${escapeByte}[201~`, `${escapeByte}[200~p\r\n${escapeByte}[31mq${escapeByte}[201~`],
  ),
  fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => Buffer.from(text).toString() === text),
);
const mixture = fc.array(pieces, { maxLength: 14 }).map((list) => list.join(''));
const cuts = fc.array(fc.nat(400), { maxLength: 10 });

function split<T extends { slice(from: number, to: number): T; length: number }>(whole: T, at: readonly number[]): T[] {
  const places = [0, ...at.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => whole.slice(places[index] ?? 0, place));
}

const seeded = { seed: 8, numRuns: 1_000 };

test('any split of any mixture gives the same events, in characters and in bytes', () => {
  fc.assert(
    fc.property(mixture, cuts, (text, at) => {
      const whole = decode([text]);
      expect(decode(split(text, at))).toEqual(whole);
      expect(decode(split(new TextEncoder().encode(text), at))).toEqual(whole);
    }),
    seeded,
  );
});

test('garbage never throws, and no event types a control character', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), cuts, (bytes, at) => {
      for (const event of decode(split(bytes, at))) {
        if (event.type === 'key') expect(event.text ?? '').not.toMatch(/\p{Cc}/u);
        if (event.type === 'paste') expect(event.text).not.toMatch(/[^\P{Cc}\n\t]/u);
      }
    }),
    seeded,
  );
});

test('a sequence without an end keeps nothing, and the keys behind it work', () => {
  for (const begin of ['[', ']', 'P', '_', `${escapeByte}[`]) {
    const noise = Array.from({ length: 2_000 }, () => '1;2;'.repeat(16));
    const typed = decode([`${escapeByte}${begin}`, ...noise, '\u0007', 'k']).slice(-1);
    expect(typed).toEqual([{ type: 'key', key: 'k', text: 'k', kind: 'press' }]);
  }
});

test('long sequences around the limit are judged alike, whole or in pieces', () => {
  for (const begin of [`${escapeByte}[`, `${escapeByte}${escapeByte}[`, `${escapeByte}]`]) {
    for (const length of [4_092, 4_093, 4_094, 4_095, 4_096]) {
      const text = `${begin}${'1'.repeat(length)}${begin.endsWith(']') ? '\u0007' : 'A'}z`;
      const fed = [text.slice(0, 4_000), ...text.slice(4_000)];
      expect(decode(fed)).toEqual(decode([text]));
    }
  }
});
