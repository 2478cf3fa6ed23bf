import fc from 'fast-check';
import { Lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import type { Piece } from '../../src/markdown/piece.ts';
import { createSplitter } from '../../src/markdown/split.ts';

function split(text: string): Piece[] {
  const splitter = createSplitter();
  return [...splitter.push(text), ...splitter.end()];
}

function sourceOf(piece: Piece): string {
  switch (piece.kind) {
    case 'table':
      return [piece.head, ...piece.rows].join('\n');
    case 'code':
      return piece.lines.join('\n');
    default:
      return piece.source;
  }
}

/** The kinds and texts of blocks, with the items of a list one by one. */
function outline(source: string): string[] {
  return new Lexer({ gfm: true }).lex(source).flatMap((token) => {
    if (token.type === 'space') return [];
    if (token.type !== 'list') return [`${token.type} ${token.raw.trim()}`];
    return token.items.map((item: { raw: string }) => `item ${item.raw.trim()}`);
  });
}

const blocks = [
  '# Title',
  'Title\n===',
  'A paragraph\nof two lines.',
  'Text with `code` and **bold**.',
  '- one\n- two\n  - nested\n\n    more\n- three',
  '1. one\n2. two\n\n   paragraph\n3. three',
  '* a\n\n* b',
  '- item\n  ```js\n  code\n\n  more\n  ```\n- next',
  '> quote\n> > nested\nlazy',
  '> - list\n>\n> text',
  '```js\ncode\n\n# no title\n```',
  '~~~\n```\n~~~',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  'a | b\n--|--\n1 | 2',
  'text\n| a |\n|---|\n| 1 |',
  '    indented\n\n    code',
  '---',
  '<div>\nhtml\n</div>',
  '<!-- a\n\ncomment -->',
  'text\n- list right below',
  'text\n> quote right below',
  'text\n```\ncode right below\n```',
];

describe('a document in pieces', () => {
  test('has the blocks that the parser finds in the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...blocks), { maxLength: 8 }), (chosen) => {
        const text = chosen.join('\n\n');
        const found = split(text).flatMap((piece) =>
          // Code has lost its fences, and an indented block after a list would be the list's.
          piece.kind === 'code' ? [`code ${piece.lines.join('\n').trim()}`] : outline(sourceOf(piece)),
        );
        const expected = outline(text).map((block) =>
          block.startsWith('code ')
            ? `code ${block
                .slice(5)
                .replace(/^(?:```|~~~).*\n|\n(?:```|~~~)$/g, '')
                .replace(/^ {4}/gm, '')
                .trim()}`
            : block,
        );
        expect(found).toEqual(expected);
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test('loses nothing but blank lines and fences', () => {
    const text = Array.from({ length: 400 }, (_, index) => `${'  '.repeat(index % 3)}- item ${index}`).join('\n');
    const words = (source: string) => source.split(/\s+/).filter((word) => word !== '');
    expect(words(split(text).map(sourceOf).join('\n'))).toEqual(words(text));
  });

  test.each(['---', '***', '_ _ _', ' ----'])('%j ends a list and is a piece of its own', (rule) => {
    expect(split(`- item\n${rule}\n- next`).map(sourceOf)).toEqual(['- item', rule, '- next']);
  });

  test('no piece is longer than it may be', () => {
    const long = [
      'word '.repeat(10_000),
      'x'.repeat(50_000),
      `- ${'item\n  text '.repeat(5_000)}`,
      '> quote\n'.repeat(5_000),
      'line\n'.repeat(9_000),
      `<!-- ${'comment\n'.repeat(5_000)}`,
      `| a |\n|---|\n${'| cell |\n'.repeat(5_000)}`,
    ];
    for (const text of long) {
      const sizes = split(text).map((piece) => sourceOf(piece).length);
      expect(Math.max(...sizes)).toBeLessThan(3 * 8192);
      expect(sizes.length).toBeGreaterThan(1);
    }
  });

  test('a long item is cut where its own items begin', () => {
    const inner = Array.from({ length: 1000 }, (_, index) => `  - item ${index}\n    more of it`);
    const [first, ...rest] = split(['- root', ...inner].join('\n'));
    expect(first).toMatchObject({ kind: 'item', source: expect.stringMatching(/^- root\n/) });
    expect(rest.length).toBeGreaterThan(2);
    for (const piece of rest) expect(piece).toMatchObject({ kind: 'rest', source: expect.stringMatching(/^- item/) });
  });

  test('a list item that is cut in the middle of its code goes on as code', () => {
    const code = Array.from({ length: 1000 }, (_, index) => `  # line ${index}`);
    const pieces = split(['- item', '  ```sh', ...code, '  ```', '- next'].join('\n'));
    const [first, second] = pieces;
    expect(first?.kind).toBe('item');
    expect(second).toMatchObject({ kind: 'rest', source: expect.stringMatching(/^```sh\n# line \d+/) });
    expect(pieces.at(-1)).toMatchObject({ kind: 'item', source: '- next' });
  });
});
