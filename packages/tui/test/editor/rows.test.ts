/** Rows: every place in the text has its cell, every row fits, and a change wraps anew only what is around it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftOf, textOf } from '../../src/editor/draft.ts';
import { insert, paste, type as typeText } from '../../src/editor/edits.ts';
import { noPastes } from '../../src/editor/pastes.ts';
import { cellOf, cellsOf, columnAt, type Rows, rowAt, rowCount, rowsOf } from '../../src/editor/rows.ts';
import { editorState, move } from '../../src/editor/state.ts';
import { unitEnd } from '../../src/editor/units.ts';
import { createView, windowOf } from '../../src/editor/view.ts';
import { hostileText, plainText } from '../text/hostile.ts';

const line = fc.oneof(plainText, hostileText).map((text) => text.replace(/[\n\r]/g, ' '));
const width = fc.integer({ min: 2, max: 30 });

function rowTexts(text: string, columns: number): string[] {
  return startsOf(rowsOf(text, columns)).map((start, index, starts) =>
    text.slice(start, starts[index + 1] ?? text.length),
  );
}

function startsOf(rows: Rows): readonly number[] {
  rowCount(rows);
  return rows.starts;
}

describe('rows', () => {
  test('words stay whole, and the blank behind a full row does not begin the next', () => {
    expect(rowTexts('one two three', 8)).toEqual(['one two ', 'three']);
    expect(rowTexts('aaaaaaaaaa b', 6)).toEqual(['aaaaa', 'aaaaa ', 'b']);
    expect(rowTexts('漢字漢字', 6)).toEqual(['漢字', '漢字']);
    expect(rowTexts('', 6)).toEqual(['']);
  });

  test('the cursor behind a full row is on a row of its own', () => {
    expect(rowTexts('abc ', 4)).toEqual(['abc ', '']);
    expect(rowTexts('abc', 4)).toEqual(['abc']);
  });

  test('every place has a cell inside of the width, in order, and leads back to itself', () => {
    fc.assert(
      fc.property(line, width, (text, columns) => {
        const rows = rowsOf(text, columns);
        let before = { row: 0, cell: -1 };
        for (let at = 0; ; at = unitEnd(text, at, noPastes)) {
          const row = rowAt(rows, at);
          const cell = cellOf(rows, at);
          expect(cell).toBeLessThan(columns);
          expect(row > before.row || (row === before.row && cell > before.cell)).toBe(true);
          expect(columnAt(rows, row, cell)).toBe(at);
          before = { row, cell };
          if (at >= text.length) break;
        }
        for (const [row] of startsOf(rows).entries()) {
          const cells = cellsOf(rows, row);
          const last = cells.at(-1);
          expect(last === undefined ? 0 : last.column + last.width).toBeLessThanOrEqual(columns);
        }
      }),
      { seed: 21, numRuns: 200 },
    );
  });

  test('wrapped anew after a change they are the same as wrapped from the start', () => {
    fc.assert(
      fc.property(line, line, fc.nat(60), fc.nat(10), width, (text, added, at, gone, columns) => {
        const known = rowsOf(text.repeat(3), columns);
        const next = known.text.slice(0, at) + added + known.text.slice(at + gone);
        // Known to the end, in part, and not at all.
        rowAt(known, at * 2);
        const part = rowsOf(next, columns, noPastes, known);
        rowCount(known);
        const whole = rowsOf(next, columns, noPastes, known);
        expect(startsOf(part)).toEqual(startsOf(rowsOf(next, columns)));
        expect(startsOf(whole)).toEqual(startsOf(rowsOf(next, columns)));
      }),
      { seed: 22, numRuns: 200 },
    );
  });
});

describe('a text of megabytes', () => {
  const size = 5 * 1024 * 1024;

  test('typing into one long line wraps a few rows, not all', () => {
    const text = 'some words and more '.repeat(size / 20);
    const view = createView(80, 10);
    let state = editorState(text);
    expect(rowCount(view.rows(state.draft, 0, state.pastes))).toBeGreaterThan(60_000);
    state = move(state, { line: 0, column: size / 2 });
    for (const key of 'hello') {
      state = typeText(state, key);
      const window = windowOf(state.draft, view, state.pastes, { line: 0, row: 0 });
      expect(window.rows).toHaveLength(10);
      expect(view.rows(state.draft, 0, state.pastes).wrapped).toBeLessThan(30);
    }
    expect(view.rows(state.draft, 0, state.pastes)).toBe(view.rows(state.draft, 0, state.pastes));
  });

  test('drawing looks at the lines that are seen, wherever the cursor is', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index} with a few words to wrap`);
    const seen = new Set<string>();
    const counted = new Proxy(lines, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) seen.add(key);
        return Reflect.get(target, key, receiver);
      },
    });
    const view = createView(20, 10);
    for (const at of [0, 50_000, 99_999]) {
      for (const top of [0, 49_990, 99_990]) {
        seen.clear();
        const draft = { lines: counted, cursor: { line: at, column: 3 }, anchor: undefined };
        const { rows, cursor } = windowOf(draft, view, noPastes, { line: top, row: 0 });
        expect(rows).toHaveLength(10);
        expect(rows[cursor.row]?.line).toBe(at);
        expect(seen.size).toBeLessThan(40);
      }
    }
  });

  test('a big paste is a marker and costs the text one line; in place it is all there', () => {
    const pasted = 'x'
      .repeat(79)
      .concat('\n')
      .repeat(size / 80);
    const state = paste(editorState('see '), pasted);
    expect(textOf(state.draft)).toBe(`see [paste #1 +${size / 80 + 1} lines]`);
    const whole = insert(editorState('see '), pasted);
    expect(whole.draft.lines).toHaveLength(size / 80 + 1);
    expect(whole.log.past).toHaveLength(1);
    expect(draftOf(pasted).lines).toHaveLength(size / 80 + 1);
  });
});
