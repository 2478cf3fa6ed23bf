/**
 * What was piped in. A FIFO or a file has somebody behind it, and is waited for. A socket is how programs hand over a
 * pipe they may never write to: it must not hang a run that already has its prompt.
 */
import { fstatSync } from 'node:fs';
import { TauError } from '@tau/agent';

const maxBytes = 10 * 1024 * 1024;
const silenceMs = 1000;

/** Ends early, with what there is, when the signal says so. */
export async function readPiped(hasPrompt: boolean, signal: AbortSignal): Promise<string> {
  const source = kindOfStdin();
  if (source === 'none') return '';
  const { stdin } = process;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      stdin.destroy();
    };
    const done = () => {
      stop();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const silent = () => {
      if (chunks.length > 0 || stdin.destroyed) return undefined;
      if (source === 'stream') return say('waiting for standard input (close it, or add </dev/null)');
      say('nothing came on standard input; going on without it');
      return done();
    };
    // A late timer runs before pending reads do: the immediate lets what is there already be read first.
    const timer = hasPrompt ? setTimeout(() => setImmediate(silent), silenceMs) : undefined;
    signal.addEventListener('abort', done);
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      stop();
      reject(new TauError('usage', 'More than 10 MB were piped in', { remedy: 'Put it in a file and name the file' }));
    });
    stdin.on('end', done);
    stdin.on('error', done);
  });
}

function say(text: string): void {
  process.stderr.write(`tau: ${text}\n`);
}

/** A terminal, /dev/null and other devices are nothing to read from. */
function kindOfStdin(): 'stream' | 'socket' | 'none' {
  try {
    const stat = fstatSync(0);
    if (stat.isSocket()) return 'socket';
    return stat.isFIFO() || stat.isFile() ? 'stream' : 'none';
  } catch {
    return 'none';
  }
}
