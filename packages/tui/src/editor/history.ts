/** What was sent before: recalled with up and down, searched with Ctrl+R. The app may keep it anywhere. */
import { type Draft, isEmpty, textOf } from './draft.ts';

export interface History {
  size(): number;
  /** 0 is the newest. */
  at(index: number): string | undefined;
  add(text: string): void;
}

/** In memory, bounded. `entries` begin with the oldest. */
export function createHistory(entries: readonly string[] = [], limit = 1000): History {
  let kept = entries.slice(-limit);
  return {
    size: () => kept.length,
    at: (index) => kept[kept.length - 1 - index],
    add(text) {
      if (text.trim() === '' || kept.at(-1) === text) return;
      kept = [...kept, text].slice(-limit);
    },
  };
}

/** While entries are looked through: which one is shown, and what was being written before. */
export interface Recall {
  index: number;
  draft: Draft;
}

/** One entry further back, or forward; `undefined` when there is none. Forward from the newest is the draft again. */
export function recall(
  history: History,
  now: Recall | undefined,
  draft: Draft,
  direction: 'older' | 'newer',
): { recall: Recall | undefined; text: string } | undefined {
  const kept = now?.draft ?? draft;
  if (direction === 'newer') {
    if (now === undefined) return undefined;
    const text = now.index > 0 ? history.at(now.index - 1) : undefined;
    if (text === undefined) return { recall: undefined, text: textOf(kept) };
    return { recall: { index: now.index - 1, draft: kept }, text };
  }
  // What stands in the editor already is not recalled again.
  let index = (now?.index ?? -1) + 1;
  if (now === undefined && !isEmpty(draft) && history.at(index) === textOf(draft)) index++;
  const text = history.at(index);
  return text === undefined ? undefined : { recall: { index, draft: kept }, text };
}

export interface Search {
  query: string;
  /** The entry that matches. */
  index: number | undefined;
}

/** The next entry with the query in it, from `index` on. Lower case finds both cases. */
export function findEntry(
  history: History,
  query: string,
  index: number,
  direction: 'older' | 'newer',
): number | undefined {
  if (query === '') return undefined;
  const step = direction === 'older' ? 1 : -1;
  for (let at = index; at >= 0 && at < history.size(); at += step) {
    if (foundAt(history.at(at) ?? '', query) !== -1) return at;
  }
  return undefined;
}

export function foundAt(text: string, query: string): number {
  return query === query.toLowerCase() ? text.toLowerCase().indexOf(query) : text.indexOf(query);
}
