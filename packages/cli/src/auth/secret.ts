/** A line typed at the terminal that nobody sees. However it ends, the terminal is left as it was. */
import { stripVTControlCharacters } from 'node:util';

const maxChars = 65_536;

/** `undefined` after Ctrl+C, and when the signal says so or the terminal goes away. */
export async function askSecret(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true);
  try {
    stderr.write(question);
    return await readLine(stdin, signal);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function readLine(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = '';
    const done = (line: string | undefined) => {
      stdin.off('data', onData);
      stdin.off('end', leave);
      stdin.off('error', leave);
      signal.removeEventListener('abort', leave);
      resolve(line);
    };
    const leave = () => done(undefined);
    const onData = (chunk: string) => {
      const step = type(typed, withoutSequences(chunk));
      typed = step.typed.slice(0, maxChars);
      if (step.end === 'line') done(typed);
      if (step.end === 'interrupt') leave();
    };
    if (signal.aborted) return leave();
    stdin.setEncoding('utf8');
    stdin.on('data', onData);
    stdin.on('end', leave);
    stdin.on('error', leave);
    signal.addEventListener('abort', leave);
  });
}

/** Arrow keys and the marks around a paste are no part of a key. */
function withoutSequences(chunk: string): string {
  return stripVTControlCharacters(chunk).replaceAll('\u001b', '');
}

interface Step {
  typed: string;
  end?: 'line' | 'interrupt';
}

/** What the keys do: editing as the terminal itself would, in raw mode. */
function type(before: string, chunk: string): Step {
  let typed = before;
  for (const [at, char] of [...chunk].entries()) {
    switch (char) {
      case '\u0003':
        return { typed: '', end: 'interrupt' };
      case '\r':
      case '\n':
      case '\u0004': {
        // More than one line was pasted: that is for the check to refuse, not to be cut here.
        const rest = [...chunk].slice(at + 1).join('');
        return { typed: rest.trim() === '' ? typed : `${typed}\n${rest}`, end: 'line' };
      }
      case '\u007f':
      case '\b':
        typed = [...typed].slice(0, -1).join('');
        break;
      case '\u0015':
        typed = '';
        break;
      case '\u001a':
        break;
      default:
        typed += char;
    }
  }
  return { typed };
}
