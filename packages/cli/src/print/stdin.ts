/** What was piped in. A stdin that is open but silent must not hang a run that already has its prompt. */
import { fstatSync } from 'node:fs';
import { TauError } from '@tau/agent';

const maxBytes = 10 * 1024 * 1024;
const silenceMs = 1000;

export async function readPiped(hasPrompt: boolean): Promise<string> {
  if (!isPipeOrFile()) return '';
  const { stdin } = process;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => {
      clearTimeout(timer);
      stdin.destroy();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const timer = hasPrompt ? setTimeout(done, silenceMs) : undefined;
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) {
        stdin.destroy();
        reject(
          new TauError('usage', 'More than 10 MB were piped in', { remedy: 'Put it in a file and name the file' }),
        );
      }
    });
    stdin.on('end', done);
    stdin.on('error', done);
  });
}

/** Not a terminal, and not /dev/null. */
function isPipeOrFile(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}
