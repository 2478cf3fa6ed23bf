/** A terminal toolkit: screen, input, text, components. It knows nothing about agents. */

export { type BorderStyle, createBox } from './boxes/box.ts';
export { createHints, type Hint } from './boxes/hints.ts';
export { createColumn, createRow } from './boxes/layout.ts';
export { createLoader } from './boxes/loader.ts';
export { createProgress } from './boxes/progress.ts';
export { createSpinner, type SpinnerStyle } from './boxes/spinner.ts';
export { createCutText, createLines, createRule, createSpacer, createText } from './boxes/text.ts';
export { createToasts, type ToastKind } from './boxes/toasts.ts';
export { type AnsiText, type AnsiTextOptions, createAnsiText } from './code/ansi-text.ts';
export { type CodeBlock, type CodeBlockOptions, createCodeBlock } from './code/code-block.ts';
export { type Folded, type FoldSize, truncateToVisualLines } from './code/fold.ts';
export { createHighlighter, type Highlighter } from './code/highlighter.ts';
export { type LanguageHint, languageOf } from './code/languages.ts';
export { createOutput, type Output, settleOutput } from './code/output.ts';
export { type Component, cursorMarker, type Focusable } from './component.ts';
export { type CompareOptions, type Differ, loadDiffer } from './diff/differ.ts';
export type { DiffLine, FileDiff, Hunk } from './diff/model.ts';
export { parseUnified } from './diff/parse.ts';
export { createDiffView, type DiffViewOptions } from './diff/view.ts';
export {
  type CombinedOptions,
  type Command,
  combinedProvider,
  type PathEntry,
} from './editor/completion/combined.ts';
export {
  type Completion,
  type CompletionProvider,
  type CompletionRequest,
  type Completions,
  firstOf,
} from './editor/completion/provider.ts';
export { droppedPaths } from './editor/drops.ts';
export { createEditor } from './editor/editor.ts';
export type { Look } from './editor/frame.ts';
export { createHistory, type History } from './editor/history.ts';
export { createInput, type Input, type InputOptions } from './editor/input.ts';
export type { Editor, EditorOptions } from './editor/options.ts';
export { createImage, type Image, type ImageOptions } from './image/image.ts';
export { isImageLine } from './image/sequences.ts';
export { type ImageInfo, imageInfo } from './image/size.ts';
export { createDecoder, type Decoder } from './input/decoder.ts';
export type { FocusEvent, InputEvent, KeyEvent, PasteEvent } from './input/event.ts';
export type { Reply } from './input/reply.ts';
export type { Action, Binding } from './keys/action.ts';
export { defaultActions } from './keys/defaults.ts';
export { type Keybindings, type KeyProblem, readKeybindings } from './keys/file.ts';
export { type HelpRow, helpRows } from './keys/help.ts';
export { createKeymap, type KeyMatcher, type Keymap, type Match } from './keys/keymap.ts';
export { normalChord, normalKey } from './keys/name.ts';
export { type Preset, toolkitPresets } from './keys/presets.ts';
export { printKey } from './keys/print.ts';
export { createSelectList, type SelectItem, type SelectList } from './lists/select-list.ts';
export { createSettingsList, type Setting, type SettingsList } from './lists/settings-list.ts';
export { createTable, type Table, type TableColumn } from './lists/table.ts';
export { createTabs, type Tab, type Tabs } from './lists/tabs.ts';
export { createTree, type Tree, type TreeNode } from './lists/tree.ts';
export { createMarkdown, type Markdown } from './markdown/markdown.ts';
export { createParser, type Parser } from './markdown/parser.ts';
export { createMarkdownStream, type MarkdownOptions, type MarkdownStream } from './markdown/stream.ts';
export type { FullView } from './screen/full.ts';
export type { Anchor, OverlayOptions } from './screen/overlay.ts';
export { createPlainScreen } from './screen/plain.ts';
export { createScreen, type Opened, type Screen, type ScreenOptions } from './screen/screen.ts';
export { startTui, type Tui, type TuiOptions } from './start.ts';
export type { Capabilities } from './terminal/capabilities.ts';
export { createProbe, type Probe } from './terminal/probe.ts';
export { createProcessTerminal, type EndSignal } from './terminal/process.ts';
export { copy, mark, notification, progress, title, titlePop, titlePush } from './terminal/sequences.ts';
export type { Terminal } from './terminal/terminal.ts';
export { printable, printableLine, stripAnsi } from './text/ansi.ts';
export { cut, cutMiddle, cutStart, pad, slice } from './text/cut.ts';
export { fuzzyFilter, fuzzyMatch } from './text/fuzzy.ts';
export { graphemes } from './text/graphemes.ts';
export { link } from './text/link.ts';
export { graphemeWidth, widthOf } from './text/width.ts';
export { type WrapOptions, wrap } from './text/wrap.ts';
export type { TerminalGround } from './theme/auto.ts';
export { builtinThemes } from './theme/builtin.ts';
export type { ColourDepth } from './theme/colours.ts';
export { colourDepth } from './theme/depth.ts';
export { loadThemes, openTheme, type ThemeOptions } from './theme/load.ts';
export { problemText, type ThemeProblem, type ThemeSource } from './theme/source.ts';
export { type Role, roles, type Theme } from './theme/theme.ts';
export { type ThemeChange, type ThemeWatch, watchTheme } from './theme/watch.ts';
export type { Section, Sections } from './viewer/document.ts';
export { createViewer, textSections, type Viewer, type ViewerOptions } from './viewer/viewer.ts';
