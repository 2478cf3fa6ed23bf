// Vitest's global setup: builds the command once, before any test starts.
export async function setup() {
  await import('./build.mjs');
}
