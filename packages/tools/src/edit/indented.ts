/** Places where an edit's old text is, line by line, at another indentation. Pure. */
import { type Folding, fold, foldWithOrigins } from './fold.ts';
import { type IndentPair, indentOf, indentRelation } from './indent.ts';
import { lineStarts } from './lines.ts';
import type { Edit, Hit, Source } from './place.ts';

/** Lines compared before the search gives up: a text of many like lines is not worth seconds. */
const maxCompared = 5_000_000;

interface Wanted {
  /** As given, and as compared: folded and trimmed. */
  lines: string[];
  bodies: string[];
  /** It begins with a line break, so its first line is the end of any line. */
  afterBreak: boolean;
  /** It ends with a line break. */
  toBreak: boolean;
  /** Its last line may go on in the file. */
  open: boolean;
}

export function indentedHits(source: Source, edit: Edit, folding: Folding, limit: number): Hit[] {
  const { text } = source;
  const wanted = wantedLines(edit.oldText, folding);
  if (!wanted) return [];
  const folded = source.folded(folding).split('\n');
  const bodies = folded.map((line) => line.trim());
  const starts = lineStarts(text);
  const hits: Hit[] = [];
  let compared = 0;
  for (let line = 0; line + wanted.lines.length <= bodies.length && hits.length < limit; line++) {
    let same = 0;
    while (same < wanted.bodies.length && fits(wanted, same, bodies[line + same] ?? '')) same += 1;
    compared += same + 1;
    if (compared > maxCompared) return [];
    if (same < wanted.bodies.length) continue;
    const hit = hitAt(text, starts, line, wanted, edit, folding);
    if (!hit) continue;
    hits.push(hit);
    if (edit.replaceAll) line += wanted.lines.length - 1;
  }
  return hits;
}

function wantedLines(oldText: string, folding: Folding): Wanted | undefined {
  const lines = oldText.split(/\r?\n/);
  const bodies = fold(oldText, folding)
    .split('\n')
    .map((line) => line.trim());
  const toBreak = lines.at(-1) === '';
  if (toBreak) {
    lines.pop();
    bodies.pop();
  }
  const afterBreak = lines[0] === '' && lines.length > 1;
  // A last line of blanks alone says nothing about where it ends.
  if (bodies.at(-1) === '' && !toBreak) return undefined;
  const open = !toBreak && !/\s$/.test(oldText);
  return bodies.some((body) => body !== '') ? { lines, bodies, afterBreak, toBreak, open } : undefined;
}

function fits({ bodies, afterBreak, open }: Wanted, index: number, body: string): boolean {
  if (index === 0 && afterBreak) return true;
  const wanted = bodies[index] ?? '';
  return index === bodies.length - 1 && open ? body.startsWith(wanted) : body === wanted;
}

function hitAt(
  text: string,
  starts: readonly number[],
  line: number,
  wanted: Wanted,
  { newText }: Edit,
  folding: Folding,
): Hit | undefined {
  const from = starts[line] ?? 0;
  const to = starts[line + wanted.lines.length] ?? text.length;
  const actual = text.slice(from, to).split(/\r?\n/);
  const pairs: IndentPair[] = [];
  for (const [index, given] of wanted.lines.entries()) {
    if (wanted.bodies[index] === '' || (index === 0 && wanted.afterBreak)) continue;
    pairs.push({ given: indentOf(given), actual: indentOf(actual[index] ?? '') });
  }
  const relation = indentRelation(pairs);
  if (!relation) return undefined;
  const moved = (lines: string[]) =>
    lines.map((one, index) => {
      if (one.trim() === '' || (index === 0 && wanted.afterBreak)) return one;
      const indent = indentOf(one);
      return relation(indent) + one.slice(indent.length);
    });
  const oldText = moved(wanted.lines).join('\n') + (wanted.toBreak ? '\n' : '');
  const start = wanted.afterBreak ? from + (actual[0]?.length ?? 0) : from;
  const there = foldWithOrigins(text.slice(start, to), folding);
  const sought = fold(oldText, folding);
  if (sought === '' || !there.text.startsWith(sought)) return undefined;
  const end = start + (there.ends[sought.length - 1] ?? 0);
  return { start, end, oldText, newText: moved(newText.split(/\r?\n/)).join('\n') };
}
