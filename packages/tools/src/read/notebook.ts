/** Jupyter notebooks as text: their cells in order, with what they gave out. Pure: images are handed over undecoded. */
import { isRecord } from '@tau/core';
import { firstChars } from '../text/clip.ts';

/** Of one output; tables and logs can be endless. */
const maxOutputChars = 4000;

export interface Notebook {
  language: string | undefined;
  cells: Cell[];
}

export interface Cell {
  /** The kind, and for code how often it ran: `code [3]`. */
  kind: string;
  source: string;
  outputs: CellOutput[];
}

export type CellOutput = { text: string } | { image: Buffer };

/** Undefined when it is no notebook. */
export function parseNotebook(json: string): Notebook | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isRecord(parsed)) return undefined;
  const cells = Array.isArray(parsed.cells) ? parsed.cells : oldCells(parsed.worksheets);
  if (!cells) return undefined;
  return { language: languageOf(parsed.metadata), cells: cells.filter(isRecord).map(toCell) };
}

/** Before version 4 the cells were in worksheets. */
function oldCells(worksheets: unknown): unknown[] | undefined {
  if (!Array.isArray(worksheets)) return undefined;
  return worksheets.flatMap((sheet) => (isRecord(sheet) && Array.isArray(sheet.cells) ? sheet.cells : []));
}

function languageOf(metadata: unknown): string | undefined {
  if (!isRecord(metadata)) return undefined;
  const { kernelspec, language_info: info } = metadata;
  for (const name of [isRecord(kernelspec) && kernelspec.language, isRecord(info) && info.name]) {
    if (typeof name === 'string') return name;
  }
  return undefined;
}

function toCell(cell: Record<string, unknown>): Cell {
  const kind = typeof cell.cell_type === 'string' ? cell.cell_type : 'unknown';
  const count = cell.execution_count ?? cell.prompt_number;
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isRecord) : [];
  return {
    kind: typeof count === 'number' ? `${kind} [${count}]` : kind,
    source: joined(cell.source ?? cell.input),
    outputs: outputs.flatMap(toOutputs),
  };
}

function toOutputs(output: Record<string, unknown>): CellOutput[] {
  if (output.output_type === 'stream') return [bounded(joined(output.text))];
  if (output.output_type === 'error' || output.output_type === 'pyerr') {
    const trace = Array.isArray(output.traceback) ? output.traceback.filter((line) => typeof line === 'string') : [];
    return [bounded(withoutColour(trace.join('\n') || `${output.ename}: ${output.evalue}`))];
  }
  const data = isRecord(output.data) ? output.data : {};
  const image = joined(data['image/png'] ?? data['image/jpeg'] ?? output.png ?? output.jpeg);
  if (image !== '') return [{ image: Buffer.from(image, 'base64') }];
  const text = joined(data['text/plain'] ?? data['text/markdown'] ?? data['text/html'] ?? output.text);
  return text === '' ? [] : [bounded(text)];
}

/** A text is a list of lines, or one. */
function joined(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === 'string').join('');
  return typeof value === 'string' ? value : '';
}

function bounded(text: string): CellOutput {
  if (text.length <= maxOutputChars) return { text };
  const shown = firstChars(text, maxOutputChars);
  return { text: `${shown}\n[cut: the first ${shown.length} of ${text.length} characters]` };
}

function withoutColour(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  return text.replace(/\x1b\[[\d;]*m/g, '');
}
