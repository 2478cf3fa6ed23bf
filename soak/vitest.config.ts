import { defineConfig } from 'vitest/config';

// The long forms of what `npm test` does in small. One file at a time: each already keeps the machine busy.
export default defineConfig({
  test: {
    include: ['soak/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    fileParallelism: false,
    testTimeout: 24 * 60 * 60 * 1000,
    expect: { poll: { timeout: 20_000 } },
  },
});
