/** A private place for text that is too long for the model: readable by the `read` tool, by nobody else on the machine. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function keepText(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tau-result-'));
  const path = join(folder, 'output.txt');
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
