/**
 * What stands above the editor: blocks in the order in which things happened. What is finished at their head is handed over
 * to the scrollback, once and for good; the rest may still change and is drawn with the live region.
 */

export interface Block {
  /** Lines that will not change any more, each given once. */
  take(width: number): readonly string[];
  /** What may still change, and stands below them: at most so many lines. */
  live(width: number, rows: number): readonly string[];
  /** Nothing more comes. A block that is done gives all it has left with the next `take`. */
  readonly done: boolean;
}

export interface Transcript {
  /** `isLoose`: it belongs to no order. Nothing waits for it, and it is handed over when it is done. */
  add(block: Block, options?: { isLoose?: boolean }): void;
  /** What can be handed over now. */
  take(width: number): string[];
  /** The rest, at most so many lines: the newest ones. */
  live(width: number, rows: number): string[];
}

/** `follows`: something stands above it already. */
export function createTranscript({ follows = false } = {}): Transcript {
  let open: Block[] = [];
  let loose: Block[] = [];
  /** Something stands above, so a gap belongs in between. */
  let begun = follows;
  /** The first open block has handed over some of its lines already. */
  let isHalf = false;

  return {
    add(block, { isLoose = false } = {}) {
      if (isLoose) loose.push(block);
      else open.push(block);
    },
    take(width) {
      const lines: string[] = [];
      const give = (taken: readonly string[]) => {
        if (taken.length === 0) return;
        if (begun && !isHalf) lines.push('');
        lines.push(...taken);
        begun = true;
        isHalf = true;
      };
      for (let [first] = open; first; [first] = open) {
        const { done } = first;
        give(first.take(width));
        if (!done) break;
        open = open.slice(1);
        isHalf = false;
      }
      // Not into the middle of what is being said.
      for (const block of isHalf ? [] : loose.filter(({ done }) => done)) {
        give(block.take(width));
        isHalf = false;
        loose = loose.filter((one) => one !== block);
      }
      return lines;
    },
    live(width, rows) {
      if (rows <= 0) return [];
      // One row each is the least, and one says how many more there are: older ones cannot be seen anyway.
      const all = [...open, ...loose];
      const seen = all.length <= rows ? all : all.slice(-Math.max(1, rows - 1));
      const blocks = seen.flatMap((block) => {
        const whole = block.live(width, rows);
        return whole.length > 0 ? [{ block, whole }] : [];
      });
      const wanted = blocks.map(({ whole }) => whole.length);
      const hidden = rows > 1 ? all.length - seen.length : 0;
      const room = rows - (hidden > 0 ? 1 : 0);
      const opening = begun && !isHalf && blocks.length > 0 ? 1 : 0;
      const between = Math.max(0, blocks.length - 1);
      const isTight = wanted.reduce((sum, count) => sum + count, between + opening) > room;
      // What is done and only waits for its turn says so; what is at work has the room.
      const needs = wanted.map((count, at) => (isTight && blocks[at]?.block.done ? 1 : count));
      const hasGaps = !isTight || room - between - opening >= blocks.length * leastRows;
      const shares = share(needs, hasGaps ? room - between - opening : room);
      const lines: string[] = hidden > 0 ? [`… ${hidden} more at work`] : [];
      for (const [at, { block, whole }] of blocks.entries()) {
        const most = shares[at] ?? 1;
        if (hasGaps && (at > 0 || opening > 0)) lines.push('');
        lines.push(...(whole.length <= most ? whole : block.live(width, most).slice(0, most)));
      }
      return lines;
    },
  };
}

/** With less for each, the room is better used without gaps. */
const leastRows = 2;

/** Those that need little get it, the others the same; what is left over goes to the newest. */
function share(needs: readonly number[], room: number): number[] {
  const given = needs.map(() => 0);
  let left = Math.max(0, room);
  for (let open = needs.length; left > 0 && open > 0; ) {
    const each = Math.max(1, Math.floor(left / open));
    open = 0;
    for (let at = needs.length - 1; at >= 0 && left > 0; at--) {
      const more = Math.min(each, left, (needs[at] ?? 0) - (given[at] ?? 0));
      given[at] = (given[at] ?? 0) + more;
      left -= more;
      if ((given[at] ?? 0) < (needs[at] ?? 0)) open += 1;
    }
  }
  return given;
}
