import { defineConfig } from 'vitest/config';

// Tests drive the built binary: global setup builds it first, so a test never runs against yesterday's code.
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    // By default one core is left idle. Many tests wait for something to stop or to time out: others can run meanwhile.
    maxWorkers: '150%',
    // No module keeps state, so files may share a worker: a tenth less time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
