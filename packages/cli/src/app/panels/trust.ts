/** Whether a project is trusted: what it would enable, all of it to be read, and the answers, the safe one first. */
import type { TrustStatus } from '@tau/agent';
import { createSelectList, type KeyMatcher, type Theme, wrap } from '@tau/tui';
import { statusLines } from '../../trust/lines.ts';
import { lettered } from './approval.ts';
import { exactRows } from './exact-rows.ts';
import { createFrame, type Frame, scrollHint } from './frame.ts';
import type { Habits } from './hold.ts';
import { createScroll } from './scroll.ts';

/** `no` for now, `never` also for later. */
export type TrustAnswer = 'yes' | 'no' | 'never';

export interface TrustOptions {
  theme: Theme;
  keys: KeyMatcher;
  habits: Habits;
  room(): number;
  onAnswer(answer: TrustAnswer): void;
  onView(lines: readonly string[]): void;
  onLeave(): void;
  onChange(): void;
}

export function createTrust(status: TrustStatus, options: TrustOptions): Frame {
  const { theme, keys, habits, room, onAnswer, onChange } = options;
  const text = statusLines(status).join('\n').split('\n');
  const rows = (width: number) => exactRows(text, width, theme);
  let known: { width: number; lines: readonly string[] } | undefined;
  const lines = (width: number) => {
    if (known?.width !== width) known = { width, lines: rows(width) };
    return known.lines;
  };
  const choices = [
    { value: 'no' as const, action: 'app.approval.no', label: 'No, not now: it works without all that' },
    { value: 'yes' as const, action: 'app.approval.yes', label: 'Yes, I trust exactly what is there now' },
    { value: 'never' as const, action: 'app.approval.never', label: 'No, and do not ask again' },
  ];
  return createFrame({
    ...{ theme, keys, room, habits, onChange },
    title: (width) => wrap(theme.paint('askTitle', 'Trust this project?'), width),
    body: createScroll({ theme, lines, fold: 'start', hint: () => scrollHint(keys) }),
    answers: createSelectList<TrustAnswer>({
      ...{ theme, keys, items: lettered(choices, keys) },
      onSelect: ([answer = 'no']) => onAnswer(answer),
      onCancel: () => onAnswer('no'),
    }),
    hints: () => [
      { action: 'app.ask.view', label: 'everything' },
      { action: 'tui.list.cancel', label: 'not now' },
      { action: 'app.ask.stop', label: 'leave' },
    ],
    contexts: ['approval', 'ask'],
    act(action) {
      switch (action) {
        case 'app.approval.yes':
          onAnswer('yes');
          return true;
        case 'app.approval.no':
          onAnswer('no');
          return true;
        case 'app.approval.never':
          onAnswer('never');
          return true;
        case 'app.ask.view':
          options.onView(text);
          return true;
        case 'app.ask.stop':
          options.onLeave();
          return true;
        default:
          // Letters that mean something to other questions mean nothing here.
          return action.startsWith('app.approval.');
      }
    },
  });
}
