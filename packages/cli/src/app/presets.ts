/** Keys as in other programs, for whoever has the habit: `"preset"` in keybindings.json. The toolkit has more of them. */
import type { Preset } from '@tau/tui';

export const appPresets: Readonly<Record<string, Preset>> = {
  /** Session actions under Ctrl, thinking under Shift+Tab. */
  rab: {
    'app.session.resume': ['ctrl+r', 'ctrl+x r'],
    'app.session.new': ['ctrl+n', 'ctrl+x n'],
    'app.session.tree': ['ctrl+g', 'ctrl+x t'],
    'app.session.fork': ['ctrl+f', 'ctrl+x f'],
    'app.thinking.cycle': ['shift+tab'],
    'app.mode.cycle': ['alt+m'],
    'tui.editor.historySearch': ['ctrl+x ctrl+r'],
    'tui.editor.cursorRight': ['right'],
    'tui.editor.external': ['ctrl+e'],
    'tui.editor.lineEnd': ['end'],
  },
  /** A palette under Ctrl+P, chords under Ctrl+K, undo under Ctrl+Z. */
  crab: {
    'app.palette': ['ctrl+p', 'ctrl+k p'],
    'app.help': ['f1', 'ctrl+k h'],
    'app.jobs': ['ctrl+k t'],
    'app.diff': ['ctrl+k d'],
    'app.model.cycleForward': ['alt+p'],
    'app.model.cycleBackward': ['alt+shift+p'],
    'app.suspend': ['ctrl+x ctrl+z'],
    'tui.editor.killToLineEnd': ['ctrl+x k'],
    'tui.editor.undo': ['ctrl+z', 'ctrl+_', 'ctrl+-'],
    'tui.editor.redo': ['ctrl+y', 'alt+_'],
    'tui.editor.yank': ['ctrl+x y'],
  },
};
