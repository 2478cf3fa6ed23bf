/** Search in what was sent before, letter by letter: the match is shown in the editor's place until it is taken or given up. */
import { cursorMarker } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printableLine } from '../text/ansi.ts';
import { cutStart } from '../text/cut.ts';
import type { Theme } from '../theme/theme.ts';
import { draftOf, positionAt } from './draft.ts';
import type { Scene } from './draw.ts';
import { findEntry, foundAt, type History, type Search } from './history.ts';
import { noPastes } from './pastes.ts';
import { unitStart } from './units.ts';

export interface HistorySearch {
  active(): boolean;
  start(): void;
  /** `text`: what the editor shall hold now. `again`: the search is over and the key is for the editor. */
  handle(event: InputEvent): { text?: string; again: boolean };
  /** What is drawn in place of the draft, while something is found. */
  shown(): Scene | undefined;
  /** The line with what is searched for. */
  line(width: number, theme: Theme, focused: boolean): string;
}

const longestQuery = 200;

export function createSearch(history: History, keys: KeyMatcher): HistorySearch {
  let search: Search | undefined;

  function look(query: string): void {
    search = {
      query,
      index: findEntry(history, query, search?.index ?? 0, 'older') ?? findEntry(history, query, 0, 'older'),
    };
  }

  function next({ query, index }: Search, direction: 'older' | 'newer'): Search {
    if (index === undefined) return { query, index };
    const found = findEntry(history, query, index + (direction === 'older' ? 1 : -1), direction);
    return { query, index: found ?? index };
  }

  function take(again: boolean): { text?: string; again: boolean } {
    const text = search?.index === undefined ? undefined : history.at(search.index);
    search = undefined;
    return text === undefined ? { again } : { text, again };
  }

  return {
    active: () => search !== undefined,
    start() {
      search = { query: '', index: undefined };
    },
    handle(event) {
      if (search === undefined || event.type === 'focus') return { again: false };
      const { query } = search;
      const typed = event.type === 'paste' ? event.text.replace(/\s+/g, ' ') : undefined;
      const match = event.type === 'key' ? keys.match(event, ['historySearch']) : undefined;
      if (match === 'pending') return { again: false };
      switch (match?.action) {
        case 'tui.historySearch.older':
        case 'tui.historySearch.newer':
          search = next(search, match.action.endsWith('older') ? 'older' : 'newer');
          return { again: false };
        case 'tui.historySearch.accept':
          return take(false);
        case 'tui.historySearch.cancel':
          search = undefined;
          return { again: false };
        case 'tui.historySearch.deleteBackward':
          look(query.slice(0, unitStart(query, query.length, noPastes)));
          return { again: false };
        case 'tui.historySearch.clear':
          search = { query: '', index: undefined };
          return { again: false };
        default:
          break;
      }
      const text = typed ?? (event.type === 'key' ? event.text : undefined);
      if (text === undefined) return take(true);
      look((query + text).slice(0, longestQuery));
      return { again: false };
    },
    shown() {
      const entry = search?.index === undefined ? undefined : history.at(search.index);
      if (search === undefined || entry === undefined) return undefined;
      const at = foundAt(entry, search.query);
      const draft = draftOf(entry);
      const from = positionAt(draft, at);
      return {
        draft: { ...draft, cursor: from, anchor: positionAt(draft, at + search.query.length) },
        pastes: noPastes,
        cursor: false,
        text: 'ghostText',
        selected: 'searchMatch',
        placeholder: '',
        ghost: '',
      };
    },
    line(width, theme, focused) {
      const { query = '', index } = search ?? {};
      const label = query !== '' && index === undefined ? 'no match: ' : 'search: ';
      const room = Math.max(0, width - label.length - 1);
      const words = label.slice(0, Math.max(0, width - 1));
      return theme.paint('label', words) + cutStart(printableLine(query), room) + (focused ? cursorMarker : '');
    },
  };
}
