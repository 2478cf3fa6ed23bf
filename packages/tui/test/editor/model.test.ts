/** The editor against the simplest thing that could be one: a string, an index, and loops over all graphemes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyAction, editingActions } from '../../src/editor/actions.ts';
import { offsetOf, selectionOf, textOf } from '../../src/editor/draft.ts';
import { insert, paste, redo, type as typeText, undo } from '../../src/editor/edits.ts';
import { type EditorState, editorState } from '../../src/editor/state.ts';
import { createView } from '../../src/editor/view.ts';
import { curious } from '../text/hostile.ts';

const view = createView(12, 5);
const pieces = ['a', 'b', 'Zed', '_x1', ' ', '  ', '.', '-', '(', '\n', '\n', '\t', ...curious];
const start = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));

interface Model {
  text: string;
  at: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Every place where the cursor may be: line by line, for a line end joins nothing. */
function places(text: string): number[] {
  const found = [0];
  let base = 0;
  for (const line of text.split('\n')) {
    for (const { index, segment } of segmenter.segment(line)) found.push(base + index + segment.length);
    base += line.length + 1;
    if (base <= text.length) found.push(base);
  }
  return found;
}

function settle(text: string, at: number): Model {
  return { text, at: places(text).find((place) => place >= at) ?? text.length };
}

function cut({ text, at }: Model, other: number): Model {
  const [from, to] = at < other ? [at, other] : [other, at];
  return settle(text.slice(0, from) + text.slice(to), from);
}

const isWord = (grapheme: string) => /^[\p{L}\p{N}\p{M}_]/u.test(grapheme);
const isInk = (grapheme: string) => /^\S/u.test(grapheme);

function next({ text, at }: Model): number {
  return places(text).find((place) => place > at) ?? at;
}

function previous({ text, at }: Model): number {
  return places(text).findLast((place) => place < at) ?? at;
}

function wordEnd(model: Model): number {
  let { at } = model;
  const unit = () => model.text.slice(at, next({ ...model, at }));
  while (at < model.text.length && !isWord(unit())) at = next({ ...model, at });
  while (at < model.text.length && isWord(unit())) at = next({ ...model, at });
  return at;
}

function wordStart(model: Model, inside: (grapheme: string) => boolean): number {
  let { at } = model;
  const unit = () => model.text.slice(previous({ ...model, at }), at);
  while (at > 0 && !inside(unit())) at = previous({ ...model, at });
  while (at > 0 && inside(unit())) at = previous({ ...model, at });
  return at;
}

function lineStart({ text, at }: Model): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd({ text, at }: Model): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

const models: Record<string, (model: Model) => Model> = {
  cursorLeft: (model) => ({ ...model, at: previous(model) }),
  cursorRight: (model) => ({ ...model, at: next(model) }),
  wordRight: (model) => ({ ...model, at: wordEnd(model) }),
  wordLeft: (model) => ({ ...model, at: wordStart(model, isWord) }),
  start: (model) => ({ ...model, at: 0 }),
  end: (model) => ({ ...model, at: model.text.length }),
  deleteBackward: (model) => cut(model, previous(model)),
  deleteForward: (model) => cut(model, next(model)),
  killToLineEnd: (model) => cut(model, lineEnd(model) === model.at ? next(model) : lineEnd(model)),
  killToLineStart: (model) => cut(model, lineStart(model) === model.at ? previous(model) : lineStart(model)),
  killWordForward: (model) =>
    cut(model, lineEnd(model) === model.at ? next(model) : Math.min(wordEnd(model), lineEnd(model))),
  killWordBackward: (model) =>
    cut(model, lineStart(model) === model.at ? previous(model) : Math.max(wordStart(model, isWord), lineStart(model))),
  killBlankWordBackward: (model) =>
    cut(model, lineStart(model) === model.at ? previous(model) : Math.max(wordStart(model, isInk), lineStart(model))),
};

const names = Object.keys(models);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom(...pieces) }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom(...names) }) },
);

function act(state: EditorState, action: string): EditorState {
  return applyAction(`tui.editor.${action}`, state, view) ?? state;
}

function placeOf({ draft }: EditorState): Model {
  return { text: textOf(draft), at: offsetOf(draft, draft.cursor) };
}

function isInMarker({ draft, pastes }: EditorState): boolean {
  const { line, column } = draft.cursor;
  return [...(draft.lines[line] ?? '').matchAll(/\[paste #[^\]]*\]/g)].some(
    ({ index, 0: marker }) => pastes.texts.has(marker) && column > index && column < index + marker.length,
  );
}

describe('the editor', () => {
  test('moves and deletes as a string with an index would', () => {
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 25 }), (text, steps) => {
        let state = editorState(text);
        let model: Model = { text, at: text.length };
        for (const one of steps) {
          if ('type' in one) {
            state = insert(state, one.type);
            const { at } = model;
            model = settle(model.text.slice(0, at) + one.type + model.text.slice(at), at + one.type.length);
          } else {
            state = act(state, one.act);
            model = models[one.act]?.(model) ?? model;
          }
          expect(placeOf(state), JSON.stringify(one)).toEqual(model);
        }
      }),
      { seed: 8, numRuns: 250 },
    );
  });

  test('undone to the end is the start, redone to the end is the end, whatever was done', () => {
    const any = fc.oneof(
      fc.record({ type: fc.constantFrom(...pieces) }),
      fc.record({ paste: fc.constantFrom('two\nlines', 'x'.repeat(1200), 'line\n'.repeat(12)) }),
      fc.record({ act: fc.constantFrom(...editingActions) }),
    );
    fc.assert(
      fc.property(start, fc.array(any, { maxLength: 30 }), (text, steps) => {
        let state = editorState(text);
        const first = state.draft.lines;
        for (const one of steps) {
          if ('type' in one) state = typeText(state, one.type);
          else if ('paste' in one) state = paste(state, one.paste);
          else state = applyAction(one.act, state, view) ?? state;
          expect(places(textOf(state.draft))).toContain(offsetOf(state.draft, state.draft.cursor));
          expect(isInMarker(state)).toBe(false);
        }
        // What was undone on the way is done again first.
        while (redo(state) !== state) state = redo(state);
        const last = placeOf(state);
        while (undo(state) !== state) state = undo(state);
        expect(state.draft.lines).toEqual(first);
        while (redo(state) !== state) state = redo(state);
        expect(placeOf(state).text).toBe(last.text);
      }),
      { seed: 9, numRuns: 250 },
    );
  });

  test('what is selected is what the way was', () => {
    const ways = [
      'selectLeft',
      'selectRight',
      'selectUp',
      'selectDown',
      'selectWordLeft',
      'selectLineEnd',
      'selectStart',
    ];
    fc.assert(
      fc.property(start, fc.array(fc.constantFrom(...ways), { minLength: 1, maxLength: 6 }), (text, steps) => {
        const begin = act(act(editorState(text), 'wordLeft'), 'cursorLeft');
        let state = begin;
        for (const one of steps) state = act(state, one);
        const a = placeOf(begin).at;
        const b = placeOf(state).at;
        const selected = selectionOf(state.draft);
        expect(selected === undefined).toBe(a === b);
        if (selected === undefined) return;
        expect(textOf(act(state, 'deleteBackward').draft)).toBe(
          text.slice(0, Math.min(a, b)) + text.slice(Math.max(a, b)),
        );
      }),
      { seed: 10, numRuns: 150 },
    );
  });
});
