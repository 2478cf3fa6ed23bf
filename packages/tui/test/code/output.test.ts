import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnsiText } from '../../src/code/ansi-text.ts';
import { createCodeBlock } from '../../src/code/code-block.ts';
import { truncateToVisualLines } from '../../src/code/fold.ts';
import { createHighlighter } from '../../src/code/highlighter.ts';
import { createOutput, settleOutput } from '../../src/code/output.ts';
import { stripAnsi, tokens } from '../../src/text/ansi.ts';
import { widthOf } from '../../src/text/width.ts';
import { colours, hostile, linesAt, plain, screens, widths } from '../lines.ts';
import { hostileText } from '../text/hostile.ts';

describe('what a program wrote', () => {
  test.each([
    ['one line after the other', 'a\nb\r\nc\n', ['a', 'b', 'c']],
    ['a bar that redraws its line', '10%\r50%\r100%\ndone', ['100%', 'done']],
    ['a shorter text over a longer one', 'abcdef\rxy', ['xycdef']],
    ['an erased line', 'abcdef\r\u001b[Kxy', ['xy']],
    ['a spinner with backspaces', 'a|\b/\b-', ['a-']],
    ['several lines that are drawn again', 'a 1\nb 1\n\u001b[2Aa 2\u001b[K\nb 2\u001b[K\n', ['a 2', 'b 2']],
    ['what was erased below', 'a\nb\nc\u001b[1A\r\u001b[Jd', ['a', 'd']],
    ['a cleared screen', 'old\n\u001b[2J\u001b[Hnew', ['new']],
    ['titles, bells, modes', '\u001b]0;title\u0007\u0007\u001b[?25la\u001b[?25h\u001b7', ['a']],
    ['half of a wide character', '漢字\r\u001b[Cx', [' x字']],
    ['a wide character over two', 'abc\r漢', ['漢c']],
    ['tabs', 'a\tb', ['a       b']],
    ['nothing', '', []],
  ])('is seen as in a terminal: %s', (_, text, lines) => {
    expect(settleOutput(text).map(stripAnsi)).toEqual(lines);
  });

  test('keeps its colours, closed on each line, and nothing that hides or blinks', () => {
    expect(settleOutput('\u001b[31mred\nstill\u001b[0m \u001b[8mhidden\u001b[0m \u001b]8;;http://x\u0007link')).toEqual(
      ['\u001b[31mred\u001b[39m', '\u001b[31mstill\u001b[39m hidden link'],
    );
  });

  test('is the same however it was split', () => {
    const sequences = [
      '\u001b[31m',
      '\u001b[0m',
      '\u001b[2A',
      '\u001b[K',
      '\u001b[3C',
      '\u001b]0;t\u0007',
      '\u001b_x\u001b\\',
    ];
    const part = fc.constantFrom('a', 'b c', '\r', '\n', '\r\n', '\b', '\t', '漢', '\u0007', ...sequences);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(100), (chosen, place) => {
        const text = chosen.join('');
        const at = place % (text.length + 1);
        const output = createOutput();
        output.write(text.slice(0, at));
        output.write(text.slice(at));
        expect(output.lines()).toEqual(settleOutput(text));
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test('is harmless and fits, whatever it was', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 2, max: 60 }), (text, width) => {
        const lines = createAnsiText({ theme: colours, text }).render(width);
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(width);
          const others = tokens(line).filter((token) => token.kind !== 'style');
          expect(others.map((token) => token.text).join('')).not.toMatch(/\p{Cc}/u);
        }
      }),
      { seed: 8, numRuns: 200 },
    );
  });

  test('lets go of the oldest lines of a very long output, and says so', () => {
    const text = createAnsiText({ theme: plain });
    for (let at = 0; at < 6000; at += 1) text.append(`line ${at}\n`);
    const lines = text.render(40);
    expect(lines[0]).toBe('… 1001 earlier lines are gone');
    expect(lines[1]).toBe('line 1001');
    expect(lines.at(-1)).toBe('line 5999');
  });
});

describe('long output', () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');

  test('is folded to its beginning and end, and opened', () => {
    const component = createAnsiText({ theme: colours, text, fold: { head: 2, tail: 3 }, hint: '(ctrl+o)' });
    expect(linesAt(component, 40)).toEqual([
      'line 0',
      'line 1',
      '… 25 lines (ctrl+o)',
      'line 27',
      'line 28',
      'line 29',
    ]);
    component.expanded = true;
    expect(linesAt(component, 40)).toHaveLength(30);
    expect(component.copyText()).toBe(text);
  });

  test('is folded by what is seen: a long line counts as often as it is wrapped', () => {
    const lines = ['x'.repeat(100), 'end'];
    expect(truncateToVisualLines(lines, 10, { head: 0, tail: 3 })).toEqual({
      head: [],
      hidden: 8,
      tail: ['xxxxxxxxxx', 'xxxxxxxxxx', 'end'],
    });
  });

  test('shows one hidden line instead of saying so', () => {
    expect(truncateToVisualLines(['a', 'b', 'c'], 10, { head: 1, tail: 1 }).hidden).toBe(0);
  });

  test('grows at its end', () => {
    const component = createAnsiText({ theme: plain, fold: { head: 0, tail: 2 } });
    component.append('a\nb\nc\nd');
    expect(component.render(20)).toEqual(['… 2 lines', 'c', 'd']);
    component.append('ee\r\u001b[Kf\n');
    expect(component.render(20)).toEqual(['… 2 lines', 'c', 'f']);
  });
});

describe('a block of code', () => {
  const code = 'function f() {\n\treturn "a long string that needs to be wrapped at some widths";\n}\n';

  test('has numbers and a marked range', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('javascript');
    const range = { from: 99, to: 99 };
    const options = { code, theme: colours, highlighter, path: 'a.js', lineNumbers: true, startLine: 98, range };
    const component = createCodeBlock(options);
    for (const width of widths) linesAt(component, width);
    expect(screens(component)).toMatchSnapshot();
    expect(component.copyText()).toBe(code);
  });

  test('is plain first and coloured when the language has come', async () => {
    const highlighter = createHighlighter();
    const component = createCodeBlock({ code, theme: colours, highlighter, label: 'js' });
    expect(component.render(80)[0]).toBe('function f() {');
    await highlighter.settled();
    expect(component.render(80)[0]).toContain('\u001b[35mfunction');
  });

  test('is cut or folded if so wanted', () => {
    const highlighter = createHighlighter();
    const cut = createCodeBlock({ code, theme: plain, highlighter, longLines: 'cut' });
    expect(linesAt(cut, 20)).toEqual(['function f() {', '    return "a long …', '}']);
    const lines = Array.from({ length: 9 }, (_, index) => String(index)).join('\n');
    const folded = createCodeBlock({ code: lines, theme: plain, highlighter, fold: { head: 2, tail: 1 } });
    expect(linesAt(folded, 20)).toEqual(['0', '1', '… 6 lines', '8']);
  });

  test.each(hostile.map((text) => [text]))('holds hostile text: %j', (text) => {
    const component = createCodeBlock({
      code: text,
      theme: colours,
      highlighter: createHighlighter(),
      lineNumbers: true,
    });
    for (const width of [1, 2, 5, ...widths]) linesAt(component, width);
  });
});

test('of very many lines the last are kept, and how many were let go is known whenever it is asked for', () => {
  const output = createOutput();
  for (let line = 0; line < 7_345; line++) {
    output.write(`line ${line}\n`);
    if (line === 5_500)
      expect([output.dropped, output.lines().length, output.lines()[0]]).toEqual([502, 4999, 'line 502']);
  }
  expect(output.dropped).toBe(7_346 - 5_000);
  expect(output.lines().at(-1)).toBe('line 7344');
  output.write('\u001b[1Aover it');
  expect(output.lines().at(-1)).toBe('over it44');
});
