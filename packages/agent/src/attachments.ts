/** Files a user hands over with a prompt, as blocks of the message: text with its name, images as models take them. */
import { describeError, type ResultBlock, TauError } from '@tau/core';
import { type Files, localHost } from '@tau/host';
import { readWhole } from '@tau/tools';

/** Larger ones are better read by the model, a part at a time. */
const maxTextChars = 256 * 1024;

export async function readAttachment(path: string): Promise<ResultBlock[]> {
  return attachmentOf(localHost({ cwd: process.cwd() }).files, path);
}

export async function attachmentOf(
  files: Files,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<ResultBlock[]> {
  const found = await files.stat(path);
  if (!found) {
    const remedy = 'Check the path; if it is meant as a prompt, put a blank into it';
    throw cannotAttach(path, 'there is no such file', remedy);
  }
  if (found.kind !== 'file') throw cannotAttach(path, 'it is no file', 'Attach the files in it one by one');
  try {
    const { text, images } = await readWhole(files, path, maxTextChars, signal);
    const end = text.endsWith('\n') ? '' : '\n';
    return [{ type: 'text', text: `<file name=${JSON.stringify(path)}>\n${text}${end}</file>` }, ...images];
  } catch (error) {
    const why = error instanceof TauError ? error.message : describeError(error);
    throw cannotAttach(path, why, 'Attach it in another form, or name it in the prompt: the model reads what it needs');
  }
}

export function cannotAttach(path: string, why: string, remedy?: string): TauError {
  return new TauError('usage', `${path} cannot be attached: ${why}`, remedy === undefined ? {} : { remedy });
}
