/** A megabyte of each kind of markdown in parts of ten characters. SOAK_MARKDOWN: how many characters of each. */
import { expect, test } from 'vitest';
import { createHighlighter } from '../packages/tui/src/code/highlighter.ts';
import { createMarkdown } from '../packages/tui/src/markdown/markdown.ts';
import { createParser } from '../packages/tui/src/markdown/parser.ts';
import { createMarkdownStream } from '../packages/tui/src/markdown/stream.ts';
import { colours } from '../packages/tui/test/lines.ts';
import { amount, report } from './amount.ts';

const lines: Readonly<Record<string, (index: number) => string>> = {
  prose: (n) => `## ${n}\n\nSome **bold** text and \`code\`. ${'It goes on. '.repeat(30)}\n\n- a\n- b\n\n`,
  items: (n) => `- item ${n}\n`,
  nested: (n) => `${n === 0 ? '- root\n' : ''}  - item ${n}\n`,
  code: (n) => `${n === 0 ? '```ts\n' : ''}const a${n} = { b: 'text' }; // ${n}\n`,
  comment: (n) => `${n === 0 ? '```ts\n/*\n' : ''}line ${n} of a comment\n`,
  codeInItem: (n) => `${n === 0 ? '- item\n  ```ts\n' : ''}  const a${n} = 1;\n`,
  table: (n) => `${n === 0 ? '| a | b |\n|---|---|\n' : ''}| ${n} | **text** |\n`,
  paragraph: (n) => `line ${n}\n`,
  line: (n) => `word${n} `,
  solid: (n) => `x${n}`,
  quote: (n) => `> line ${n}\n`,
};

test.each(Object.keys(lines))(
  'a megabyte of %s costs a small multiple of its size',
  { timeout: 600_000 },
  async (kind) => {
    const size = amount('SOAK_MARKDOWN', 1_000_000);
    let text = '';
    for (let index = 0; text.length < size; index += 1) text += lines[kind]?.(index) ?? '';
    const highlighter = createHighlighter();
    await highlighter.load('typescript');
    const parser = createParser();
    await parser.load();
    const stream = createMarkdownStream({ theme: colours, highlighter, parser });
    const taken: string[] = [];
    let frames = 0;
    for (let at = 0; at < text.length; at += 10, frames += 1) {
      stream.push(text.slice(at, at + 10));
      for (const line of stream.take(80)) taken.push(line);
      stream.live(80);
    }
    stream.end();
    for (const line of stream.take(80)) taken.push(line);
    report(`markdown ${kind}`, { size: text.length, frames, lines: taken.length, parsed: stream.parsed });
    expect(stream.parsed).toBeLessThan(10 * text.length + 33_000);
    const whole = createMarkdown(text, { theme: colours, highlighter, parser: await loadedParser() }).render(80);
    expect(taken).toEqual(whole);
  },
);

async function loadedParser() {
  const parser = createParser();
  await parser.load();
  return parser;
}
