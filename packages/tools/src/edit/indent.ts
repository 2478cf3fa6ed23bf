/** How the indentation a model gave relates to the one a file has: shifted, scaled, or in the other kind of blank. Pure. */

export interface IndentPair {
  given: string;
  actual: string;
}

const defaultTab = 4;

/**
 * What an indentation of the model's becomes in the file. Undefined when the pairs do not tell: the same indentation
 * stands for two, or what is deeper in the one is not deeper in the other.
 */
export function indentRelation(pairs: readonly IndentPair[]): ((indent: string) => string) | undefined {
  const known = new Map<string, string>();
  for (const { given, actual } of pairs) {
    if ((known.get(given) ?? actual) !== actual) return undefined;
    known.set(given, actual);
  }
  const sorted = [...known].map(([given, actual]) => ({ given, actual }));
  sorted.sort((a, b) => columns(a.given) - columns(b.given));
  for (const [index, one] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next && columns(one.given) < columns(next.given) && columns(one.actual) >= columns(next.actual)) {
      return undefined;
    }
  }
  return (indent) => known.get(indent) ?? derived(indent, sorted);
}

/** An indentation that no pair has: the deepest one it begins with, and the rest at the same scale. */
function derived(indent: string, sorted: readonly IndentPair[]): string {
  const base = sorted.findLast(({ given }) => indent.startsWith(given));
  if (base) return base.actual + scaled(indent.slice(base.given.length), sorted);
  const [first] = sorted;
  if (!first) return indent;
  if (first.actual.endsWith(first.given)) return first.actual.slice(0, -first.given.length) + indent;
  const missing = first.given.slice(indent.length);
  const shorter = first.actual.length - scaled(missing, sorted).length;
  return first.actual.slice(0, Math.max(0, shorter));
}

function scaled(rest: string, sorted: readonly IndentPair[]): string {
  if (rest === '') return '';
  const deepest = sorted.at(-1);
  const unit = deepest?.actual.includes('\t') ? '\t' : ' ';
  const length = rest.length * scale(rest, unit, sorted);
  const whole = Math.floor(length);
  const left = unit === '\t' ? Math.round((length - whole) / scale(rest, unit, sorted)) : 0;
  return unit.repeat(whole) + ' '.repeat(left);
}

/** Blanks of the file for one of the model's. */
function scale(rest: string, unit: string, sorted: readonly IndentPair[]): number {
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first && last && last.given.length > first.given.length) {
    return (last.actual.length - first.actual.length) / (last.given.length - first.given.length);
  }
  const kind = rest[0] ?? unit;
  if (kind === unit) return 1;
  if (last && last.given.length > 0 && last.actual.length > 0) return last.actual.length / last.given.length;
  return unit === '\t' ? 1 / defaultTab : defaultTab;
}

function columns(indent: string): number {
  let width = 0;
  for (const blank of indent) width = blank === '\t' ? width + defaultTab - (width % defaultTab) : width + 1;
  return width;
}

export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
