/**
 * `@path` in a context file: another file that belongs to it. What stands in code, a fence or a span, is an example and no
 * import. Only documents are taken: a stranger's instructions must not carry a project's secrets to the provider.
 */
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** The paths a text imports, as written and in order, each once. Linear in its length, whatever it holds. */
export function importsIn(text: string): string[] {
  if (!text.includes('@')) return [];
  const paths = new Set<string>();
  for (const paragraph of paragraphs(text)) {
    for (const [, written = ''] of withoutSpans(paragraph).matchAll(/(?:^|[\s(])@((?:\\ |[^\s\\`])+)/g)) {
      const path = (written.split('#')[0] ?? '').replaceAll('\\ ', ' ').replace(/[.,;:!?)\]}'"*>]{1,20}$/, '');
      if (path !== '') paths.add(path);
    }
  }
  return [...paths];
}

/** What is not in a fence, up to the next blank line or fence: as far as a code span can reach. */
function* paragraphs(text: string): Generator<string> {
  let lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const run = marks?.[1] ?? '';
    if (fence !== undefined) {
      if (run.startsWith(fence) && marks?.[2]?.trim() === '') fence = undefined;
      continue;
    }
    // The info string of a fence of backticks holds none: otherwise it is a span.
    const opens = run !== '' && !(run.startsWith('`') && marks?.[2]?.includes('`'));
    if (opens || line.trim() === '') {
      if (lines.length > 0) yield lines.join('\n');
      lines = [];
    } else lines.push(line);
    if (opens) fence = run;
  }
  if (lines.length > 0) yield lines.join('\n');
}

/** A span opens with a run of backticks and closes with the next run of the same length; a run alone is plain text. */
function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)];
  let kept = '';
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const open = runs[at];
    const closing = runs.findIndex((run, later) => later > at && run[0].length === open?.[0].length);
    const close = runs[closing];
    if (!open || !close) continue;
    kept += `${paragraph.slice(from, open.index)}\``;
    from = close.index + close[0].length;
    at = closing;
  }
  return kept + paragraph.slice(from);
}

/** Where an import leads, seen from the file it stands in. */
export function importTarget(written: string, importer: string, userHome: string): string {
  if (written.startsWith('~/')) return join(userHome, written.slice(2));
  return isAbsolute(written) ? written : resolve(dirname(importer), written);
}

/** Texts for people: what `@` may name. Not configuration, not data, nothing that begins with a dot. */
export function isDocument(path: string): boolean {
  const name = basename(path);
  return (
    /^[^.].*\.(md|mdc|mdx|markdown|txt|rst|adoc)$/i.test(name) ||
    /^[A-Z][A-Za-z_-]*$/.test(name) ||
    name === 'package.json'
  );
}

/** `@someone` and `@scope/package` are often just that; what has an ending or a clear beginning was meant as a file. */
export function looksLikeFile(written: string): boolean {
  return /^(\.{0,2}|~)\//.test(written) || /\.[a-z]\w{0,9}$/i.test(written);
}
