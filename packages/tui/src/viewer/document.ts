/**
 * The scroll model of a viewer: sections that fold, and a place in them. A place is a section and a line of it, so that
 * moving, jumping to either end and showing a page cost what is seen, however long the whole is.
 */

export interface Section {
  /** Its first line, which stays when it is folded. A section without one does not fold. */
  title?: string;
  /** Asked for when it is about to be seen or searched, and only then. */
  lines(width: number): readonly string[];
}

export interface Sections {
  readonly length: number;
  /** From 0. */
  section(at: number): Section;
}

export interface Spot {
  section: number;
  line: number;
}

export interface ViewerDocument {
  readonly sections: Sections;
  /** The sections changed. */
  set(sections: Sections): void;
  rows(section: number, width: number): readonly string[];
  isFolded(section: number): boolean;
  canFold(section: number): boolean;
  fold(section: number, folded: boolean): void;
  foldAll(folded: boolean): void;
  /** So many rows on, or back; stops at the ends. */
  move(from: Spot, by: number, width: number): Spot;
  /** The place at the top when the last row is at the bottom. */
  lastTop(width: number, height: number): Spot;
  /** Rows from a place on, each with where it is. */
  page(from: Spot, width: number, height: number): { spot: Spot; row: string }[];
}

/** Sections whose rows are kept. More than any screen shows. */
const kept = 400;

export function createDocument(first: Sections, marks: { folded: string; open: string }): ViewerDocument {
  const cache = new Map<number, { width: number; rows: readonly string[] }>();
  let sections = first;
  let allFolded = false;
  /** Those that are not as all are. */
  let others = new Set<number>();

  const canFold = (at: number) => sections.section(at).title !== undefined;
  const isFolded = (at: number) => allFolded !== others.has(at) && canFold(at);

  function rows(at: number, width: number): readonly string[] {
    const known = cache.get(at);
    if (known?.width === width) return known.rows;
    const section = sections.section(at);
    const folded = isFolded(at);
    const title = section.title === undefined ? [] : [`${folded ? marks.folded : marks.open} ${section.title}`];
    const made = folded ? title : title.length === 0 ? section.lines(width) : [...title, ...section.lines(width)];
    cache.delete(at);
    cache.set(at, { width, rows: made });
    const [oldest] = cache.keys();
    if (cache.size > kept && oldest !== undefined) cache.delete(oldest);
    return made;
  }

  function move(from: Spot, by: number, width: number): Spot {
    let { section, line } = clamped(from, width);
    for (let left = by; left !== 0; ) {
      if (left > 0) {
        const room = rows(section, width).length - 1 - line;
        if (left <= room) return { section, line: line + left };
        const next = nearest(section + 1, 1, width);
        if (next === undefined) return { section, line: line + Math.max(0, room) };
        left -= room + 1;
        section = next;
        line = 0;
      } else {
        if (-left <= line) return { section, line: line + left };
        const before = nearest(section - 1, -1, width);
        if (before === undefined) return { section, line: 0 };
        left += line + 1;
        section = before;
        line = rows(before, width).length - 1;
      }
    }
    return { section, line };
  }

  /** The next section, from one on, that has rows. */
  function nearest(from: number, step: 1 | -1, width: number): number | undefined {
    for (let at = from; at >= 0 && at < sections.length; at += step) if (rows(at, width).length > 0) return at;
    return undefined;
  }

  function clamped(spot: Spot, width: number): Spot {
    if (sections.length === 0) return { section: 0, line: 0 };
    const section = Math.max(0, Math.min(spot.section, sections.length - 1));
    return { section, line: Math.max(0, Math.min(spot.line, rows(section, width).length - 1)) };
  }

  return {
    get sections() {
      return sections;
    },
    set(next) {
      sections = next;
      cache.clear();
    },
    rows,
    isFolded,
    canFold,
    fold(at, folded) {
      if (allFolded === folded) others.delete(at);
      else others.add(at);
      cache.delete(at);
    },
    foldAll(folded) {
      allFolded = folded;
      others = new Set();
      cache.clear();
    },
    move(from, by, width) {
      return sections.length === 0 ? { section: 0, line: 0 } : move(from, by, width);
    },
    lastTop(width, height) {
      if (sections.length === 0) return { section: 0, line: 0 };
      const last = sections.length - 1;
      return move({ section: last, line: Number.MAX_SAFE_INTEGER }, 1 - height, width);
    },
    page(from, width, height) {
      const shown: { spot: Spot; row: string }[] = [];
      if (sections.length === 0) return shown;
      const start = clamped(from, width);
      for (let section = start.section; section < sections.length && shown.length < height; section++) {
        const lines = rows(section, width);
        const first = section === start.section ? start.line : 0;
        for (let line = first; line < lines.length && shown.length < height; line++) {
          shown.push({ spot: { section, line }, row: lines[line] ?? '' });
        }
      }
      return shown;
    },
  };
}

export function compareSpots(a: Spot, b: Spot): number {
  return a.section - b.section || a.line - b.line;
}
