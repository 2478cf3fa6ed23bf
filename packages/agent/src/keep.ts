/** A private place for text that is too long for the model: readable by the `read` tool, by nobody else on the machine. */
import { promises } from 'node:fs';
import { join } from 'node:path';
import { privateFolder } from '@tau/host';

export async function keepText(text: string): Promise<string> {
  const path = join(privateFolder(), 'result.txt');
  await promises.writeFile(path, text, { flag: 'wx', mode: 0o600 });
  return path;
}
