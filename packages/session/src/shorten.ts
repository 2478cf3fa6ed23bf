/**
 * What to leave out of a conversation that does not fit: the oldest quarter, by whole groups. A group is a prompt and all
 * that came before the next one. Of the last group, which goes on, only its oldest turns can go.
 */

export interface Piece {
  id: string;
  kind: string;
  /** What it costs to tell it, in any unit. */
  size: number;
}

/** The id of the first entry to keep; nothing when all of it is needed. At least one piece goes, and one stays. */
export function planCut(pieces: readonly Piece[]): string | undefined {
  const groups = starts(pieces, 'message:user');
  if (groups[0] !== 0) groups.unshift(0);
  return cutAt(pieces, groups) ?? cutAt(pieces, starts(pieces, 'message:assistant'));
}

function starts(pieces: readonly Piece[], kind: string): number[] {
  return pieces.flatMap((piece, index) => (piece.kind === kind ? [index] : []));
}

/** The first of these places before which a quarter goes; the last of them where all are too early. Never the very first. */
function cutAt(pieces: readonly Piece[], places: readonly number[]): string | undefined {
  const [first, ...later] = places;
  if (first === undefined) return undefined;
  const quarter = pieces.reduce((total, { size }) => total + size, 0) / 4;
  let gone = 0;
  let at = first;
  for (const place of later) {
    for (; at < place; at++) gone += pieces[at]?.size ?? 0;
    if (gone >= quarter) break;
  }
  return at === first ? undefined : pieces[at]?.id;
}
