/** Finds text in a document, a few milliseconds at a time, so that keys are answered while a million lines are read. */
import { stripAnsi } from '../text/ansi.ts';
import type { Spot, ViewerDocument } from './document.ts';

export type Finding = { kind: 'found'; spot: Spot; around: boolean } | { kind: 'none' };

/** Small letters find both; a capital means itself. */
export function matcher(query: string): (line: string) => number[] {
  const exact = query !== query.toLowerCase();
  const wanted = exact ? query : query.toLowerCase();
  return (line) => {
    const text = exact ? line : line.toLowerCase();
    const found: number[] = [];
    if (wanted === '' || text.length !== line.length) return found;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
    return found;
  };
}

/** From a place on, or back, then around the end to where it began. Gives a way to stop. */
export function find(
  document: ViewerDocument,
  query: string,
  from: Spot,
  step: 1 | -1,
  width: number,
  onDone: (finding: Finding) => void,
): () => void {
  const matches = matcher(query);
  const count = document.sections.length;
  const has = (line: string) => matches(stripAnsi(line)).length > 0;
  let immediate: NodeJS.Immediate | undefined;
  let walked = 0;

  /** What is folded is searched too; its lines come after its title. */
  function linesOf(section: number): readonly string[] {
    if (!document.isFolded(section)) return document.rows(section, width);
    return [document.sections.section(section).title ?? '', ...document.sections.section(section).lines(width)];
  }

  function inSection(section: number, isFirst: boolean, isAgain: boolean): number | undefined {
    const lines = linesOf(section);
    const start = isFirst ? from.line : step > 0 ? 0 : lines.length - 1;
    for (let line = start; line >= 0 && line < lines.length; line += step) {
      if (isAgain && (line - from.line) * step >= 0) return undefined;
      if (has(lines[line] ?? '')) return line;
    }
    return undefined;
  }

  function work(): void {
    const until = performance.now() + 8;
    // The first section is looked at twice: from the place on, and at the end up to it.
    for (; walked <= count; walked++) {
      const ahead = from.section + step * walked;
      const section = ((ahead % count) + count) % count;
      const line = inSection(section, walked === 0, walked === count);
      if (line !== undefined) {
        onDone({ kind: 'found', spot: { section, line }, around: ahead !== section });
        return;
      }
      if (performance.now() > until) {
        walked++;
        immediate = setImmediate(work);
        return;
      }
    }
    onDone({ kind: 'none' });
  }

  if (count === 0 || query === '') onDone({ kind: 'none' });
  else work();
  return () => clearImmediate(immediate);
}
