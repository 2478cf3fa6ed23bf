/**
 * `@path` in the user's own words: the files and folders they name come with the prompt, and the words stay as written. Only
 * what is there is a mention; an address, a decorator or a package name is a word like any other.
 */
import { describeError, type ResultBlock, TauError } from '@tau/core';
import { type Files, type Host, localHost } from '@tau/host';
import { listFolder } from '@tau/tools';
import { attachmentOf, cannotAttach } from './attachments.ts';

export interface Mention {
  /** As it was written. */
  path: string;
  /** Where it leads. */
  resolved: string;
  kind: 'file' | 'directory';
}

export interface Mentions {
  attachments: ResultBlock[];
  /** A sentence for each that is there but was not attached. */
  left: string[];
}

const maxAttached = 20;
/** Each costs a look at the disk. */
const maxWords = 200;
const maxTextChars = 512 * 1024;
const maxImageChars = 10 * 1024 * 1024;

/** What the text mentions, each once. */
export function findMentions(text: string, cwd: string): Promise<Mention[]> {
  return mentionsIn(text, localHost({ cwd }).files);
}

interface ExpandOptions {
  host: Host;
  /** Why the file is kept from the model, whoever names it. */
  refusal(mention: Mention): string | undefined;
  /** False: the model takes none. */
  images: boolean;
  signal: AbortSignal;
}

export async function expandMentions(text: string, options: ExpandOptions): Promise<Mentions> {
  const { host, signal } = options;
  const found = await mentionsIn(text, host.files);
  const attachments: ResultBlock[] = [];
  const left: string[] = [];
  const room = { text: maxTextChars, images: maxImageChars };
  for (const mention of found.slice(0, maxAttached)) {
    if (signal.aborted) break;
    try {
      const blocks = await blocksOf(mention, options);
      const { text: textChars, images: imageChars } = sizeOf(blocks);
      if (textChars > room.text || imageChars > room.images) {
        throw cannotAttach(mention.path, 'with the others it is too much for one message');
      }
      room.text -= textChars;
      room.images -= imageChars;
      attachments.push(...blocks);
    } catch (error) {
      left.push(error instanceof TauError ? error.message : describeError(error));
    }
  }
  const more = found.length - maxAttached;
  if (more > 0) left.push(`Only the first ${maxAttached} files that are mentioned were attached, ${more} were not`);
  return { attachments, left };
}

async function blocksOf(mention: Mention, { host, refusal, images, signal }: ExpandOptions): Promise<ResultBlock[]> {
  const { path, kind } = mention;
  const why = refusal(mention);
  if (why !== undefined) throw cannotAttach(path, why);
  const judged = new Map([[path, mention.resolved]]);
  if (kind === 'directory') {
    const { text } = await listFolder({ search: host.search.pinned(judged) }, path);
    return [{ type: 'text', text: `<folder name=${JSON.stringify(path)}>\n${text}\n</folder>` }];
  }
  const blocks = await attachmentOf(host.files.pinned(judged), path, signal);
  if (!images && blocks.some(({ type }) => type === 'image')) {
    throw cannotAttach(path, 'it has images, and the model takes none');
  }
  return blocks;
}

function sizeOf(blocks: readonly ResultBlock[]): { text: number; images: number } {
  const size = { text: 0, images: 0 };
  for (const block of blocks) {
    if (block.type === 'text') size.text += block.text.length;
    else size.images += block.data.length;
  }
  return size;
}

async function mentionsIn(text: string, files: Files): Promise<Mention[]> {
  const found = new Map<string, Mention>();
  for (const spellings of mentionedWords(text).slice(0, maxWords)) {
    for (const path of spellings) {
      // What cannot be looked at is not known to be a file: it stays a word.
      const stat = await files.stat(path).catch(() => undefined);
      if (!stat || stat.kind === 'other') continue;
      const resolved = await files.resolve(path);
      if (!found.has(resolved)) found.set(resolved, { path, resolved, kind: stat.kind });
      break;
    }
  }
  return [...found.values()];
}

/** After the beginning, a blank, a quote or a bracket. */
const mention = /(?<![^\s"'`([{<])@(?:"([^"\n]{1,4096})"|([^\s"]\S{0,4095}))/gu;
const closing = new Set('.,;:!?)]}>"\'`*');

/** For each mention the paths it may mean, the likeliest first. */
function mentionedWords(text: string): string[][] {
  if (!text.includes('@')) return [];
  return [...text.matchAll(mention)].flatMap(([, quoted, word = '']) => {
    const spellings = quoted === undefined ? [...new Set([word, withoutClosing(word)])] : [quoted];
    const paths = spellings.filter((path) => /[\p{L}\p{N}_]/u.test(path));
    return paths.length === 0 ? [] : [paths];
  });
}

/** A sentence goes on after a path: `see (@a.ts), please`. */
function withoutClosing(word: string): string {
  let end = word.length;
  while (end > 0 && closing.has(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}
