/** What the app's own keys do, and where. The editor's and the lists' come with the toolkit. */
import type { Action } from '@tau/tui';
import { askActions } from './panels/ask-keys.ts';

type Line = readonly [name: string, keys: readonly string[], description: string];

const lines: readonly Line[] = [
  ['app.interrupt', ['escape'], 'Stop the work, or close what is open; twice: clear the line, or go back'],
  ['app.clear', ['ctrl+c'], 'Clear the line, stop the work; twice: leave'],
  ['app.exit', ['ctrl+d'], 'Leave, when the line is empty'],
  ['app.suspend', ['ctrl+z'], 'Back to the shell until fg'],
  ['app.mode.cycle', ['shift+tab'], 'Next permission mode'],
  ['app.thinking.cycle', ['alt+t'], 'Next thinking level'],
  ['app.thinking.toggle', ['ctrl+t'], 'Show or fold what the model thinks'],
  ['app.tools.expand', ['ctrl+o'], 'The whole conversation, with everything in it'],
  ['app.model.select', ['ctrl+l'], 'Choose a model'],
  ['app.model.cycleForward', ['ctrl+p'], 'Next model'],
  ['app.model.cycleBackward', ['alt+p', 'ctrl+shift+p'], 'Previous model'],
  ['app.message.followUp', ['alt+enter'], 'While tau works: say it when this is done'],
  ['app.message.dequeue', ['alt+up'], 'Take back what waits'],
  ['app.paste.image', ['ctrl+v', 'alt+v'], 'Put the image of the clipboard into the prompt'],
  ['app.palette', ['ctrl+x p', 'ctrl+x ctrl+p'], 'Everything that can be done, to search in'],
  ['app.session.resume', ['ctrl+x r'], 'Go on with an earlier conversation'],
  ['app.session.new', ['ctrl+x n'], 'Another conversation'],
  ['app.session.tree', ['ctrl+x t'], 'Go back to before something you said; so does Escape twice on an empty line'],
  ['app.session.fork', ['ctrl+x f'], 'The same in a copy of the conversation'],
  ['app.jobs', ['ctrl+x j'], 'Commands in the background'],
  ['app.diff', ['ctrl+x d'], 'What changed since the last commit'],
  ['app.settings', ['ctrl+x s'], 'The settings'],
  ['app.help', ['f1'], 'Keys and commands; so does ? on an empty line'],
];

/** Lists of the app that have keys of their own. */
const inLists: readonly Action[] = [
  {
    ...{ name: 'app.sessions.delete', keys: ['ctrl+d', 'delete'], context: 'sessions' },
    description: 'Delete the conversation; once more to be sure',
  },
  { name: 'app.sessions.rename', keys: ['ctrl+r'], context: 'sessions', description: 'Give it another name' },
  {
    ...{ name: 'app.settings.reset', keys: ['delete'], context: 'settingsScreen' },
    description: 'Take it out of your settings',
  },
];

export const appActions: readonly Action[] = [
  ...lines.map(([name, keys, description]) => ({ name, keys, context: 'app', description })),
  ...inLists,
  ...askActions,
];
