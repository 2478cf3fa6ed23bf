/** A question of the model: its options to choose from, or a line for an answer in words. */
import type { Question, Reply } from '@tau/agent';
import { createSelectList, type InputEvent, type SelectItem, stripAnsi, wrap } from '@tau/tui';
import { entirely, exactlyInLine } from '../../render/exactly.ts';
import { type AskWorld, actOnAsk, askHints } from './approval.ts';
import { createFrame, type Frame, scrollHint } from './frame.ts';
import type { Panel } from './panel.ts';
import { createScroll, type Scroll } from './scroll.ts';
import { createWordsEditor } from './words.ts';

export interface QuestionOptions {
  onReply(reply: Reply): void;
  /** In words, beside what is marked: whoever shows it asks for them. */
  onWords(marked: readonly string[]): void;
  onView(): void;
}

/** None of the options. */
const inWords = Symbol('in words');
type Choice = string | typeof inWords;

const maxDetailChars = 1000;

export function createQuestion(question: Question, world: AskWorld, options: QuestionOptions): Frame {
  const { theme, keys, room, habits, onChange } = world;
  const { options: offered, multiSelect } = question;
  const { onReply, onWords } = options;
  const items = itemsOf(question);
  const list = createSelectList<Choice>({
    ...{ theme, keys, items, multiple: multiSelect },
    onSelect(values) {
      const answers = values.filter((one) => typeof one === 'string');
      if (answers.length < values.length) onWords(answers);
      else onReply({ answers });
    },
    onCancel: () => onReply({ declined: true }),
  });

  /** The number of an option chooses it; where several can be, it goes there. */
  function choose(event: InputEvent): boolean {
    const item = event.type === 'key' && /^[1-9]$/.test(event.key) ? items[Number(event.key) - 1] : undefined;
    if (item === undefined) return false;
    if (multiSelect) list.select(item.value);
    else if (typeof item.value === 'string') onReply({ answers: [item.value] });
    else onWords([]);
    return true;
  }

  const answers: Panel = {
    get focused() {
      return list.focused;
    },
    set focused(on) {
      list.focused = on;
    },
    render: list.render,
    handleInput: (event) => choose(event) || list.handleInput(event),
  };
  return createFrame({
    ...{ theme, keys, room, habits, onChange, answers },
    title: () => [],
    body: questionBody(question, world),
    notes(width) {
      // The list shows as much of an option as fits on a line; where that is not all of each, the whole one stands here.
      const current = offered.find(({ label }) => label === list.current);
      const rows = list.render(width).map((row) => stripAnsi(row).trimEnd());
      if (!current || offered.every((one) => rows.some((row) => showsAll(row, one)))) return [];
      const text = [current.label, current.description].filter((one) => one !== undefined).join(': ');
      return wrap(theme.paint('muted', exactlyInLine(text, maxDetailChars)), width);
    },
    hints: () => [
      ...(multiSelect ? [{ action: 'tui.list.toggle', label: 'marks' }] : []),
      { action: 'tui.list.select', label: 'answers' },
      ...askHints(world, 'no answer'),
    ],
    contexts: ['ask'],
    act: (action) => actOnAsk(action, world, options.onView),
  });
}

function showsAll(row: string, { label, description }: Question['options'][number]): boolean {
  const [name, about] = [label, description ?? ''].map((text) => exactlyInLine(text, maxDetailChars));
  return row.includes(name ?? '') && row.endsWith(about ?? '');
}

/** A question without options. */
export function createOpenQuestion(question: Question, world: AskWorld, options: QuestionOptions): Frame {
  const { theme, keys, room, habits, onChange } = world;
  const { onReply } = options;
  const editor = createWordsEditor(theme, keys, (text) =>
    onReply(text === '' ? { declined: true } : { answers: [text] }),
  );
  const answers: Panel = {
    get focused() {
      return editor.focused;
    },
    set focused(on) {
      editor.focused = on;
    },
    render: editor.render,
    handleInput(event) {
      const isEscape = event.type === 'key' && event.kind !== 'release' && event.key === 'escape';
      if (!isEscape) return editor.handleInput(event);
      onReply({ declined: true });
      return true;
    },
  };
  return createFrame({
    ...{ theme, keys, room, habits, onChange, answers, takesWords: true },
    title: () => [],
    body: questionBody(question, world),
    hints: () => [{ action: 'tui.editor.submit', label: 'answers' }, ...askHints(world, 'no answer')],
    contexts: ['ask'],
    // The arrows move in the text.
    act: (action) =>
      !action.startsWith('app.ask.') || isMove(action) ? false : actOnAsk(action, world, options.onView),
  });
}

const isMove = (action: string) => action === 'app.ask.next' || action === 'app.ask.previous';

function questionBody({ question }: Question, { theme, keys }: AskWorld): Scroll {
  const text = entirely(question);
  let known: { width: number; lines: readonly string[] } | undefined;
  const lines = (width: number) => {
    if (known?.width !== width) known = { width, lines: wrap(theme.paint('askTitle', text), width) };
    return known.lines;
  };
  return createScroll({ theme, lines, fold: 'start', hint: () => scrollHint(keys) });
}

function itemsOf({ options: offered }: Question): SelectItem<Choice>[] {
  const items: SelectItem<Choice>[] = offered.map(({ label, description }) => ({
    value: label,
    label,
    ...(description !== undefined && { description }),
  }));
  const all: SelectItem<Choice>[] = [...items, { value: inWords, label: 'Something else, in words' }];
  return all.map((item, at) => ({ ...item, label: `${at < 9 ? `${at + 1}. ` : '   '}${item.label}` }));
}
