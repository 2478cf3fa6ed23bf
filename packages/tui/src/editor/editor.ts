/** The editor as a component: keys become actions, actions the next state, the state lines. */
import type { InputEvent, KeyEvent } from '../input/event.ts';
import { applyAction } from './actions.ts';
import { createPopup, drawPopup } from './completion/popup.ts';
import { type Draft, endOf, isEmpty, lineAt, offsetOf, same, selectionOf, textIn, textOf } from './draft.ts';
import type { Scene } from './draw.ts';
import * as edits from './edits.ts';
import { frameOf, type Look, plainLook } from './frame.ts';
import { createHistory, type Recall, recall } from './history.ts';
import { isOnFirstRow, isOnLastRow, jump } from './moves.ts';
import type { Editor, EditorOptions } from './options.ts';
import { expandPastes, isBig, lossOf, lostMarkers } from './pastes.ts';
import { drawMode, drawPicture, sceneOf } from './picture.ts';
import { createSearch } from './search.ts';
import { change, type EditorState, editorState, move } from './state.ts';
import { createView, type RowPosition } from './view.ts';
import { noteTyped, onUnit, startVim, type Typed, type Vim } from './vim/machine.ts';
import { vimKey } from './vim/vim.ts';

const defaultRows = 10;
const mostStashed = 20;

export function createEditor(options: EditorOptions): Editor {
  const { theme, keys } = options;
  const history = options.history ?? createHistory();
  let state = editorState();
  let vim: Vim | undefined;
  let look: Look = { ...plainLook, ...options.look };
  let view = createView(80, defaultRows);
  let top: RowPosition = { line: 0, row: 0 };
  let recalled: Recall | undefined;
  let stash: readonly Draft[] = [];
  let ghost = '';
  let jumping: 'forward' | 'backward' | undefined;
  let away = false;
  let focused = false;
  let drawn: { lines: readonly string[]; width: number; height: number } | undefined;

  const update = () => {
    drawn = undefined;
    options.onUpdate?.();
  };
  const onError = (error: unknown) => options.onError?.(error);
  const popup = createPopup({ provider: options.provider ?? { complete: () => undefined }, onAnswer: update, onError });
  const search = createSearch(history, keys);

  /** The one place where the state changes. */
  function set(next: EditorState): void {
    if (next === state) return;
    const changed = next.draft.lines !== state.draft.lines;
    state = vim?.mode === 'normal' ? onUnit(next) : next;
    drawn = undefined;
    if (!changed) return;
    recalled = undefined;
    ghost = '';
    options.onChange?.();
  }

  function ask(forced: boolean): void {
    const { draft } = state;
    const { line, column } = draft.cursor;
    popup.ask((signal) => ({
      // Joined only for a provider that wants to know: the text may be long.
      get text() {
        return textOf(draft);
      },
      get cursor() {
        return offsetOf(draft, draft.cursor);
      },
      before: lineAt(draft, line).slice(0, column),
      first: line === 0,
      forced,
      signal,
    }));
    drawn = undefined;
  }

  function accept(submits: boolean): boolean {
    const open = popup.open();
    const item = open?.items[open.selected];
    if (open === undefined || item === undefined) return false;
    const { cursor } = state.draft;
    const from = { line: cursor.line, column: Math.min(open.from, cursor.column) };
    const typed = textIn(state.draft, { from, to: cursor });
    const isMeant = !popup.isLate || item.value.startsWith(typed);
    popup.close();
    if (!isMeant) {
      // Typed faster than it was looked up: it was offered for another text, and nobody chose it for this one.
      if (submits) enter();
      return true;
    }
    set(change(state, { from, to: cursor }, item.value));
    if (item.continues) ask(false);
    else if (submits && (item.submits || item.value === typed)) submit();
    return true;
  }

  function enter(): void {
    const next = edits.continueLine(state);
    if (next === undefined) submit();
    else set(next);
  }

  function submit(): void {
    const written = textOf(state.draft);
    const text = expandPastes(written, state.pastes);
    popup.close();
    if (text.trim() === '') return;
    const lost = lostMarkers(written, state.pastes);
    history.add(text);
    clear();
    options.onSubmit?.(text);
    for (const marker of lost) onError(new Error(lossOf(marker)));
  }

  function clear(): void {
    const { kills, pastes } = state;
    recalled = undefined;
    ghost = '';
    popup.close();
    state = { ...editorState(), kills, pastes };
    if (vim !== undefined) vim = { ...vim, mode: 'insert', keys: [], insert: startVim(state).insert };
    drawn = undefined;
    options.onChange?.();
  }

  function fromHistory(direction: 'older' | 'newer'): boolean {
    const found = recall(history, recalled, state.draft, direction);
    if (found === undefined) return false;
    popup.close();
    set(edits.replaceAll(state, found.text));
    // At the edge that the next key of the same kind will want to leave.
    const first = { line: 0, column: lineAt(state.draft, 0).length };
    set(move(state, direction === 'older' ? first : endOf(state.draft)));
    if (direction === 'older' && !isOnFirstRow(state, view)) set(move(state, { line: 0, column: 0 }));
    recalled = found.recall;
    return true;
  }

  function vertical(action: string, direction: 'older' | 'newer'): boolean {
    const atEdge = direction === 'older' ? isOnFirstRow(state, view) : isOnLastRow(state, view);
    if (atEdge && fromHistory(direction)) return true;
    const next = applyAction(atEdge ? `tui.editor.${direction === 'older' ? 'start' : 'end'}` : action, state, view);
    if (next !== undefined) set(next);
    return true;
  }

  function typeText(text: string): void {
    set(edits.type(state, text));
    note({ kind: 'text', text });
    ask(false);
  }

  function note(typed: Typed): void {
    if (vim?.mode === 'insert') vim = noteTyped(vim, typed);
  }

  function takeGhost(): boolean {
    if (ghost === '' || !same(state.draft.cursor, endOf(state.draft))) return false;
    set(edits.insert(state, ghost));
    return true;
  }

  function copy(cutIt: boolean): boolean {
    const selected = selectionOf(state.draft);
    if (selected === undefined) return false;
    options.onCopy?.(expandPastes(textIn(state.draft, selected), state.pastes));
    if (cutIt) set(edits.removeSelection(state));
    return true;
  }

  function putAside(): void {
    popup.close();
    if (!isEmpty(state.draft)) {
      stash = [...stash, state.draft].slice(-mostStashed);
      set(edits.replaceAll(state, ''));
      return;
    }
    const kept = stash.at(-1);
    stash = stash.slice(0, -1);
    if (kept !== undefined) set(move(edits.replaceAll(state, textOf(kept)), kept.cursor));
  }

  async function editElsewhere(): Promise<void> {
    if (options.onExternal === undefined || away) return;
    away = true;
    try {
      const text = await options.onExternal(expandPastes(textOf(state.draft), state.pastes));
      if (text !== undefined) set(edits.replaceAll(state, text.replace(/\n$/, '')));
    } catch (error) {
      onError(error);
    } finally {
      away = false;
      update();
    }
  }

  function cancel(): boolean {
    if (state.draft.anchor === undefined) return false;
    set(move(state, state.draft.cursor));
    return true;
  }

  /** True when the action is known and did something that the key was for. */
  function run(action: string): boolean {
    switch (action) {
      case 'tui.editor.submit':
        enter();
        return true;
      case 'tui.editor.cursorUp':
        return vertical(action, 'older');
      case 'tui.editor.cursorDown':
        return vertical(action, 'newer');
      case 'tui.editor.historyOlder':
        fromHistory('older');
        return true;
      case 'tui.editor.historyNewer':
        fromHistory('newer');
        return true;
      case 'tui.editor.historySearch':
        popup.close();
        search.start();
        drawn = undefined;
        return true;
      case 'tui.editor.jumpForward':
      case 'tui.editor.jumpBackward':
        jumping = action.endsWith('Forward') ? 'forward' : 'backward';
        return true;
      case 'tui.editor.stash':
        putAside();
        return true;
      case 'tui.editor.complete':
        if (!takeGhost()) complete();
        return true;
      case 'tui.editor.copy':
        return copy(false);
      case 'tui.editor.cut':
        return copy(true);
      case 'tui.editor.external':
        void editElsewhere();
        return options.onExternal !== undefined;
      case 'tui.editor.cancel':
        return cancel();
      case 'tui.completion.up':
      case 'tui.completion.down':
        popup.select(action.endsWith('up') ? -1 : 1);
        drawn = undefined;
        return true;
      case 'tui.completion.accept':
        return accept(false);
      case 'tui.completion.submit':
        return accept(true);
      case 'tui.completion.close':
        popup.close();
        drawn = undefined;
        return true;
      default:
        return edit(action);
    }
  }

  /** Tab: the only completion is taken at once. */
  function complete(): void {
    ask(true);
    if (popup.open()?.items.length === 1) accept(false);
  }

  function edit(action: string): boolean {
    const erases = action === 'tui.editor.deleteBackward' || action === 'tui.editor.deleteForward';
    // On an empty editor they may mean something to the program: leave a mode, end.
    if (erases && isEmpty(state.draft)) return false;
    if ((action === 'tui.editor.cursorRight' || action === 'tui.editor.lineEnd') && takeGhost()) return true;
    const next = applyAction(action, state, view);
    if (next === undefined) return false;
    set(next);
    note({ kind: 'action', action });
    if (erases) ask(false);
    else popup.close();
    return true;
  }

  function vimInput(event: KeyEvent): boolean {
    if (vim === undefined || (vim.mode === 'insert' && popup.open() !== undefined)) return false;
    const key = event.key === 'ctrl+[' ? 'escape' : (event.text ?? event.key);
    const result = vimKey({ vim, state }, key, retype);
    vim = result.vim;
    set(result.state);
    if (result.used) drawn = undefined;
    switch (result.effect) {
      case 'submit':
        submit();
        break;
      case 'quit':
        options.onQuit?.();
        break;
      case 'older':
      case 'newer':
        fromHistory(result.effect);
        break;
      case undefined:
        break;
    }
    return result.used;
  }

  function retype(at: EditorState, typed: Typed): EditorState {
    return typed.kind === 'text' ? edits.type(at, typed.text) : (applyAction(typed.action, at, view) ?? at);
  }

  function keyInput(event: KeyEvent): boolean {
    if (jumping !== undefined) {
      const direction = jumping;
      jumping = undefined;
      if (event.text !== undefined) {
        set(jump(state, event.text, direction));
        return true;
      }
    }
    if (vimInput(event)) return true;
    const match = keys.match(event, popup.open() === undefined ? ['editor'] : ['completion', 'editor']);
    if (match === 'pending') return true;
    if (match !== undefined) return run(match.action);
    if (event.text === undefined || event.text === '' || vim?.mode === 'normal') return false;
    typeText(event.text);
    return true;
  }

  function paste(text: string): void {
    const instead = options.onPaste?.(text) ?? text;
    if (instead === '') return;
    set(edits.paste(state, instead));
    if (!isBig(instead)) note({ kind: 'text', text: instead });
    popup.close();
  }

  function searchInput(event: InputEvent): boolean {
    const result = search.handle(event);
    drawn = undefined;
    if (result.text !== undefined) set(edits.replaceAll(state, result.text));
    // A key that the search has no use for ends it and is then the editor's.
    return result.again && event.type === 'key' ? keyInput(event) : true;
  }

  function handleInput(event: InputEvent): boolean {
    if (event.type === 'focus' || (event.type === 'key' && event.kind === 'release') || away) return false;
    if (search.active()) return searchInput(event);
    if (event.type === 'paste') {
      paste(event.text);
      return true;
    }
    return keyInput(event);
  }

  function render(width: number): readonly string[] {
    const height = Math.max(
      1,
      typeof options.maxRows === 'function' ? options.maxRows() : (options.maxRows ?? defaultRows),
    );
    if (drawn?.width === width && drawn.height === height) return drawn.lines;
    const { inner } = frameOf(width, look);
    if (view.width !== inner || view.height !== height) view = createView(inner, height);
    const found = search.shown();
    const open = popup.open();
    const picture = drawPicture(
      {
        scene: found ?? draftScene(),
        top: found === undefined ? top : { line: 0, row: 0 },
        mode: drawMode(vim, theme, focused),
        under: search.active() ? [search.line(width, theme, focused)] : open ? drawPopup(open, width, theme) : [],
        view,
        look,
        theme,
      },
      width,
    );
    if (found === undefined) top = picture.top;
    drawn = { lines: picture.lines, width, height };
    return picture.lines;
  }

  function draftScene(): Scene {
    const scene = sceneOf(state, vim, look);
    const { highlight } = options;
    const cursor = scene.cursor && focused && !search.active();
    return { ...scene, cursor, ghost, ...(highlight === undefined ? {} : { highlight }) };
  }

  const editor: Editor = {
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
    expanded: () => expandPastes(textOf(state.draft), state.pastes),
    setText(text) {
      popup.close();
      set(edits.replaceAll(state, text));
    },
    insert: (text) => set(edits.insert(state, text)),
    clear,
    setLook(some) {
      look = { ...look, ...some };
      drawn = undefined;
    },
    suggest(text) {
      ghost = text;
      drawn = undefined;
    },
    setVim(on) {
      if (on === (vim !== undefined)) return;
      vim = on ? startVim(state) : undefined;
      drawn = undefined;
    },
    mode: () => vim?.mode,
    inner: () => (search.active() ? 'historySearch' : popup.open() === undefined ? undefined : 'completion'),
    stashed: () => stash.length,
  };
  if (options.vim) editor.setVim(true);
  return editor;
}
