/** All of an editor as lines: the text in its frame, and below it the search or the completions. */
import { cursorMarker } from '../component.ts';
import { cut } from '../text/cut.ts';
import type { Role, Theme } from '../theme/theme.ts';
import { drawText, type Scene } from './draw.ts';
import { framed, frameOf, type Look } from './frame.ts';
import { hasRow } from './rows.ts';
import type { EditorState } from './state.ts';
import type { RowPosition, View } from './view.ts';
import { modeLabel, type Vim, type VimMode } from './vim/machine.ts';
import { visualPart } from './vim/visual.ts';

export interface Picture {
  scene: Scene;
  view: View;
  top: RowPosition;
  look: Look;
  theme: Theme;
  /** Vim's mode, painted; empty without vim. */
  mode: string;
  under: readonly string[];
}

export function drawPicture(picture: Picture, width: number): { lines: readonly string[]; top: RowPosition } {
  const { scene, view, look, theme } = picture;
  const { rows, window } = drawText(scene, view, picture.top, theme);
  const { top } = window;
  const last = window.rows.at(-1) ?? top;
  const partBelow = hasRow(view.rows(scene.draft, last.line, scene.pastes), last.row + 1) ? 1 : 0;
  const words = {
    above: top.line + (top.row > 0 ? 1 : 0),
    below: scene.draft.lines.length - 1 - last.line + partBelow,
    mode: picture.mode,
  };
  const lines = [...framed(rows, frameOf(width, look), width, look, theme, words), ...picture.under];
  // Narrower than anything is meant for: cut, but never too wide.
  return { lines: width < 4 ? lines.map((line) => cut(line, width)) : lines, top };
}

/** The draft as it is drawn while nothing is searched for. */
export function sceneOf(state: EditorState, vim: Vim | undefined, look: Look): Scene {
  const visual = vim?.mode === 'visual' || vim?.mode === 'visualLine' ? { vim, state } : undefined;
  return {
    draft: state.draft,
    pastes: state.pastes,
    cursor: vim?.mode !== 'command',
    text: 'editorText',
    selected: 'editorSelection',
    placeholder: look.placeholder,
    ghost: '',
    ...(visual === undefined ? {} : { selection: visualPart(visual).range }),
  };
}

const modeRoles: Record<VimMode, Role> = {
  insert: 'vimInsert',
  normal: 'vimNormal',
  command: 'vimNormal',
  visual: 'vimVisual',
  visualLine: 'vimVisual',
};

/** Vim's mode in its colour; the command line with the cursor. */
export function drawMode(vim: Vim | undefined, theme: Theme, focused: boolean): string {
  if (vim === undefined) return '';
  return theme.paint(modeRoles[vim.mode], modeLabel(vim)) + (vim.mode === 'command' && focused ? cursorMarker : '');
}
