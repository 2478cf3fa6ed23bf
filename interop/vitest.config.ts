import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['interop/*.test.ts', 'interop/test/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    testTimeout: 60_000,
  },
});
