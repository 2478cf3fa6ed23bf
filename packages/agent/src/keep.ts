/** A private place for text that is too long for the model: readable by the `read` tool, by nobody else on the machine. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '@tau/host';

export async function keepText(text: string): Promise<string> {
  const path = join(privateFolder(), 'result.txt');
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
