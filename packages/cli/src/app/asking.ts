/** What tau asks the user at the screen: one question at a time, each answered by somebody or withdrawn with its run. */
import type { Answer, Ask, Question, Reply, SandboxState } from '@tau/agent';
import {
  createHighlighter,
  createParser,
  createViewer,
  type InputEvent,
  type KeyMatcher,
  type Sections,
  type Theme,
} from '@tau/tui';
import { type AskWorld, createApproval, shortAbout } from './panels/approval.ts';
import { everythingAbout, sectionsOf, textParts } from './panels/everything.ts';
import type { Frame } from './panels/frame.ts';
import type { Draft, Habits } from './panels/hold.ts';
import type { Panel, Panels } from './panels/panel.ts';
import { createPlanReview } from './panels/plan.ts';
import { createPreview } from './panels/preview.ts';
import { createOpenQuestion, createQuestion } from './panels/question.ts';
import { createWords } from './panels/words.ts';
import { closesAndSearches, withFoot } from './viewer/foot.ts';
import type { Viewing } from './viewing.ts';

export interface AskingOptions {
  panels: Panels;
  theme: Theme;
  keys: KeyMatcher;
  cwd: string;
  /** Rows there are for a question. */
  room(): number;
  /** What the user may be writing meanwhile. */
  draft: Draft | undefined;
  viewing: Viewing;
  sandbox(): SandboxState;
  /** Stops what runs. */
  stop(): void;
  onChange(): void;
  now?(): number;
}

export interface Asking {
  ask(ask: Ask, signal: AbortSignal): Promise<Answer>;
  question(question: Question, signal: AbortSignal): Promise<Reply>;
  /** Every key, after it was handled, wherever it went. */
  heard(event: InputEvent): void;
}

export function createAsking(options: AskingOptions): Asking {
  const { panels, theme, keys, cwd, viewing, onChange, now = Date.now } = options;
  const habits: Habits = { draft: options.draft, last: undefined, left: undefined, now };
  const highlighter = createHighlighter({ onReady: onChange });
  const parser = createParser();
  const world: AskWorld = {
    ...{ theme, keys, cwd, habits, onChange, room: options.room, turn: panels.turn, stop: options.stop },
    waiting: () => panels.waiting,
  };

  /** Shows panels until one of them gives the answer; an abort, and an answer from elsewhere, give the other. */
  function put<T>(signal: AbortSignal, unanswered: T, first: (turn: Turn<T>) => Frame): Promise<T> {
    return new Promise((resolve) => {
      let current: Panel | undefined;
      let frame: Frame | undefined;
      let closeView: (() => void) | undefined;
      const give = (value: T) => {
        signal.removeEventListener('abort', onAbort);
        closeView?.();
        frame?.end();
        if (current) panels.close(current);
        onChange();
        resolve(value);
      };
      const onAbort = () => give(unanswered);
      const show = (panel: Panel) => {
        const before = current;
        current = panel;
        if (before) panels.replace(before, panel);
        else panels.open(panel, { isAsk: true });
        onChange();
      };
      const view = (title: string, sections: Sections) =>
        viewing.show(
          (close) => {
            closeView = () => {
              closeView = undefined;
              close();
            };
            const viewer = createViewer({ theme, keys, title, sections, onChange, onClose: () => closeView?.() });
            return withFoot(viewer, { theme, keys, hints: closesAndSearches });
          },
          { isAsked: true },
        );
      if (signal.aborted) return resolve(unanswered);
      signal.addEventListener('abort', onAbort, { once: true });
      frame = first({ give, show, view });
      show(frame);
    });
  }

  function approval(ask: Ask, { give, show, view }: Turn<Answer>): Frame {
    const isPlan = ask.toolName === 'plan_exit';
    const preview = createPreview(ask, { theme, highlighter, cwd, onChange });
    const words = createWords({
      ...{ theme, keys, label: isPlan ? 'What is to be different:' : 'No, and the model hears:' },
      about: (width) => [shortAbout(ask, theme, width)],
      onWords: (text) => give(text === '' ? { outcome: 'deny' } : { outcome: 'deny', feedback: text }),
      onCancel: () => show(panel),
    });
    const deeds = {
      onAnswer: give,
      onWords: () => show(words),
      onView: () => view(isPlan ? 'The plan' : 'What is asked', everythingAbout(ask, preview, { theme, cwd })),
    };
    const panel: Frame = isPlan
      ? createPlanReview(ask, world, { ...deeds, highlighter, parser })
      : createApproval(ask, world, { ...deeds, preview, sandbox: () => sandboxLine(ask, options.sandbox()) });
    return panel;
  }

  function question(asked: Question, { give, show, view }: Turn<Reply>): Frame {
    let marked: readonly string[] = [];
    const words = createWords({
      ...{ theme, keys, label: asked.question },
      onWords: (text) => {
        const answers = [...marked, ...(text === '' ? [] : [text])];
        give(answers.length === 0 ? { declined: true } : { answers });
      },
      onCancel: () => show(panel),
    });
    const deeds = {
      onReply: give,
      onWords(labels: readonly string[]) {
        marked = labels;
        show(words);
      },
      onView: () => view('The question', everythingIn(asked, theme)),
    };
    const panel = (asked.options.length === 0 ? createOpenQuestion : createQuestion)(asked, world, deeds);
    return panel;
  }

  return {
    ask: (ask, signal) => put<Answer>(signal, { outcome: 'deny', unattended: true }, (turn) => approval(ask, turn)),
    question: (asked, signal) => put<Reply>(signal, { unattended: true }, (turn) => question(asked, turn)),
    heard(event) {
      if (event.type === 'key' && event.kind !== 'release') habits.last = { key: event.key, at: now() };
    },
  };
}

interface Turn<T> {
  give(value: T): void;
  show(panel: Panel): void;
  view(title: string, sections: Sections): void;
}

function everythingIn({ question, options }: Question, theme: Theme): Sections {
  const offered = options.map(({ label, description }) =>
    description === undefined ? label : `${label}: ${description}`,
  );
  return sectionsOf([
    ...textParts(theme.paint('title', 'the question'), question, theme),
    ...offered.flatMap((text, at) => textParts(theme.paint('title', `option ${at + 1}`), text, theme)),
  ]);
}

/** Of a command that runs outside, its effects say so. */
function sandboxLine({ toolName, decision }: Ask, { on, backend }: SandboxState): string {
  const isOutside = decision.effects.some((effect) => effect.kind === 'exec' && effect.outside === true);
  if (toolName !== 'bash' || isOutside) return '';
  return on ? `it runs in the sandbox (${backend ?? 'on'})` : 'there is no sandbox: it can do what you can';
}
