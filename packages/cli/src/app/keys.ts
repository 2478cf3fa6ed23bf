/** What the app's own keys do, and where. The editor's and the lists' come with the toolkit. */
import type { Action } from '@tau/tui';
import { askActions } from './panels/ask-keys.ts';

type Line = readonly [name: string, keys: readonly string[], description: string];

const lines: readonly Line[] = [
  ['app.interrupt', ['escape'], 'Stop the work, or close what is open'],
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
  ['app.palette', ['ctrl+x p', 'ctrl+x ctrl+p'], 'Everything that can be done, to search in'],
  ['app.session.resume', ['ctrl+x r'], 'Go on with an earlier conversation'],
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
