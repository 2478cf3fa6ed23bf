import { defineConfig } from 'vitest/config';

// Attacks and known incidents, storms, races, fuzzing, hostile repositories under a trace, containers, real waits, comparisons
// with real programs, the packed artefact: too long for every run of `npm test`, and short enough for every run of CI. What takes longer still is in soak/.
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.trial.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A machine may stand still for seconds; who waits for something to be so waits long enough.
    expect: { poll: { timeout: 20_000 } },
  },
});
