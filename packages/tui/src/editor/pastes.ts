/**
 * Big pastes. The text shows a marker, `[paste #1 +120 lines]`, that the cursor steps over as one character; what it stands
 * for is kept beside the text and put in its place when the text leaves the editor.
 */
export interface Pastes {
  next: number;
  /** By the marker's words. A marker that was deleted stays known: undo and yank may bring it back. */
  texts: ReadonlyMap<string, string>;
}

export const noPastes: Pastes = { next: 1, texts: new Map() };

const bigPaste = { lines: 10, characters: 1000 } as const;
/** How many pastes that are not in the text an editor remembers, and how much in all. */
const kept = { pastes: 100, characters: 64 * 1024 * 1024 } as const;

export function isBig(text: string): boolean {
  return text.length > bigPaste.characters || lineCount(text) > bigPaste.lines;
}

/** The marker for a text, and the pastes that know it. Those whose marker is in use are never given up. */
export function keepPaste(pastes: Pastes, text: string, inUse: string): { pastes: Pastes; marker: string } {
  const lines = lineCount(text);
  const amount = lines > bigPaste.lines ? `+${lines} lines` : `${text.length} chars`;
  const marker = `[paste #${pastes.next} ${amount}]`;
  const texts = new Map(pastes.texts).set(marker, text);
  let size = 0;
  for (const one of texts.values()) size += one.length;
  for (const [old, { length }] of texts) {
    // The newest is always kept, however big.
    if (old === marker || (texts.size <= kept.pastes && size <= kept.characters)) break;
    if (inUse.includes(old)) continue;
    texts.delete(old);
    size -= length;
  }
  return { pastes: { next: pastes.next + 1, texts }, marker };
}

const shape = /\[paste #\d{1,9} (?:\+\d{1,12} lines|\d{1,12} chars)\]/y;
const longest = 48;

/** Where the marker that starts at the column ends; undefined when none does. */
export function markerEnd(line: string, column: number, pastes: Pastes): number | undefined {
  if (pastes.texts.size === 0 || line.charCodeAt(column) !== 0x5b || !line.startsWith('[paste #', column))
    return undefined;
  const end = line.indexOf(']', column) + 1;
  if (end === 0 || end - column > longest) return undefined;
  return pastes.texts.has(line.slice(column, end)) ? end : undefined;
}

/** Where the marker starts that has the column behind its `[`, up to and with its end. */
export function markerStart(line: string, column: number, pastes: Pastes): number | undefined {
  if (pastes.texts.size === 0) return undefined;
  const start = line.lastIndexOf('[paste #', column - 1);
  if (start === -1 || column - start > longest) return undefined;
  const end = markerEnd(line, start, pastes);
  return end !== undefined && column <= end ? start : undefined;
}

/** The text with what the markers stand for. Not again in what was pasted: it may speak of markers. */
export function expandPastes(text: string, pastes: Pastes): string {
  if (pastes.texts.size === 0) return text;
  return text.replace(new RegExp(shape, 'g'), (marker) => pastes.texts.get(marker) ?? marker);
}

/** Markers in a text whose pastes were given up: undo, a yank or a draft put aside brought them back too late. */
export function lostMarkers(text: string, pastes: Pastes): string[] {
  if (pastes.next === 1) return [];
  const markers = text.match(new RegExp(shape, 'g')) ?? [];
  return markers.filter((marker) => !pastes.texts.has(marker) && numberOf(marker) < pastes.next);
}

export function lossOf(marker: string): string {
  return `What ${marker} stood for is no longer kept, so the words were sent as they are. Paste it again.`;
}

function numberOf(marker: string): number {
  return Number.parseInt(marker.slice('[paste #'.length), 10);
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
