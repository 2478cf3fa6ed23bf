/** The letters typed to filter a list, and where they are found. */
import { cursorMarker } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import { printableLine } from '../text/ansi.ts';
import { cutStart } from '../text/cut.ts';
import { fuzzyMatch } from '../text/fuzzy.ts';
import { graphemes } from '../text/graphemes.ts';
import type { Role, Theme } from '../theme/theme.ts';

const longest = 200;

/** The query after what was typed or pasted; undefined when it types nothing. */
export function typedInto(query: string, event: InputEvent): string | undefined {
  const text =
    event.type === 'paste'
      ? event.text.replace(/\s+/g, ' ')
      : event.type === 'key' && event.kind !== 'release'
        ? event.text
        : undefined;
  // A space at the beginning finds nothing, and is better used for marking.
  if (text === undefined || text === '' || (query === '' && text === ' ')) return undefined;
  return graphemes(query + printableLine(text))
    .slice(0, longest)
    .join('');
}

/** The query after an action that takes something back; undefined when it is none or there is nothing to take. */
export function takenBack(query: string, action: string): string | undefined {
  if (query === '') return undefined;
  switch (action) {
    case 'tui.list.filterBack':
      return graphemes(query).slice(0, -1).join('');
    case 'tui.list.filterWordBack':
      return query.replace(/\S*\s*$/, '');
    case 'tui.list.filterClear':
      return '';
    default:
      return undefined;
  }
}

export function filterLine(options: {
  theme: Theme;
  query: string;
  prompt: string;
  focused: boolean;
  width: number;
}): string {
  const { theme, query, prompt, focused, width } = options;
  const cursor = focused ? cursorMarker : '';
  if (width <= prompt.length + 1) return cutStart(query, Math.max(0, width - 1)) + cursor;
  const room = width - prompt.length - 1;
  const text =
    query === ''
      ? cursor + theme.paint('placeholder', cutStart('Type to filter', room, ''))
      : cutStart(query, room) + cursor;
  return theme.paint('muted', prompt) + text;
}

export interface Found {
  score: number;
  /** Of the letters in the label, and in the description when the label has them not. */
  label: readonly number[];
  description: readonly number[];
}

/** A name counts more than what is said about it. */
export function foundIn(query: string, label: string, description: string): Found | undefined {
  const inLabel = fuzzyMatch(query, label);
  if (inLabel) return { score: inLabel.score, label: inLabel.positions, description: [] };
  const inDescription = description === '' ? undefined : fuzzyMatch(query, description);
  return inDescription && { score: inDescription.score - 1_000, label: [], description: inDescription.positions };
}

/** The text with the letters that were found in the colour of a match, the rest as the role says. */
export function marked(text: string, positions: readonly number[], theme: Theme, role?: Role): string {
  const plain = (part: string) => (part === '' ? '' : role ? theme.paint(role, part) : part);
  if (positions.length === 0) return plain(text);
  const wanted = new Set(positions);
  let line = '';
  let run = '';
  let runMatches = false;
  let at = 0;
  const finish = () => {
    line += runMatches ? theme.paint('match', run) : plain(run);
    run = '';
  };
  for (const grapheme of graphemes(text)) {
    let matches = false;
    for (let unit = 0; unit < grapheme.length; unit += 1) matches ||= wanted.has(at + unit);
    if (matches !== runMatches && run !== '') finish();
    runMatches = matches;
    run += grapheme;
    at += grapheme.length;
  }
  if (run !== '') finish();
  return line;
}
