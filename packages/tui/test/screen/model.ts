/** Random use of a screen, and the simplest model of it: all committed lines once, in order, then the live region. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { stripAnsi } from '../../src/text/ansi.ts';
import { cellsOf } from '../../src/text/cells.ts';
import { createStage } from './stage.ts';

type Step =
  | { kind: 'commit'; lines: string[] }
  | { kind: 'live'; lines: string[]; cursor: number }
  | { kind: 'both'; lines: string[]; live: string[] }
  | { kind: 'resize'; columns?: number; rows?: number }
  | { kind: 'draw' };

const styled = ['\u001b[1mbold\u001b[22m', '\u001b[31mred\u001b[39m'];
const word = fc.constantFrom('a', 'bc', 'word', '漢字', 'é', '👩‍💻', ' ', '=====', ...styled);
const line = fc.array(word, { maxLength: 9 }).map((words) => words.join('').trimEnd());
const lines = (most: number) => fc.array(line, { maxLength: most });
const drawing: fc.WeightedArbitrary<Step>[] = [
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('commit' as const), lines: lines(12) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('live' as const), lines: lines(5), cursor: fc.nat(6) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('both' as const), lines: lines(3), live: lines(4) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'draw' as const }) },
];
const resizing = (columns: fc.Arbitrary<number>, rows: fc.Arbitrary<number>, both: boolean): fc.Arbitrary<Step> => {
  const kind = fc.constant('resize' as const);
  if (both) return fc.record({ kind, columns, rows });
  return fc.oneof(fc.record({ kind, columns }), fc.record({ kind, rows }));
};
const between = (min: number, max: number) => fc.integer({ min, max });

/** Windows in which the live region always finds room. */
export function nothingIsLostOrDoubled(options: { synchronizedOutput: boolean }) {
  const step = fc.oneof(...drawing, { weight: 2, arbitrary: resizing(between(12, 50), between(16, 30), false) });
  return fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
    const { terminal, wanted } = play(steps, options);
    expect(terminal.linesOf()).toEqual(wanted);
  });
}

/** Windows of any size, down to one that has no room for anything. */
export function nothingCommittedIsLost() {
  const step = fc.oneof(...drawing, { weight: 4, arbitrary: resizing(between(2, 50), between(1, 30), true) });
  return fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
    const { terminal, committed } = play(steps, { synchronizedOutput: true });
    expect(missing(committed, terminal.linesOf())).toEqual([]);
  });
}

function play(steps: readonly Step[], options: { synchronizedOutput: boolean }) {
  const { terminal, screen, show } = createStage({ columns: 40, rows: 20, reflowCursorLine: false, ...options });
  let committed: string[] = [];
  let live: string[] = [];
  const commit = (added: readonly string[]) => {
    screen.commit(added);
    committed = committed.concat(added.flatMap((text) => plainRows(text, terminal.columns)));
  };
  for (const step of steps) {
    if (step.kind === 'commit') {
      commit(step.lines);
    } else if (step.kind === 'live') {
      live = step.lines;
      show(...step.lines.map((text, row) => (row === step.cursor ? `${text}|` : text)));
    } else if (step.kind === 'both') {
      commit(step.lines);
      live = step.live;
      show(...step.live);
    } else if (step.kind === 'resize') {
      screen.draw();
      terminal.resize(step.columns ?? terminal.columns, step.rows ?? terminal.rows);
      screen.draw();
    } else {
      screen.draw();
    }
  }
  screen.draw();
  const wanted = [...committed, ...live.map((text) => plainRows(text, terminal.columns)[0] ?? '')];
  while (wanted.at(-1) === '') wanted.pop();
  return { terminal, committed, wanted };
}

/** Those that do not come in their order. */
function missing(wanted: readonly string[], shown: readonly string[]): string[] {
  let at = 0;
  return wanted.filter((line) => {
    const found = line === '' ? at : shown.indexOf(line, at);
    if (found >= 0 && line !== '') at = found + 1;
    return found < 0;
  });
}

/** By hand, not with the functions under test: a row takes graphemes until the next does not fit. */
function plainRows(text: string, columns: number): string[] {
  const rows = [''];
  let used = 0;
  for (const { text: grapheme, width } of cellsOf(stripAnsi(text))) {
    if (used + width > columns) {
      rows.push('');
      used = 0;
    }
    rows.push(`${rows.pop()}${grapheme}`);
    used += width;
  }
  return rows.map((row) => row.trimEnd());
}
