/** The keys of what is asked: one set for every question, one for those that are about a deed. */
import type { Action } from '@tau/tui';

type Line = readonly [name: string, keys: readonly string[], description: string];

const inContext = (context: string, lines: readonly Line[]): Action[] =>
  lines.map(([name, keys, description]) => ({ name, keys, context, description }));

export const askActions: readonly Action[] = [
  ...inContext('ask', [
    ['app.ask.view', ['ctrl+o'], 'Everything that is asked, on the whole screen'],
    ['app.ask.scrollUp', ['pageup'], 'Scroll what is asked up'],
    ['app.ask.scrollDown', ['pagedown'], 'Scroll what is asked down'],
    ['app.ask.next', ['right'], 'The next question that waits'],
    ['app.ask.previous', ['left'], 'The question before'],
    ['app.ask.stop', ['ctrl+c'], 'Stop the work instead of answering'],
  ]),
  ...inContext('approval', [
    ['app.approval.yes', ['y'], 'Yes, once'],
    ['app.approval.session', ['s'], 'Yes, for this session'],
    ['app.approval.always', ['a'], 'Yes, always in this folder'],
    ['app.approval.no', ['n'], 'No'],
    ['app.approval.words', ['tab'], 'No, with words for the model'],
    ['app.approval.never', [], 'Do not trust the project, and do not ask again'],
  ]),
];
