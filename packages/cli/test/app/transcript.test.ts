/** What is handed over to the scrollback, when, and what stays live. */
import { expect, test } from 'vitest';
import { type Block, createTranscript } from '../../src/app/transcript.ts';

/** A block that is fed from outside. */
function feed(): Block & { give(...lines: string[]): void; show(...lines: string[]): void; end(): void } {
  let final: string[] = [];
  let shown: string[] = [];
  let done = false;
  return {
    get done() {
      return done;
    },
    give: (...lines) => void final.push(...lines),
    show(...lines) {
      shown = lines;
    },
    end() {
      final.push(...shown);
      shown = [];
      done = true;
    },
    take() {
      const taken = final;
      final = [];
      return taken;
    },
    live: (_, rows) => shown.slice(-rows),
  };
}

test('lines are handed over once, in the order of the blocks, with a gap between two of them', () => {
  const transcript = createTranscript();
  const [first, second] = [feed(), feed()];
  transcript.add(first);
  transcript.add(second);
  first.give('a1');
  second.give('b1');
  expect(transcript.take(80)).toEqual(['a1']);
  first.give('a2');
  expect(transcript.take(80)).toEqual(['a2']);
  first.end();
  expect(transcript.take(80)).toEqual(['', 'b1']);
  expect(transcript.take(80)).toEqual([]);
});

test('a block that is done waits for those before it', () => {
  const transcript = createTranscript();
  const [slow, quick] = [feed(), feed()];
  transcript.add(slow);
  transcript.add(quick);
  slow.show('slow runs');
  quick.show('quick is done');
  quick.end();
  expect(transcript.take(80)).toEqual([]);
  expect(transcript.live(80, 10)).toEqual(['slow runs']);
  slow.end();
  expect(transcript.take(80)).toEqual(['slow runs', '', 'quick is done']);
  expect(transcript.live(80, 10)).toEqual([]);
});

test('where there is too little room, the newest is seen', () => {
  const transcript = createTranscript();
  for (let at = 0; at < 8; at++) {
    const block = feed();
    block.show(`${at} head`, `${at} tail`);
    transcript.add(block);
  }
  const lines = transcript.live(80, 6);
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(lines.at(-1)).toBe('7 tail');
  for (const rows of [1, 2, 3, 5, 9, 40]) expect(transcript.live(80, rows).length).toBeLessThanOrEqual(rows);
  expect(transcript.live(80, 40).filter((line) => line !== '')).toHaveLength(16);
});

test('an empty block leaves no gap', () => {
  const transcript = createTranscript();
  const [first, empty, last] = [feed(), feed(), feed()];
  for (const block of [first, empty, last]) transcript.add(block);
  first.give('a');
  last.give('c');
  for (const block of [first, empty, last]) block.end();
  expect(transcript.take(80)).toEqual(['a', '', 'c']);
});

test('a loose block keeps nobody waiting, and does not come into the middle of another', () => {
  const transcript = createTranscript();
  const [own, answer] = [feed(), feed()];
  transcript.add(own, { isLoose: true });
  transcript.add(answer);
  own.show('runs');
  answer.give('one');
  expect(transcript.take(80)).toEqual(['one']);
  answer.show('tw');
  expect(transcript.live(80, 10)).toEqual(['tw', '', 'runs']);
  own.end();
  expect(transcript.take(80)).toEqual([]);
  answer.end();
  expect(transcript.take(80)).toEqual(['tw', '', 'runs']);
  expect(transcript.live(80, 10)).toEqual([]);
});
