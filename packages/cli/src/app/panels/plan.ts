/** A plan for review: as the model wrote it, what a yes brings with it, and the answers, the safe one first. */
import type { Answer, Ask } from '@tau/agent';
import { createMarkdown, createSelectList, type Highlighter, type Parser, wrap } from '@tau/tui';
import { planRules, textOf } from '../../repl/approval.ts';
import { type AskWorld, actOnAsk, askHints, lettered } from './approval.ts';
import { createFrame, type Frame, scrollHint } from './frame.ts';
import { createScroll } from './scroll.ts';

export interface PlanOptions {
  highlighter: Highlighter;
  parser: Parser;
  onAnswer(answer: Answer): void;
  /** Not so, with words for the model: whoever shows it asks for them. */
  onWords(): void;
  onView(): void;
}

type Choice = 'no' | 'yes' | 'words';

export function createPlanReview(ask: Ask, world: AskWorld, options: PlanOptions): Frame {
  const { theme, keys, room, habits, onChange } = world;
  const { highlighter, parser, onAnswer, onWords } = options;
  const markdown = createMarkdown(textOf(ask.input.plan), { theme, highlighter, parser, onChange });
  const answer = (choice: Choice) =>
    choice === 'words' ? onWords() : onAnswer({ outcome: choice === 'yes' ? 'allow' : 'deny' });
  const choices = [
    { value: 'no' as const, action: 'app.approval.no', label: 'No, go on planning' },
    { value: 'yes' as const, action: 'app.approval.yes', label: 'Yes, carry it out' },
    { value: 'words' as const, action: 'app.approval.words', label: 'No, and say what to change' },
  ];
  return createFrame({
    ...{ theme, keys, room, habits, onChange },
    title: (width) => wrap(theme.paint('askTitle', 'Carry out this plan?'), width),
    body: createScroll({ theme, lines: markdown.render, fold: 'start', hint: () => scrollHint(keys) }),
    notes: (width) =>
      planRules(ask.input, ask.decision.offer ?? []).flatMap((line) =>
        wrap(theme.paint('warning', `· ${line.trim()}`), width, { hang: 2 }),
      ),
    answers: createSelectList<Choice>({
      ...{ theme, keys, items: lettered(choices, keys) },
      onSelect: ([choice = 'no']) => answer(choice),
      onCancel: () => answer('no'),
    }),
    hints: () => askHints(world),
    contexts: ['approval', 'ask'],
    act(action) {
      switch (action) {
        case 'app.approval.yes':
          answer('yes');
          return true;
        case 'app.approval.no':
          answer('no');
          return true;
        case 'app.approval.words':
          answer('words');
          return true;
        // A plan is approved once: there is nothing to keep.
        case 'app.approval.session':
        case 'app.approval.always':
          return true;
        default:
          return actOnAsk(action, world, options.onView);
      }
    },
  });
}
