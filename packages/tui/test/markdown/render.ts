/** Documents to lines, in tests. */
import { createHighlighter } from '../../src/code/highlighter.ts';
import { createMarkdown, type Markdown } from '../../src/markdown/markdown.ts';
import { createParser } from '../../src/markdown/parser.ts';
import type { MarkdownOptions } from '../../src/markdown/stream.ts';
import { createScreen } from '../../src/screen/screen.ts';
import { colours } from '../lines.ts';
import { createVirtualTerminal } from '../terminal/virtual.ts';

/** What documents share, loaded: all languages that the tests use. */
export async function loaded(): Promise<MarkdownOptions & Required<Pick<MarkdownOptions, 'parser' | 'highlighter'>>> {
  const parser = createParser();
  const highlighter = createHighlighter();
  await parser.load();
  for (const name of ['typescript', 'javascript', 'python', 'bash', 'markdown']) await highlighter.load(name);
  return { theme: colours, parser, highlighter };
}

export async function markdown(text: string, options: Partial<MarkdownOptions> = {}): Promise<Markdown> {
  const made = createMarkdown(text, { theme: colours, ...options });
  await made.ready();
  return made;
}

/** Lines as a terminal shows them once they are committed, with the recorder on. */
export function committed(lines: readonly string[], columns: number): string {
  const terminal = createVirtualTerminal({ columns, rows: 10 });
  const screen = createScreen({ terminal, root: { render: () => [] } });
  terminal.watch(screen);
  screen.commit(lines);
  screen.draw();
  return terminal.linesOf().join('\n').trimEnd();
}
