/**
 * Keeps what somebody is writing from answering a question that opens meanwhile. While a prompt is being written, keys
 * go on into it until the user turns to the question with Tab. Without one, a letter answers only when it comes alone:
 * letters in a row are words. A key that was pressed before the question was drawn, or that is still held down from
 * before, answers nothing.
 */
import type { Component, InputEvent, KeyEvent } from '@tau/tui';

/** The prompt being written. */
export interface Draft extends Component {
  focused: boolean;
  text(): string;
  /** Of vim, where Escape is a part of writing. */
  mode?(): string | undefined;
  handleInput(event: InputEvent): boolean;
}

/** What all questions of a sitting know together. */
export interface Habits {
  draft: Draft | undefined;
  /** The last key, wherever it went. */
  last: { key: string; at: number } | undefined;
  /** The prompt as it was when the user turned from it to a question. */
  left: string | undefined;
  now(): number;
}

export interface Hold {
  /** Keys go to the prompt. */
  readonly isWriting: boolean;
  readonly draft: Draft | undefined;
  /** The question has the keys now. */
  begin(): void;
  drawn(): void;
  handle(event: InputEvent): boolean;
  /** Something else has them. */
  leave(): void;
}

/** Who writes does not pause for longer without a thought. */
const pauseMs = 700;
/** Letters of a word come faster after one another. */
const burstMs = 250;
/** A key that is held down, or was pressed twice by mistake. */
const repeatMs = 400;

export interface HoldOptions {
  habits: Habits;
  /** To the question. */
  pass(event: InputEvent): boolean;
  /** It is answered in words, so letters in a row are an answer. */
  takesWords: boolean;
  onChange(): void;
}

export function createHold({ habits, pass, takesWords, onChange }: HoldOptions): Hold {
  const { draft, now } = habits;
  let isWriting = false;
  let isDrawn = false;
  let isOpen = false;
  /** A letter that came alone so far. One that was held down since before does not answer even so. */
  let waiting: { event: KeyEvent; answers: boolean; timer: NodeJS.Timeout } | undefined;

  function write(...events: readonly InputEvent[]): void {
    isWriting = draft !== undefined;
    if (draft) draft.focused = true;
    for (const event of events) draft?.handleInput(event);
    // It was sent, or there is nothing left of it.
    if (draft?.text() === '') turn();
  }

  function turn(): void {
    isWriting = false;
    habits.left = draft?.text();
    if (draft) draft.focused = false;
  }

  function takeWaiting(): typeof waiting {
    const taken = waiting;
    clearTimeout(taken?.timer);
    waiting = undefined;
    return taken;
  }

  function handleWriting(event: InputEvent): void {
    const isPaused = now() - (habits.last?.at ?? 0) > pauseMs;
    const key = event.type === 'key' ? event.key : '';
    const isTurning = turning.includes(key) || (key === 'escape' && draft?.mode?.() === undefined);
    if (isTurning && isPaused) turn();
    else write(event);
  }

  function handleKey(event: KeyEvent): boolean {
    if (takesWords && event.key !== 'enter') return pass(event);
    const isText = event.text !== undefined && event.key !== 'space' && event.key !== 'enter';
    const { last } = habits;
    const isHeldDown = event.kind === 'repeat' || (last?.key === event.key && now() - last.at < repeatMs);
    if (isHeldDown && !isText && answering.includes(event.key)) return true;
    if (waiting && isText && event.kind === 'repeat') return true;
    const before = takeWaiting();
    if (before && isText) write(before.event, event);
    else if (isText) wait(event, !isHeldDown);
    else {
      if (before?.answers) pass(before.event);
      return !isOpen || pass(event);
    }
    return true;
  }

  /** Whether others follow is known in a moment. */
  function wait(event: KeyEvent, answers: boolean): void {
    const timer = setTimeout(() => {
      waiting = undefined;
      if (answers) pass(event);
      onChange();
    }, burstMs);
    waiting = { event, answers, timer };
  }

  return {
    draft,
    get isWriting() {
      return isWriting;
    },
    begin() {
      isOpen = true;
      isDrawn = false;
      const text = draft?.text() ?? '';
      if (text !== '' && text !== habits.left) write();
    },
    drawn() {
      isDrawn = true;
    },
    handle(event) {
      if (event.type === 'focus') return pass(event);
      if (event.type === 'key' && event.kind === 'release') return false;
      if (isWriting) handleWriting(event);
      else if (!isDrawn) write(event);
      else return event.type === 'key' ? handleKey(event) : pass(event);
      return true;
    },
    leave() {
      isOpen = false;
      if (isWriting && draft) draft.focused = false;
      isWriting = false;
      takeWaiting();
    },
  };
}

/** Those that answer besides letters. */
const answering = ['enter', 'escape', 'tab'];
/** Those that turn from the prompt to the question, after a pause. They do nothing else by it. */
const turning = ['tab', 'enter', 'ctrl+c'];
