/** An editor for tests, with the default keys and what it told the program. */
import { cursorMarker } from '../../src/component.ts';
import { createEditor } from '../../src/editor/editor.ts';
import type { Editor, EditorOptions } from '../../src/editor/options.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { widthOf } from '../../src/text/width.ts';
import { linesAt, plain } from '../lines.ts';
import { bytes, defaultKeys, press } from '../press.ts';

export interface Stage {
  editor: Editor;
  sent: string[];
  copied: string[];
  errors: unknown[];
  /** Keys by name of `keys`, other text as typed. */
  type(...input: readonly string[]): boolean[];
  paste(text: string): void;
  /** The lines without what is around the text. */
  rows(width?: number): string[];
  /** The text of the lines with `¦` where the cursor is. */
  shown(width?: number): string;
}

export const keys = {
  ...bytes,
  shiftEnter: '\u001b[13;2u',
  altEnter: '\u001b\r',
  ctrlUp: '\u001b[1;5A',
  ctrlDown: '\u001b[1;5B',
  shiftLeft: '\u001b[1;2D',
  shiftRight: '\u001b[1;2C',
  shiftUp: '\u001b[1;2A',
  ctrlLeft: '\u001b[1;5D',
  undo: '\u001f',
  alt: (key: string) => `\u001b${key}`,
} as const;

export function stage(options: Partial<EditorOptions> = {}): Stage {
  const sent: string[] = [];
  const copied: string[] = [];
  const errors: unknown[] = [];
  const editor = createEditor({
    theme: plain,
    keys: defaultKeys(),
    look: { border: 'none' },
    onSubmit: (text) => sent.push(text),
    onCopy: (text) => copied.push(text),
    onError: (error) => errors.push(error),
    ...options,
  });
  editor.focused = true;
  editor.render(40);
  return {
    editor,
    sent,
    copied,
    errors,
    type: (...input) =>
      input.flatMap((one) => {
        const used = press(editor, one);
        editor.render(40);
        return used;
      }),
    paste: (text) => {
      editor.handleInput({ type: 'paste', text });
      editor.render(40);
    },
    rows: (width = 40) => linesAt(editor, width),
    shown: (width = 40) =>
      editor
        .render(width)
        .map((line) => stripAnsi(line.replaceAll(cursorMarker, '¦')))
        .join('\n'),
  };
}

/** Where the cursor is drawn: the row and the cell. */
export function cursorOf(lines: readonly string[]): { row: number; cell: number } | undefined {
  const row = lines.findIndex((line) => line.includes(cursorMarker));
  const line = lines[row];
  return line === undefined ? undefined : { row, cell: widthOf(line.slice(0, line.indexOf(cursorMarker))) };
}
