import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMarkdown } from '../../src/markdown/markdown.ts';
import { createParser } from '../../src/markdown/parser.ts';
import { createMarkdownStream, type MarkdownOptions } from '../../src/markdown/stream.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { widthOf } from '../../src/text/width.ts';
import { colours } from '../lines.ts';
import { anyDocument, parts } from './corpus.ts';
import { loaded } from './render.ts';

async function streamed(options: MarkdownOptions, deltas: readonly string[], width: number): Promise<string[]> {
  const stream = createMarkdownStream(options);
  const taken: string[] = [];
  for (const delta of deltas) {
    stream.push(delta);
    taken.push(...stream.take(width));
    stream.live(width);
  }
  stream.end();
  await stream.ready();
  return [...taken, ...stream.take(width), ...stream.live(width)];
}

async function whole(text: string, options: MarkdownOptions, width: number): Promise<readonly string[]> {
  const made = createMarkdown(text, options);
  await made.ready();
  return made.render(width);
}

/** A few characters at a time, with a frame after each. */
function trickle(text: string, options: MarkdownOptions, width = 80) {
  const stream = createMarkdownStream(options);
  const taken: string[] = [];
  let widest = 0;
  for (let at = 0; at < text.length; at += 40) {
    stream.push(text.slice(at, at + 40));
    taken.push(...stream.take(width));
    widest = stream.live(width).reduce((most, line) => Math.max(most, widthOf(line)), widest);
  }
  stream.end();
  taken.push(...stream.take(width));
  return { taken, parsed: stream.parsed, widest };
}

function repeated(size: number, line: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < size; index += 1) text += line(index);
  return text;
}

describe('a streamed document', () => {
  test('ends as the same lines as the whole one, however it was split', async () => {
    const options = await loaded();
    const cuts = fc.array(fc.nat(5000), { maxLength: 12 });
    const width = fc.constantFrom(7, 20, 40, 80, 120);
    await fc.assert(
      fc.asyncProperty(anyDocument, cuts, width, async (text, places, columns) => {
        expect(await streamed(options, parts(text, places), columns)).toEqual(await whole(text, options, columns));
      }),
      { seed: 8, numRuns: 100 },
    );
  });

  test('shows at every moment what the text so far would look like by itself', async () => {
    const options = await loaded();
    await fc.assert(
      fc.asyncProperty(anyDocument, fc.nat(5000), async (text, place) => {
        const soFar = text.slice(0, place % (text.length + 1));
        const line = soFar.slice(Math.max(soFar.lastIndexOf('\n'), soFar.lastIndexOf('\r')) + 1);
        // Markup without anything behind it is held back; half of a line's end is none yet.
        fc.pre(/[a-z]/.test(line) || (line === '' && !soFar.endsWith('\r')));
        const stream = createMarkdownStream(options);
        stream.push(soFar);
        const shown = [...stream.take(40), ...stream.live(40)];
        expect(shown.map(stripAnsi)).toEqual((await whole(soFar, options, 40)).map(stripAnsi));
      }),
      { seed: 8, numRuns: 100 },
    );
  });

  test('is parsed in proportion to its size, whatever is open for long', async () => {
    const size = 9_000;
    const cases = {
      prose: repeated(size, (n) => `## ${n}\n\nSome **bold** text. ${'It goes on. '.repeat(30)}\n\n- a\n- b\n\n`),
      items: repeated(size, (n) => `- item ${n}\n`),
      nested: `- root\n${repeated(size, (n) => `  - item ${n}\n`)}`,
      item: `- root\n${repeated(size, (n) => `  text ${n} of it\n`)}`,
      table: `| a | b |\n|---|---|\n${repeated(size, (n) => `| ${n} | **text** |\n`)}`,
      paragraph: repeated(size, (n) => `line ${n}\n`),
      line: repeated(size, (n) => `word${n} `),
      solid: repeated(size, (n) => `x${n}`),
      quote: repeated(size, (n) => `> line ${n}\n`),
    };
    const shared = await loaded();
    for (const [name, text] of Object.entries(cases)) {
      const parser = createParser();
      await parser.load();
      const options = { ...shared, parser };
      const { taken, parsed, widest } = trickle(text, options);
      expect(parsed, name).toBeLessThan(10 * text.length + 33_000);
      expect(widest, name).toBeLessThanOrEqual(80);
      expect(taken, name).toEqual(await whole(text, options, 80));
    }
  });

  test('parses a finished block once when nobody looks at it before', async () => {
    const options = await loaded();
    const text = repeated(20_000, (n) => `Paragraph ${n} with *some* text.\n\n`);
    const stream = createMarkdownStream(options);
    for (let at = 0; at < text.length; at += 10) stream.push(text.slice(at, at + 10));
    stream.end();
    stream.take(80);
    expect(stream.parsed).toBeLessThanOrEqual(text.length);
    expect(stream.take(80)).toEqual([]);
  });

  test('gives out the lines of a long block of code while it is open, in the colours of the whole', async () => {
    const options = await loaded();
    const body = [
      'const text = `one',
      ...Array.from({ length: 40 }, (_, n) => `line ${n} of a template`),
      '`; // end',
      '/* a comment',
      ...Array.from({ length: 40 }, (_, n) => `const not${n} = 'code';`),
      '*/',
      ...Array.from({ length: 20 }, (_, n) => `export const a${n} = ${n};`),
    ];
    const stream = createMarkdownStream(options);
    stream.push(`\`\`\`ts\n${body.join('\n')}\n`);
    const taken = stream.take(200);
    expect(taken.length).toBeGreaterThan(80);
    stream.push('```\n');
    stream.end();
    const lines = [...taken, ...stream.take(200)].slice(1);
    const expected = options.highlighter.lines(body.join('\n'), 'typescript', colours);
    expect(lines).toEqual(expected.map((line) => `  ${line}`));
  });

  test('keeps a finished block of code until its language is loaded, and says when', async () => {
    let changes = 0;
    const { parser } = await loaded();
    const stream = createMarkdownStream({ theme: colours, parser, onChange: () => (changes += 1) });
    stream.push('Text.\n\n```rust\nfn main() {}\n```\n\nMore.\n\n');
    expect(stream.take(40)).toEqual(['Text.']);
    expect(stream.live(40)).toEqual(['', '\u001b[35mrust\u001b[39m', '  fn main() {}', '', 'More.']);
    expect(changes).toBe(0);
    await stream.ready();
    expect(changes).toBe(1);
    const taken = stream.take(40);
    expect(taken.map(stripAnsi)).toEqual(['', 'rust', '  fn main() {}', '', 'More.']);
    expect(taken[2]).toContain('\u001b[35mfn');
    expect(stream.live(40)).toEqual([]);
  });

  test('holds back markup that could still become anything', async () => {
    const options = await loaded();
    const stream = createMarkdownStream(options);
    stream.push('A paragraph\n-');
    expect(stream.live(40).map(stripAnsi)).toEqual(['A paragraph']);
    stream.push(' item');
    expect([...stream.take(40), ...stream.live(40)].map(stripAnsi)).toEqual(['A paragraph', '• item']);
    stream.push('\n\n```js\nlet a\n``');
    expect(stream.take(40).map(stripAnsi)).toEqual(['A paragraph', '• item']);
    expect(stream.live(40).map(stripAnsi)).toEqual(['', 'js', '  let a']);
  });

  test('returns the same lines while nothing changes', async () => {
    const stream = createMarkdownStream(await loaded());
    stream.push('Some *text');
    const lines = stream.live(40);
    expect(stream.live(40)).toBe(lines);
    stream.push('*');
    expect(stream.live(40)).not.toBe(lines);
  });
});
