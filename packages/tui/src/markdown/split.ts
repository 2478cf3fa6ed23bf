/**
 * Cuts a document that is still being written into pieces. It looks at whole lines only and never back, so how the text
 * was split on its way here makes no difference, and a piece that was given out is final.
 */
import {
  closes,
  dedent,
  type Fence,
  fenceOf,
  htmlEnd,
  type ItemStart,
  indentOf,
  interrupts,
  isBlank,
  isHeading,
  isQuote,
  isRule,
  isTableHead,
  isUndecided,
  isUnderline,
  itemOf,
} from './lines.ts';
import { limits, type Piece, type Place } from './piece.ts';

export interface Splitter {
  /** The pieces that these characters finished. */
  push(text: string): Piece[];
  /** The last pieces: nothing more comes. */
  end(): Piece[];
  /** What would be given out if the document ended here. It goes on nevertheless. */
  open(): Piece[];
  /** Characters that were not given out yet. */
  readonly openSize: number;
}

type Open =
  | { kind: 'paragraph'; at: Place; lines: string[] }
  | { kind: 'html'; at: Place; lines: string[]; end: RegExp | 'blank' }
  | { kind: 'indented'; at: Place; lines: string[]; first: boolean; blanks: number }
  | { kind: 'quote'; at: Place; lines: string[]; fence: Fence | undefined }
  | { kind: 'item'; at: Place; lines: string[]; start: ItemStart; rest: boolean; blanks: number; fence?: Fence }
  | { kind: 'table'; at: Place; lines: string[]; head: string; first: boolean }
  | { kind: 'code'; at: Place; lines: string[]; first: boolean; fence: Fence };

interface State {
  /** The line that is not complete yet, and whether it is the rest of one that was too long. */
  waiting: string;
  tail: boolean;
  /** Half of a line's end, waiting for the other half. */
  half: boolean;
  open: Open | undefined;
  /** Characters in the lines of what is open. */
  size: number;
  gap: boolean;
  joined: boolean;
}

export function createSplitter(): Splitter {
  const state: State = {
    waiting: '',
    tail: false,
    half: false,
    open: undefined,
    size: 0,
    gap: false,
    joined: false,
  };
  return {
    push: (text) => push(state, text),
    end: () => end(state),
    open() {
      const waiting = isUndecided(state.waiting) ? '' : state.waiting;
      const pieces = end({ ...state, waiting, open: state.open && { ...state.open, lines: [...state.open.lines] } });
      const last = pieces.at(-1);
      if (last?.kind === 'code' && waiting !== '') pieces.splice(-1, 1, { ...last, isPartial: true });
      return pieces;
    },
    get openSize() {
      return state.size + state.waiting.length;
    },
  };
}

function push(state: State, text: string): Piece[] {
  const whole = (state.half ? '\r' : '') + text;
  state.half = whole.endsWith('\r');
  const fresh = (state.half ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n');
  const out: Piece[] = [];
  let from = 0;
  let next = fresh.indexOf('\n') === -1 ? -1 : state.waiting.length + fresh.indexOf('\n');
  state.waiting += fresh;
  const all = state.waiting;
  for (;;) {
    if ((next === -1 ? all.length : next) - from > limits.hard) {
      const to = cutOf(all, from);
      addPart(state, all.slice(from, to), out);
      from = to;
      continue;
    }
    if (next === -1) break;
    addWhole(state, all.slice(from, next), out);
    from = next + 1;
    next = all.indexOf('\n', from);
  }
  state.waiting = all.slice(from);
  return out;
}

function end(state: State): Piece[] {
  const out: Piece[] = [];
  if (state.waiting !== '' || state.tail) addWhole(state, state.waiting, out);
  state.waiting = '';
  finish(state, out);
  return out;
}

/** Where a line that is too long is cut: at a space in its second half, never inside a character. */
function cutOf(text: string, from: number): number {
  const to = from + limits.hard;
  const space = text.lastIndexOf(' ', to - 1);
  if (space > from + limits.hard / 2) return space + 1;
  return /[\ud800-\udbff]/.test(text.charAt(to - 1)) ? to - 1 : to;
}

/** The beginning or the middle of a line that is too long. */
function addPart(state: State, text: string, out: Piece[]): void {
  if (state.tail) {
    out.push({ kind: 'text', at: { gap: false, joined: true }, source: text });
    return;
  }
  addLine(state, text, out);
  // Code goes on as code, in lines of its own.
  if (state.open?.kind === 'code' || state.open?.kind === 'indented') return;
  finish(state, out);
  state.tail = true;
}

function addWhole(state: State, line: string, out: Piece[]): void {
  if (!state.tail) {
    addLine(state, line, out);
    return;
  }
  state.tail = false;
  if (!isBlank(line)) out.push({ kind: 'text', at: { gap: false, joined: true }, source: line });
}

function addLine(state: State, line: string, out: Piece[]): void {
  const { open } = state;
  if (open === undefined || !goesOn(state, open, line, out)) begin(state, line, out);
  else if (state.size > limits.hard) cutHard(state, out);
}

/** A line where nothing is open. */
function begin(state: State, line: string, out: Piece[]): void {
  if (isBlank(line)) {
    state.gap = true;
    return;
  }
  const at: Place = { gap: state.gap, joined: state.joined };
  state.gap = false;
  state.joined = false;
  state.size = line.length;
  const fence = fenceOf(line);
  if (fence !== undefined) {
    state.open = { kind: 'code', at, lines: [], first: true, fence };
    state.size = 0;
    return;
  }
  if (indentOf(line) >= 4) {
    state.open = { kind: 'indented', at, lines: [dedent(line, 4)], first: true, blanks: 0 };
    return;
  }
  if (isHeading(line) || isRule(line)) {
    out.push({ kind: 'blocks', at, source: line });
    return;
  }
  if (isQuote(line)) {
    state.open = { kind: 'quote', at, lines: [line], fence: fenceOf(unquoted(line)) };
    return;
  }
  const start = itemOf(line);
  if (start !== undefined) {
    const inside = fenceOf(dedent(' '.repeat(start.inner) + line.slice(start.inner), start.inner));
    state.open = { kind: 'item', at, lines: [line], start, rest: false, blanks: 0, fence: inside };
    return;
  }
  const html = htmlEnd(line);
  if (html === undefined) state.open = { kind: 'paragraph', at, lines: [line] };
  else if (html !== 'blank' && html.test(line)) out.push({ kind: 'blocks', at, source: line });
  else state.open = { kind: 'html', at, lines: [line], end: html };
}

/** Adds the line to what is open. False when that is finished and the line begins something of its own. */
function goesOn(state: State, open: Open, line: string, out: Piece[]): boolean {
  switch (open.kind) {
    case 'paragraph':
      return paragraphGoesOn(state, open, line, out);
    case 'html':
      if (open.end === 'blank' && isBlank(line)) return ends(state, out);
      add(state, open, line);
      if (open.end !== 'blank' && open.end.test(line)) finish(state, out);
      return true;
    case 'indented':
      return indentedGoesOn(state, open, line, out);
    case 'quote':
      return quoteGoesOn(state, open, line, out);
    case 'item':
      return itemGoesOn(state, open, line, out);
    case 'table':
      if (isBlank(line) || indentOf(line) >= 4 || interrupts(line)) return ends(state, out);
      if (open.lines.length >= (open.first ? limits.tableRows : limits.moreRows)) cut(state, open, out);
      add(state, open, line);
      return true;
    case 'code':
      if (closes(open.fence, line)) finish(state, out);
      else addCode(state, open, dedent(line, open.fence.indent), out);
      return true;
  }
}

function paragraphGoesOn(state: State, open: Open & { kind: 'paragraph' }, line: string, out: Piece[]): boolean {
  if (isBlank(line)) return ends(state, out);
  if (isUnderline(line)) {
    add(state, open, line);
    finish(state, out);
    return true;
  }
  const head = open.lines.at(-1) ?? '';
  if (isTableHead(head, line)) {
    open.lines.pop();
    const at = open.lines.length > 0 ? { gap: false, joined: false } : open.at;
    if (open.lines.length > 0) finish(state, out);
    state.open = { kind: 'table', at, lines: [], head: `${head}\n${line}`, first: true };
    state.size = head.length + line.length;
    return true;
  }
  if (interrupts(line)) return ends(state, out);
  add(state, open, line);
  return true;
}

function indentedGoesOn(state: State, open: Open & { kind: 'indented' }, line: string, out: Piece[]): boolean {
  if (isBlank(line)) {
    open.blanks += 1;
    return true;
  }
  if (indentOf(line) < 4) return ends(state, out);
  for (; open.blanks > 0; open.blanks -= 1) addCode(state, open, '', out);
  addCode(state, open, dedent(line, 4), out);
  return true;
}

function quoteGoesOn(state: State, open: Open & { kind: 'quote' }, line: string, out: Piece[]): boolean {
  if (!isQuote(line)) {
    if (isBlank(line) || interrupts(line)) return ends(state, out);
    add(state, open, line);
    return true;
  }
  const inside = unquoted(line);
  if (state.size > limits.soft && isBlank(inside) && open.fence === undefined) {
    finish(state, out);
    state.gap = true;
    return true;
  }
  add(state, open, line);
  if (open.fence === undefined) open.fence = fenceOf(inside);
  else if (closes(open.fence, inside)) open.fence = undefined;
  return true;
}

function itemGoesOn(state: State, open: Open & { kind: 'item' }, line: string, out: Piece[]): boolean {
  if (isBlank(line)) {
    open.blanks += 1;
    return true;
  }
  const isInside = indentOf(line) >= open.start.inner;
  const isLazy = open.blanks === 0 && open.fence === undefined && !interrupts(line) && itemOf(line) === undefined;
  if (!isInside && !isLazy) return ends(state, out);
  const inside = isInside ? dedent(line, open.start.inner).trimStart() : line;
  const seam = open.blanks > 0 || itemOf(inside) !== undefined;
  if (state.size > limits.soft && open.fence === undefined && seam) cutItem(state, open, out);
  for (; open.blanks > 0; open.blanks -= 1) add(state, open, '');
  add(state, open, line);
  if (open.fence === undefined) open.fence = fenceOf(inside);
  else if (closes(open.fence, inside)) open.fence = undefined;
  return true;
}

function add(state: State, open: Open, line: string): void {
  open.lines.push(line);
  state.size += line.length + 1;
}

function addCode(state: State, open: Open & { kind: 'code' | 'indented' }, line: string, out: Piece[]): void {
  if (open.lines.length >= limits.codeLines) cut(state, open, out);
  add(state, open, line);
}

/** Finishes what is open, for a line that begins something else. */
function ends(state: State, out: Piece[]): false {
  finish(state, out);
  return false;
}

function finish(state: State, out: Piece[]): void {
  const { open } = state;
  state.open = undefined;
  state.size = 0;
  if (open === undefined) return;
  const piece = pieceOf(open);
  if (piece !== undefined) out.push(piece);
  if ((open.kind === 'item' || open.kind === 'indented') && open.blanks > 0) state.gap = true;
}

function pieceOf(open: Open): Piece | undefined {
  const { at, lines } = open;
  switch (open.kind) {
    case 'table':
      return lines.length > 0 || open.first
        ? { kind: 'table', at, head: open.head, rows: lines, first: open.first }
        : undefined;
    case 'code':
    case 'indented': {
      const info = open.kind === 'code' ? open.fence.info : '';
      return lines.length > 0 || open.first ? { kind: 'code', at, info, lines, first: open.first } : undefined;
    }
    case 'item': {
      if (!open.rest) return { kind: 'item', at, source: lines.join('\n'), start: open.start };
      const { inner } = open.start;
      return { kind: 'rest', at, source: lines.map((line) => dedent(line, inner)).join('\n'), inner };
    }
    case 'paragraph':
    case 'html':
    case 'quote':
      return { kind: 'blocks', at, source: lines.join('\n') };
  }
}

/** Gives out the lines so far. What follows is inside the same block. */
function cut(state: State, open: Open, out: Piece[]): void {
  const piece = pieceOf(open);
  if (piece !== undefined) out.push(piece);
  open.lines = [];
  open.at = { gap: false, joined: true };
  state.size = 0;
  if (open.kind === 'code' || open.kind === 'indented' || open.kind === 'table') open.first = false;
}

/** A block of code that is open inside the item is opened again. */
function cutItem(state: State, open: Open & { kind: 'item' }, out: Piece[]): void {
  const { start, fence, blanks } = open;
  cut(state, open, out);
  open.rest = true;
  open.at = { gap: blanks > 0, joined: true };
  open.blanks = 0;
  if (fence !== undefined) open.lines.push(`${' '.repeat(start.inner)}${fence.mark}${fence.info}`);
}

/** What is open has become too long to be held together. */
function cutHard(state: State, out: Piece[]): void {
  const { open } = state;
  if (open === undefined) return;
  if (open.kind === 'item') {
    cutItem(state, open, out);
  } else if (open.kind === 'quote' && open.fence !== undefined) {
    cut(state, open, out);
    open.lines.push(`> ${open.fence.mark}${open.fence.info}`);
  } else if (open.kind === 'table' || open.kind === 'code' || open.kind === 'indented') {
    cut(state, open, out);
  } else {
    finish(state, out);
    state.joined = true;
  }
}

function unquoted(line: string): string {
  return line.replace(/^ {0,3}> ?/, '');
}
