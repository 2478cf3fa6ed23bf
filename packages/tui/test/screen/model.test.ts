import fc from 'fast-check';
import { test } from 'vitest';
import { nothingCommittedIsLost, nothingIsLostOrDoubled } from './model.ts';

const seed = 8;

test('whatever is committed, drawn and resized, nothing is lost, doubled or out of order', () => {
  fc.assert(nothingIsLostOrDoubled({ synchronizedOutput: true }), { seed, numRuns: 60 });
  fc.assert(nothingIsLostOrDoubled({ synchronizedOutput: false }), { seed, numRuns: 60 });
});

test('a window made too small for the live region may leave rows of it behind, but loses no committed line', () => {
  fc.assert(nothingCommittedIsLost(), { seed, numRuns: 60 });
});
