/** A line to type into: scrolls sideways, undoes, masks a password, says what is wrong with what was typed. */
import { cursorMarker, type Focusable } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Theme } from '../theme/theme.ts';
import { applyAction } from './actions.ts';
import { isEmpty, selectionOf, textIn, textOf } from './draft.ts';
import * as edits from './edits.ts';
import { type EditorState, editorState, move } from './state.ts';
import { type Strip, stripOf } from './strip.ts';
import { createView } from './view.ts';

export interface InputOptions {
  theme: Theme;
  keys: KeyMatcher;
  prompt?: string;
  placeholder?: string;
  text?: string;
  /** Drawn in place of every character: a password. */
  mask?: string;
  /** What is wrong with the text, in a few words; it is shown below, and Enter does nothing. */
  validate?(text: string): string | undefined;
  onSubmit?(text: string): void;
  onChange?(text: string): void;
  onCopy?(text: string): void;
}

export interface Input extends Focusable {
  text(): string;
  setText(text: string): void;
}

/** What makes no sense in one line is left to whoever is around. */
const notHere = new Set(
  ['newLine', 'cursorUp', 'cursorDown', 'selectUp', 'selectDown', 'pageUp', 'pageDown', 'joinLines', 'expandPaste'].map(
    (name) => `tui.editor.${name}`,
  ),
);

export function createInput(options: InputOptions): Input {
  const { theme, keys, mask } = options;
  const prompt = printableLine(options.prompt ?? '');
  // Wide enough to be one row, whatever is typed: moves by rows mean nothing here.
  const view = createView(Number.MAX_SAFE_INTEGER, 1);
  let state = editorState(oneLine(options.text ?? ''));
  let start = 0;
  let wrong: string | undefined;
  let focused = false;
  let drawn: { lines: readonly string[]; width: number } | undefined;

  function set(next: EditorState): void {
    if (next === state) return;
    const changed = next.draft.lines !== state.draft.lines;
    state = next;
    drawn = undefined;
    if (!changed) return;
    // Once told, the message follows the text; it does not scold someone who is still typing.
    if (wrong !== undefined) wrong = options.validate?.(textOf(state.draft));
    options.onChange?.(textOf(state.draft));
  }

  function submit(): void {
    const text = textOf(state.draft);
    wrong = options.validate?.(text);
    drawn = undefined;
    if (wrong === undefined) options.onSubmit?.(text);
  }

  function copy(cutIt: boolean): boolean {
    const selected = selectionOf(state.draft);
    if (selected === undefined || mask !== undefined) return false;
    options.onCopy?.(textIn(state.draft, selected));
    if (cutIt) set(edits.removeSelection(state));
    return true;
  }

  function run(action: string): boolean {
    if (notHere.has(action)) return false;
    switch (action) {
      case 'tui.editor.submit':
        submit();
        return true;
      case 'tui.editor.copy':
      case 'tui.editor.cut':
        return copy(action.endsWith('cut'));
      case 'tui.editor.cancel':
        if (state.draft.anchor === undefined) return false;
        set(move(state, state.draft.cursor));
        return true;
      case 'tui.editor.deleteBackward':
      case 'tui.editor.deleteForward':
        if (isEmpty(state.draft)) return false;
        break;
      default:
        break;
    }
    const next = applyAction(action, state, view);
    if (next === undefined) return false;
    set(next);
    return true;
  }

  function handleInput(event: InputEvent): boolean {
    if (event.type === 'focus' || (event.type === 'key' && event.kind === 'release')) return false;
    if (event.type === 'paste') {
      set(edits.insert(state, oneLine(event.text)));
      return true;
    }
    const match = keys.match(event, ['editor']);
    if (match === 'pending') return true;
    if (match !== undefined) return run(match.action);
    if (event.text === undefined || event.text === '') return false;
    set(edits.type(state, oneLine(event.text)));
    return true;
  }

  function render(width: number): readonly string[] {
    if (drawn?.width === width) return drawn.lines;
    const before = widthOf(prompt) + 4 <= width ? prompt : '';
    const room = Math.max(1, width - widthOf(before));
    const text = textOf(state.draft);
    const strip = stripOf(text, state.draft.cursor.column, room, start, mask);
    start = strip.start;
    const shown =
      text === '' && options.placeholder !== undefined
        ? (focused ? cursorMarker : '') + theme.paint('placeholder', cut(printableLine(options.placeholder), room))
        : drawStrip(strip);
    const lines = [theme.paint('editorPrompt', before) + shown];
    if (wrong !== undefined) lines.push(theme.paint('error', cut(printableLine(wrong), width)));
    drawn = { lines, width };
    return lines;
  }

  function drawStrip(strip: Strip): string {
    const selected = selectionOf(state.draft);
    const { column } = state.draft.cursor;
    let line = '';
    let placed = !focused;
    for (const { from, to, glyph } of strip.units) {
      if (!placed && to > column) {
        line += cursorMarker;
        placed = true;
      }
      const isSelected = selected !== undefined && from >= selected.from.column && to <= selected.to.column;
      line += theme.paint(isSelected ? 'editorSelection' : 'editorText', glyph);
    }
    return placed ? line : line + cursorMarker;
  }

  return {
    get focused() {
      return focused;
    },
    set focused(value) {
      if (value !== focused) drawn = undefined;
      focused = value;
    },
    render,
    handleInput,
    text: () => textOf(state.draft),
    setText: (text) => set(edits.replaceAll(state, oneLine(text))),
  };
}

function oneLine(text: string): string {
  return text.replace(/\r\n?|\n/g, ' ');
}
