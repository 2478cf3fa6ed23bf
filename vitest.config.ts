import { defineConfig } from 'vitest/config';

// Tests drive the built binary: global setup builds it first, so a test never runs against yesterday's code.
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    // By default one core is left idle, which on two is half of them. More workers than cores took longer.
    maxWorkers: '100%',
    // No module keeps state, so files may share a worker: a tenth less time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A machine may stand still for seconds; who waits for something to be so waits long enough.
    expect: { poll: { timeout: 20_000 } },
  },
});
