import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMarkdown, type Markdown } from '../../src/markdown/markdown.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { openTheme } from '../../src/theme/load.ts';
import { colours, linesAt, widths } from '../lines.ts';
import { anyDocument, documents } from './corpus.ts';
import { committed, loaded, markdown } from './render.ts';

describe('a document', () => {
  test.each(Object.keys(documents))('looks right at every width: %s', async (name) => {
    const component = await markdown(documents[name] ?? '');
    const shown = widths.map((width) => {
      linesAt(component, width);
      return `── ${width}\n${committed(component.render(width), width)}`;
    });
    expect(shown.join('\n')).toMatchSnapshot();
  });

  test('is never wider than it may be, never holds a control character, never fails', async () => {
    const options = await loaded();
    fc.assert(
      fc.property(anyDocument, fc.integer({ min: 1, max: 50 }), (text, width) => {
        linesAt(createMarkdown(text, options), width);
      }),
      { seed: 8, numRuns: 150 },
    );
  });

  test('is written in the colours of the theme', async () => {
    const { theme } = openTheme('dark', { depth: 'truecolour' });
    const component = await markdown('**bold** `code`', { theme });
    expect(component.render(40)).toEqual([
      `${theme.paint('markdownStrong', 'bold')} ${theme.paint('markdownCode', 'code')}`,
    ]);
  });

  test('is plain text until the parser is there, and asks for a new frame then', async () => {
    let changes = 0;
    const component = createMarkdown('**bold**', { theme: colours, onChange: () => (changes += 1) });
    expect(component.render(40)).toEqual(['**bold**']);
    await component.ready();
    expect(changes).toBe(1);
    expect(linesAt(component, 40)).toEqual(['bold']);
    component.setText('*other*');
    expect(linesAt(component, 40)).toEqual(['other']);
  });

  test('first drawn before anything is loaded, is drawn in full once all has come', async () => {
    const text = '**bold**\n\n<!--\n```ruby\n-->\n\n```go\nfunc main() {}\n```';
    let component: Markdown | undefined;
    const coloured = new Promise<void>((resolve) => {
      const look = () => component?.render(40).join('\n').includes('\u001b[35mfunc') && resolve();
      component = createMarkdown(text, { theme: colours, onChange: look });
    });
    expect(component?.render(40)[0]).toBe('**bold**');
    await coloured;
    expect(component && linesAt(component, 40)[0]).toBe('bold');
  });

  test('shows code plain until its language is there', async () => {
    let changes = 0;
    const component = createMarkdown('```go\nfunc main() {}\n```', { theme: colours, onChange: () => (changes += 1) });
    await component.ready();
    const before = changes;
    expect(component.render(40).join('\n')).toContain('\u001b[35mfunc');
    expect(before).toBeGreaterThan(0);
  });
});

test('the name of a note gives way where there is no room for it', async () => {
  const component = await markdown('> [!WARNING]\n> Mind the gap.');
  expect(linesAt(component, 20)).toEqual(['│ Warning', '│ Mind the gap.']);
  expect(linesAt(component, 4).slice(0, 2)).toEqual(['War…', 'Mind']);
});

describe('links', () => {
  const text = '[text](https://example.org/a) and [file](docs/a.md) and [js](javascript:alert)';

  test('are opened by the terminal, if they are safe to open', async () => {
    const line = (await markdown(text)).render(120).join('');
    expect(line).toContain('\u001b]8;id=');
    expect(line).toContain(';https://example.org/a\u001b\\');
    expect(line).not.toMatch(/\]8;[^;]*;(?:docs|javascript)/);
    expect(stripAnsi(line)).toBe('text and file (docs/a.md) and js (javascript:alert)');
  });

  test('show their address where the terminal has none', async () => {
    const line = (await markdown(text, { hyperlinks: false })).render(120).join('');
    expect(line).not.toContain('\u001b]8');
    expect(stripAnsi(line)).toContain('text (https://example.org/a)');
  });

  test('that look like another address say where they lead', async () => {
    const line = (await markdown('[https://bank.example](https://evil.example)')).render(80).join('');
    expect(stripAnsi(line)).toBe('https://bank.example (https://evil.example)');
  });
});

describe('what models get wrong', () => {
  const shown = async (text: string, width = 60) => linesAt(await markdown(text), width);

  test('a fence that never ends is code to the end', async () => {
    expect(await shown('Look:\n```\ncode\n\n# not a title')).toEqual(['Look:', '', '  code', '', '  # not a title']);
  });

  test('emphasis that never ends is text', async () => {
    expect(await shown('some **bold text')).toEqual(['some **bold text']);
  });

  test('a fence between items does not change their numbers', async () => {
    expect(await shown('1. a\n```\nx\n```\n2. b')).toEqual(['1. a', '', '  x', '', '2. b']);
  });

  test('numbers that are all one count on', async () => {
    expect(await shown('1. a\n1. b\n1. c')).toEqual(['1. a', '2. b', '3. c']);
  });

  test('thousands of nested quotes are text, and it is said', async () => {
    const lines = await shown(`${'> '.repeat(5000)}deep`);
    expect(lines[0]).toBe('(nested deeper than 32 levels: shown as text)');
    expect(lines.join('')).toContain('deep');
    expect((await shown(`${'- '.repeat(3000)}deep`))[0]).toContain('nested deeper');
  });

  test('one line of a megabyte is shown whole', async () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`);
    const text = (await shown(words.join(' '), 100)).join(' ').split(/\s+/);
    expect(text).toEqual(words);
  });

  test('a table of a thousand rows has the same columns from top to bottom', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `| ${index} | text |`);
    const lines = await shown(['| number | b |', '|---|---|', ...rows].join('\n'));
    expect(lines).toHaveLength(1002);
    expect(new Set(lines.map((line) => line.search(/[│┼]/))).size).toBe(1);
  });
});

test('long lines of code are cut if so wanted', async () => {
  const component = await markdown(`\`\`\`\n${'x'.repeat(100)}\n\`\`\``, { longCode: 'cut' });
  expect(linesAt(component, 20)).toEqual([`  ${'x'.repeat(17)}…`]);
});
