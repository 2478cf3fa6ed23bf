/**
 * Puts Markdown together from what a page says in order: pieces of text, and where a block, a list or a cell begins and
 * ends. Pieces are kept apart until a block is whole, so that a page costs time in proportion to its length.
 */

export interface Blocks {
  /** Running text: white space counts as one space. */
  text(text: string): void;
  /** As it stands, in the middle of running text. */
  mark(text: string): void;
  /** What is open is a block of its own. */
  flush(): void;
  /** A finished block, of one or more lines. */
  block(text: string): void;
  /** Collects what is said until the returned function gives it back. Inside, a block's end is a new line. */
  collect(): () => string;
  list(ordered: boolean): () => void;
  item(): () => void;
  quote(): () => void;
  /** How many characters were taken in, about. */
  size(): number;
  /** How many blocks are finished, to cut a part out with. */
  count(): number;
  markdown(from?: number, to?: number): string;
}

interface List {
  ordered: boolean;
  next: number;
}

interface Line {
  pieces: string[];
  /** What it ends with: nothing yet counts as a new line. */
  end: 'words' | 'space' | 'newline';
}

export function createBlocks(): Blocks {
  const done: { text: string; tight: boolean }[] = [];
  const lists: List[] = [];
  const lines: Line[] = [newLine()];
  let quotes = 0;
  let marker: string | undefined;
  /** The next block goes right below the one before it. */
  let tight = false;
  let size = 0;

  const line = (): Line => lines.at(-1) ?? newLine();
  const isCollecting = () => lines.length > 1;

  function add(text: string): void {
    const open = line();
    open.pieces.push(text);
    size += text.length;
    open.end = text.endsWith('\n') ? 'newline' : text.endsWith(' ') ? 'space' : 'words';
  }

  function block(text: string): void {
    if (isCollecting()) {
      add(`\n${text}\n`);
      return;
    }
    const depth = marker === undefined ? lists.length : lists.length - 1;
    const outer = '> '.repeat(quotes) + '  '.repeat(Math.max(0, depth));
    const inner = outer + (marker === undefined ? '' : ' '.repeat(marker.length));
    const rows = text.split('\n').map((row, at) => (at === 0 ? outer + (marker ?? '') : inner) + row);
    const whole = rows.map((row) => row.trimEnd()).join('\n');
    done.push({ text: whole, tight });
    size += whole.length - text.length;
    marker = undefined;
    tight = false;
  }

  function flush(): void {
    if (isCollecting()) {
      if (line().end !== 'newline') add('\n');
      return;
    }
    const { pieces } = line();
    if (pieces.length === 0) return;
    lines[0] = newLine();
    const text = pieces.join('').trim();
    if (text !== '') block(text);
  }

  return {
    text(text) {
      const plain = text.replace(/[\s\u200b\ufeff]+/g, ' ');
      const rest = line().end === 'words' ? plain : plain.trimStart();
      if (rest !== '') add(rest);
    },
    mark: add,
    flush,
    block(text) {
      flush();
      block(text);
    },
    collect() {
      const collected: Line = { pieces: [], end: line().end };
      lines.push(collected);
      return () => {
        lines.splice(lines.indexOf(collected));
        return collected.pieces.join('');
      };
    },
    list(ordered) {
      flush();
      const list = { ordered, next: 1 };
      lists.push(list);
      return () => {
        flush();
        lists.splice(lists.indexOf(list));
        marker = undefined;
      };
    },
    item() {
      flush();
      const list = lists.at(-1);
      if (isCollecting()) add('- ');
      else marker = list?.ordered ? `${list.next}. ` : '- ';
      tight = !isCollecting() && list !== undefined && (list.next > 1 || lists.length > 1);
      if (list) list.next += 1;
      return () => {
        flush();
        marker = undefined;
      };
    },
    quote() {
      flush();
      quotes += 1;
      return () => {
        flush();
        quotes -= 1;
      };
    },
    size: () => size,
    count: () => done.length,
    markdown(from = 0, to = done.length) {
      let text = '';
      for (const [at, one] of done.slice(from, to).entries()) {
        text += at === 0 ? one.text : (one.tight ? '\n' : '\n\n') + one.text;
      }
      return text;
    },
  };
}

function newLine(): Line {
  return { pieces: [], end: 'newline' };
}
