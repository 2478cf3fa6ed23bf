/**
 * What the tree needs to know of an entry: who it is, whom it hangs on, and of what kind it is. All of it stands at the
 * front of a line, so that a long line need not be parsed to find its place.
 */
import type { SessionEntry } from '@tau/core';

export interface Head {
  id: string;
  parentId: string | null;
  /** The entry's type, for messages with the role (`message:user`), for custom entries with theirs (`custom:tau.cut`). */
  kind: string;
}

/** How much of a line is looked at. */
export const headBytes = 176;

export function headOf(entry: SessionEntry): Head {
  return { id: entry.id, parentId: entry.parentId, kind: kindOf(entry) };
}

function kindOf(entry: SessionEntry): string {
  switch (entry.type) {
    case 'message':
      return `message:${entry.message.role}`;
    case 'custom':
      return `custom:${entry.customType}`;
    default:
      return entry.type;
  }
}

/** A kind that was met: how its lines begin, and what follows their timestamp. */
interface KnownKind {
  kind: string;
  type: string;
  after: string;
}

/** Other programs may make up kinds without end. */
const mostKnown = 32;

/**
 * Reads the front of a line in the order in which tau writes it; nothing where it is in another, which proves no damage.
 * By hand and without pieces of text that are thrown away: it is done for every line of a long session.
 */
export function createHeadReader(): (text: string) => Head | undefined {
  const known: KnownKind[] = [];
  let lastId = '';

  function kindOfText(text: string, typeEnd: number, timeEnd: number): string | undefined {
    for (const { kind, type, after } of known) {
      if (text.startsWith(type, opening.length) && text.startsWith(after, timeEnd)) return kind;
    }
    const found = readKind(text, typeEnd, timeEnd);
    if (found !== undefined && known.length < mostKnown) known.push(found);
    return found?.kind;
  }

  return (text) => {
    const typeEnd = closing(text, opening, 0);
    const idEnd = closing(text, '","id":"', typeEnd);
    if (idEnd < 0) return undefined;
    const root = text.startsWith('","parentId":null', idEnd);
    const parentEnd = root ? idEnd + 16 : closing(text, '","parentId":"', idEnd);
    const timeEnd = closing(text, root ? 'l,"timestamp":"' : '","timestamp":"', parentEnd);
    if (timeEnd < 0) return undefined;
    const kind = kindOfText(text, typeEnd, timeEnd);
    if (kind === undefined) return undefined;
    const follows = parentEnd - idEnd - 14 === lastId.length && text.startsWith(lastId, idEnd + 14);
    const parentId = root ? null : follows ? lastId : text.slice(idEnd + 14, parentEnd);
    lastId = text.slice(typeEnd + 8, idEnd);
    return { id: lastId, parentId, kind };
  };
}

const opening = '{"type":"';

/** For messages and custom entries the next key says more; without it the line must be read whole. */
function readKind(text: string, typeEnd: number, timeEnd: number): KnownKind | undefined {
  const type = copyOf(text.slice(opening.length, typeEnd));
  if (type !== 'message' && type !== 'custom') return { kind: type, type: `${type}"`, after: '"' };
  const key = type === 'message' ? '","message":{"role":"' : '","customType":"';
  const end = closing(text, key, timeEnd);
  if (end < 0) return undefined;
  const name = copyOf(text.slice(timeEnd + key.length, end));
  return { kind: `${type}:${name}`, type: `${type}"`, after: `${key}${name}"` };
}

/** A piece cut out of a text keeps the whole text alive. */
function copyOf(piece: string): string {
  return Buffer.from(piece, 'latin1').toString('latin1');
}

/** Where the string ends that begins with `key` at this place: at plain letters' next quote. -1 when it is not so. */
function closing(text: string, key: string, at: number): number {
  if (at < 0 || !text.startsWith(key, at)) return -1;
  for (let end = at + key.length; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x22) return end;
    if (code === 0x5c || code < 0x20 || code > 0x7e) return -1;
  }
  return -1;
}
