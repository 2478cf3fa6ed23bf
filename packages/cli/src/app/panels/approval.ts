/** An ask at the screen: what exactly would be done and why it is asked, then the answers, the safe one first. */
import type { Answer, Ask } from '@tau/agent';
import {
  createSelectList,
  cut,
  type Hint,
  type KeyMatcher,
  pad,
  printKey,
  type SelectItem,
  type Theme,
  widthOf,
  wrap,
} from '@tau/tui';
import { exactlyInLine } from '../../render/exactly.ts';
import { effectTexts, whyText } from '../../repl/approval.ts';
import { createFrame, type Frame, scrollHint } from './frame.ts';
import type { Habits } from './hold.ts';
import { changing, type Preview } from './preview.ts';
import { createScroll } from './scroll.ts';

/** What every question of a sitting is shown with. */
export interface AskWorld {
  theme: Theme;
  keys: KeyMatcher;
  cwd: string;
  habits: Habits;
  /** Rows there are for the question. */
  room(): number;
  /** How many more wait. */
  waiting(): number;
  /** Another one of those that wait. */
  turn(step: 1 | -1): void;
  /** Stops the run that asks. */
  stop(): void;
  onChange(): void;
}

export interface ApprovalOptions {
  preview: Preview;
  /** How a command is held, in a few words. */
  sandbox(): string;
  onAnswer(answer: Answer): void;
  /** No, with words for the model: whoever shows it asks for them. */
  onWords(): void;
  onView(): void;
}

type Choice = 'once' | 'session' | 'always' | 'no' | 'words';

const maxNameChars = 200;
const maxRuleChars = 300;
const maxRules = 5;

export function createApproval(ask: Ask, world: AskWorld, options: ApprovalOptions): Frame {
  const { theme, keys, cwd, room, habits, onChange } = world;
  const { preview, onAnswer, onWords } = options;
  const { offer } = ask.decision;
  const answer = (choice: Choice) => {
    switch (choice) {
      case 'once':
        return onAnswer({ outcome: 'allow' });
      case 'session':
      case 'always':
        return onAnswer({ outcome: 'allow', scope: choice });
      case 'no':
        return onAnswer({ outcome: 'deny' });
      case 'words':
        return onWords();
    }
  };
  return createFrame({
    ...{ theme, keys, room, habits, onChange },
    title: (width) => titleLines(ask, world, width),
    body: createScroll({ theme, lines: preview.lines, fold: 'ends', hint: () => scrollHint(keys) }),
    notes: (width) => noteLines(ask, options.sandbox(), theme, cwd, width),
    answers: createSelectList<Choice>({
      ...{ theme, keys, items: choicesFor(ask, keys) },
      onSelect: ([choice = 'no']) => answer(choice),
      onCancel: () => answer('no'),
    }),
    hints: () => askHints(world),
    contexts: ['approval', 'ask'],
    act(action) {
      const choice = choiceOf(action);
      if (choice === undefined) return actOnAsk(action, world, options.onView);
      // What is not offered is no answer.
      if (offer === undefined && (choice === 'session' || choice === 'always')) return true;
      answer(choice);
      return true;
    },
  });
}

/** What the keys do that every question has. */
export function actOnAsk(action: string, { turn, stop, waiting }: AskWorld, view: () => void): boolean {
  switch (action) {
    case 'app.ask.view':
      view();
      return true;
    case 'app.ask.next':
    case 'app.ask.previous':
      if (waiting() === 0) return false;
      turn(action === 'app.ask.next' ? 1 : -1);
      return true;
    case 'app.ask.stop':
      stop();
      return true;
    default:
      return false;
  }
}

export function askHints({ waiting }: AskWorld, onEscape = 'no'): Hint[] {
  const more = waiting();
  return [
    ...(more > 0
      ? [{ action: ['app.ask.previous', 'app.ask.next'], label: `${more} more ${more === 1 ? 'waits' : 'wait'}` }]
      : []),
    { action: 'app.ask.view', label: 'everything' },
    { action: 'tui.list.cancel', label: onEscape },
    { action: 'app.ask.stop', label: 'stop the work' },
  ];
}

function choiceOf(action: string): Choice | undefined {
  switch (action) {
    case 'app.approval.yes':
      return 'once';
    case 'app.approval.session':
      return 'session';
    case 'app.approval.always':
      return 'always';
    case 'app.approval.no':
      return 'no';
    case 'app.approval.words':
      return 'words';
    default:
      return undefined;
  }
}

function titleLines({ toolName, decision }: Ask, { theme }: AskWorld, width: number): string[] {
  const name = exactlyInLine(toolName, maxNameChars);
  const title = changing.includes(toolName)
    ? `${name}: make this change?`
    : toolName === 'bash'
      ? `${name}: run this command?`
      : `${name}: do this?`;
  const badge = theme.paint(decision.class === 'dangerous' ? 'askDanger' : 'muted', `[${decision.class}]`);
  return wrap(`${theme.paint('askTitle', title)} ${badge}`, width);
}

function noteLines(ask: Ask, sandbox: string, theme: Theme, cwd: string, width: number): string[] {
  const { offer = [] } = ask.decision;
  const rules = offer.slice(0, maxRules).map((rule) => exactlyInLine(rule, maxRuleChars));
  const more = offer.length - rules.length;
  const texts = [
    ...(rules.length === 0 ? [] : [`a longer yes allows ${rules.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    `asked because ${whyText(ask)}`,
    ...(sandbox === '' ? [] : [sandbox]),
    ...effectTexts(ask, cwd),
  ];
  return texts.flatMap((text) => wrap(theme.paint('muted', `· ${text}`), width, { hang: 2 }));
}

function choicesFor({ decision: { offer } }: Ask, keys: KeyMatcher): SelectItem<Choice>[] {
  const choices: readonly (readonly [value: Choice, action: string, label: string])[] = [
    ['no', 'no', 'No'],
    ['once', 'yes', 'Yes, once'],
    ...(offer === undefined
      ? []
      : ([
          ['session', 'session', 'Yes, for this session'],
          ['always', 'always', 'Yes, always in this folder'],
        ] as const)),
    ['words', 'words', 'No, and tell the model why'],
  ];
  return lettered(
    choices.map(([value, action, label]) => ({ value, action: `app.approval.${action}`, label })),
    keys,
  );
}

/** Each with the key that chooses it. */
export function lettered<T>(
  choices: readonly { value: T; action: string; label: string }[],
  keys: KeyMatcher,
): SelectItem<T>[] {
  const names = choices.map(({ action }) => keys.keysFor(action).slice(0, 1).map(printKey).join(''));
  const width = Math.max(...names.map(widthOf));
  return choices.map(({ value, label }, at) => ({ value, label: `${pad(names[at] ?? '', width)} ${label}` }));
}

/** One line of what it is about, for where there is no room for more. */
export function shortAbout({ toolName, input }: Ask, theme: Theme, width: number): string {
  const { command, path, plan } = input;
  const what = [command, path, plan].find((one) => typeof one === 'string') ?? '';
  return cut(theme.paint('muted', exactlyInLine(`${toolName} ${what}`, maxRuleChars)), width);
}
