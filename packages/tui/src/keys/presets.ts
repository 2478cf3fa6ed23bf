/** Keys for people with habits, laid over the defaults. A program adds its own presets beside these. */

/** Action to keys; an empty list takes them away. */
export type Preset = Readonly<Record<string, readonly string[]>>;

export const toolkitPresets: Readonly<Record<string, Preset>> = {
  default: {},
  emacs: {
    'tui.list.pageDown': ['pagedown', 'ctrl+v'],
    'tui.list.pageUp': ['pageup', 'alt+v'],
    'tui.list.cancel': ['escape', 'ctrl+g', 'ctrl+c'],
    'tui.tree.expand': ['right', 'ctrl+f'],
    'tui.tree.collapse': ['left', 'ctrl+b'],
    'tui.editor.cursorUp': ['up', 'ctrl+p'],
    'tui.editor.cursorDown': ['down', 'ctrl+n'],
    'tui.editor.transpose': ['ctrl+t', 'ctrl+x ctrl+t'],
  },
  vim: {
    // In a list that is filtered by typing a letter goes to the filter; the arrows and Ctrl keys still move.
    'tui.list.down': ['down', 'j', 'ctrl+n', 'ctrl+j'],
    'tui.list.up': ['up', 'k', 'ctrl+p', 'ctrl+k'],
    'tui.list.pageDown': ['pagedown', 'ctrl+f', 'ctrl+d'],
    'tui.list.pageUp': ['pageup', 'ctrl+b'],
    'tui.list.first': ['home', 'g g'],
    'tui.list.last': ['end', 'shift+g'],
    'tui.tree.expand': ['right', 'l', 'z o'],
    'tui.tree.collapse': ['left', 'h', 'z c'],
    'tui.tree.expandAll': ['ctrl+right', 'z shift+r'],
    'tui.tree.collapseAll': ['ctrl+left', 'z shift+m'],
    'tui.tabs.next': ['tab', 'right', 'g t'],
    'tui.tabs.previous': ['shift+tab', 'left', 'g shift+t'],
    'tui.settings.next': ['right', 'space', 'l'],
    'tui.settings.previous': ['left', 'h'],
  },
};
