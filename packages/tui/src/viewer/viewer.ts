/**
 * A pager on the alternate screen: scrolls, folds and searches any number of lines at the cost of those it shows. Opened
 * with `screen.openFull`.
 */
import { cursorMarker } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import type { FullView } from '../screen/full.ts';
import { printableLine, stripAnsi } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import { graphemes } from '../text/graphemes.ts';
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import type { Theme } from '../theme/theme.ts';
import { compareSpots, createDocument, type Sections, type Spot } from './document.ts';
import { find, matcher } from './find.ts';
import { highlight } from './highlight.ts';

export interface ViewerOptions {
  theme: Theme;
  keys: KeyMatcher;
  sections: Sections;
  title?: string;
  /** Opens with its last lines in sight. */
  atEnd?: boolean;
  onClose(): void;
  /** It has to be drawn again for a reason other than a key: a search that took its time. */
  onChange(): void;
}

export interface Viewer extends FullView {
  /** More sections, or others. At the end it stays at the end. */
  set(sections: Sections): void;
}

/** Lines of text, wrapped when they are seen. */
export function textSections(lines: readonly string[]): Sections {
  return { length: lines.length, section: (at) => ({ lines: (width) => wrap(lines[at] ?? '', width) }) };
}

const actions = 'viewer';
const searchActions = 'viewerSearch';
const maxQuery = 200;

export function createViewer(options: ViewerOptions): Viewer {
  const { theme, keys, title = '', onClose, onChange } = options;
  const document = createDocument(options.sections, {
    folded: theme.paint('accent', '▸'),
    open: theme.paint('muted', '▾'),
  });
  let size = { width: 80, height: 23 };
  let top: Spot = { section: 0, line: 0 };
  let wantsEnd = options.atEnd === true;
  let query = '';
  let current: Spot | undefined;
  /** While the query is typed: what it was, and where the search began. */
  let typing: { before: string; top: Spot; current: Spot | undefined } | undefined;
  let message = '';
  let stopFinding: (() => void) | undefined;
  let rendered: { width: number; height: number; lines: readonly string[] } | undefined;

  const bottomTop = () => document.lastTop(size.width, size.height);

  function scrollTo(spot: Spot): void {
    const last = bottomTop();
    top = compareSpots(spot, last) > 0 ? last : spot;
    changed();
  }

  const scrollBy = (rows: number) => scrollTo(document.move(top, rows, size.width));

  function changed(): void {
    rendered = undefined;
  }

  function show(spot: Spot): void {
    const seen = document.page(top, size.width, size.height);
    if (!seen.some((row) => compareSpots(row.spot, spot) === 0)) {
      scrollTo(document.move(spot, -Math.floor(size.height / 3), size.width));
    }
    changed();
  }

  function search(from: Spot, step: 1 | -1): void {
    stopFinding?.();
    stopFinding = undefined;
    message = 'searching…';
    changed();
    if (query === '') {
      message = '';
      current = undefined;
      return;
    }
    let isDone = false;
    const stop = find(document, query, from, step, size.width, (finding) => {
      isDone = true;
      stopFinding = undefined;
      if (finding.kind === 'none') {
        message = 'not found';
        current = undefined;
      } else {
        message = finding.around ? (step > 0 ? 'found again from the top' : 'found again from the end') : '';
        document.fold(finding.spot.section, false);
        current = finding.spot;
        show(finding.spot);
      }
      changed();
      onChange();
    });
    if (!isDone) stopFinding = stop;
  }

  function searchOn(step: 1 | -1): void {
    if (query === '') return;
    // A place that folds away in between is still a place in the section.
    search(current ? { section: current.section, line: current.line + step } : top, step);
  }

  function typeQuery(next: string): void {
    query = next.slice(0, maxQuery);
    if (typing) {
      top = typing.top;
      search(typing.current ?? typing.top, 1);
    }
  }

  function toggleFold(): void {
    const at =
      current && document.page(top, size.width, size.height).some(({ spot }) => spot.section === current?.section)
        ? current.section
        : top.section;
    document.fold(at, !document.isFolded(at));
    current = undefined;
    scrollTo(at === top.section ? { section: at, line: 0 } : top);
  }

  function toSection(step: 1 | -1): void {
    const isInside = step < 0 && top.line > 0;
    const next = isInside ? top.section : top.section + step;
    scrollTo({ section: Math.max(0, Math.min(next, document.sections.length - 1)), line: 0 });
  }

  function foldAll(folded: boolean): void {
    document.foldAll(folded);
    current = undefined;
    scrollTo({ section: top.section, line: 0 });
  }

  function run(action: string): boolean {
    message = '';
    switch (action) {
      case 'tui.viewer.up':
        scrollBy(-1);
        return true;
      case 'tui.viewer.down':
        scrollBy(1);
        return true;
      case 'tui.viewer.pageUp':
        scrollBy(1 - size.height);
        return true;
      case 'tui.viewer.pageDown':
        scrollBy(size.height - 1);
        return true;
      case 'tui.viewer.halfPageUp':
        scrollBy(-Math.ceil(size.height / 2));
        return true;
      case 'tui.viewer.halfPageDown':
        scrollBy(Math.ceil(size.height / 2));
        return true;
      case 'tui.viewer.top':
        scrollTo({ section: 0, line: 0 });
        return true;
      case 'tui.viewer.bottom':
        scrollTo(bottomTop());
        return true;
      case 'tui.viewer.nextSection':
        toSection(1);
        return true;
      case 'tui.viewer.previousSection':
        toSection(-1);
        return true;
      case 'tui.viewer.toggleFold':
        toggleFold();
        return true;
      case 'tui.viewer.foldAll':
        foldAll(true);
        return true;
      case 'tui.viewer.unfoldAll':
        foldAll(false);
        return true;
      case 'tui.viewer.search':
        typing = { before: query, top, current };
        query = '';
        changed();
        return true;
      case 'tui.viewer.searchNext':
        searchOn(1);
        return true;
      case 'tui.viewer.searchPrevious':
        searchOn(-1);
        return true;
      case 'tui.viewer.close':
        stopFinding?.();
        onClose();
        return true;
      default:
        return false;
    }
  }

  function handleSearch(event: InputEvent): boolean {
    const match = keys.match(event, searchActions);
    const action = typeof match === 'object' ? match.action : undefined;
    if (action === 'tui.viewerSearch.accept') {
      if (query === '' && typing) query = typing.before;
      typing = undefined;
    } else if (action === 'tui.viewerSearch.cancel') {
      stopFinding?.();
      query = typing?.before ?? '';
      top = typing?.top ?? top;
      current = typing?.current;
      typing = undefined;
      message = '';
    } else if (action === 'tui.viewerSearch.deleteBackward') {
      typeQuery([...graphemes(query)].slice(0, -1).join(''));
    } else if (action === 'tui.viewerSearch.clear') {
      typeQuery('');
    } else {
      const text =
        event.type === 'paste' || (event.type === 'key' && event.kind !== 'release') ? (event.text ?? '') : '';
      if (text === '') return false;
      typeQuery(query + printableLine(text));
    }
    changed();
    return true;
  }

  function statusLine(width: number): string {
    if (typing) return cut(`/${printableLine(query)}${cursorMarker}  ${theme.paint('muted', message)}`, width);
    const place = placeText();
    const left = printableLine([title, message].filter(Boolean).join('  '));
    const room = Math.max(0, width - widthOf(place) - 1);
    const shown = cut(left, room);
    return cut(
      `${theme.paint('title', shown)}${' '.repeat(room - widthOf(shown) + 1)}${theme.paint('muted', place)}`,
      width,
    );
  }

  function placeText(): string {
    const count = document.sections.length;
    if (compareSpots(top, bottomTop()) >= 0) return 'end';
    if (top.section === 0 && top.line === 0) return 'top';
    const rows = document.rows(top.section, size.width).length;
    return `${Math.floor(((top.section + top.line / Math.max(1, rows)) / count) * 100)}%`;
  }

  function draw(width: number, height: number): readonly string[] {
    const matches = matcher(query);
    const lines = document.page(top, width, size.height).map(({ spot, row }) => {
      const offsets = query === '' ? [] : matches(stripAnsi(row));
      const role = current && compareSpots(spot, current) === 0 ? 'searchCurrent' : 'searchMatch';
      return highlight(row, offsets, query.length, (text) => theme.paint(role, text));
    });
    while (lines.length < size.height) lines.push(theme.paint('muted', '~'));
    return height > 1 ? [...lines, statusLine(width)] : lines;
  }

  return {
    render(width, height) {
      if (rendered?.width === width && rendered.height === height) return rendered.lines;
      const isNewSize = width !== size.width || Math.max(1, height - 1) !== size.height;
      size = { width, height: Math.max(1, height - 1) };
      if (wantsEnd) top = bottomTop();
      else if (isNewSize) scrollTo(document.move(top, 0, width));
      wantsEnd = false;
      rendered = { width, height, lines: draw(width, height) };
      return rendered.lines;
    },
    handleInput(event) {
      if (typing) return handleSearch(event);
      const match = keys.match(event, actions);
      return typeof match === 'object' ? run(match.action) : match === 'pending';
    },
    set(sections) {
      const wasAtEnd = compareSpots(top, bottomTop()) >= 0;
      document.set(sections);
      if (wasAtEnd) wantsEnd = true;
      changed();
    },
  };
}
