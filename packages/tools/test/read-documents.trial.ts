/** Small PDFs that become gigabytes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packedPdf } from './documents.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

test.each([
  ['objects', packedPdf(Buffer.from(`[${'<<>>'.repeat(5e6)}`))],
  // Each two bytes become 128 blanks.
  ['bytes', packedPdf(Buffer.alloc(40e6, '\x81 ', 'latin1'), '/RunLengthDecode')],
])('a PDF that becomes too many %s is given up, and the process lives on', async (_, content) => {
  // On a busy machine the 20 s would be over first.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await writeFile(join(bench.cwd, 'large.pdf'), content);
  const result = await bench.call('read', { path: 'large.pdf' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('large.pdf is a PDF that takes too much memory to read.');
});
