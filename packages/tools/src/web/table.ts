/** A table as Markdown, or as plain blocks where it only served to place things on the page. */

export interface Table {
  /** In another table's cell: its cells are words of that cell. */
  nested: boolean;
  row(): void;
  cell(text: string): void;
  blocks(): string[];
}

/** A cell or a row with more than this is not data. */
const maxCellChars = 400;
const maxColumns = 50;
const maxBlocks = 1000;

export function createTable(nested: boolean): Table {
  const rows: string[][] = [];
  return {
    nested,
    row() {
      rows.push([]);
    },
    cell(text) {
      if (rows.length === 0) rows.push([]);
      rows.at(-1)?.push(text.trim());
    },
    blocks() {
      const filled = rows.filter((row) => row.some((cell) => cell !== ''));
      // Not spread into Math.max: a page may have more rows than a call may have arguments.
      const columns = filled.reduce((most, row) => Math.max(most, row.length), 0);
      if (columns < 2 || columns > maxColumns || filled.some((row) => row.some((cell) => cell.length > maxCellChars))) {
        const cells = filled.flat().filter((cell) => cell !== '');
        return cells.length > maxBlocks ? [cells.join('\n')] : cells;
      }
      const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
      const lines = filled.map((row) => line(padded(row, columns)));
      return [[lines[0], line(new Array(columns).fill('---')), ...lines.slice(1)].join('\n')];
    },
  };
}

function padded(row: readonly string[], columns: number): string[] {
  const cells = row.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|'));
  return [...cells, ...new Array<string>(columns - row.length).fill('')];
}
