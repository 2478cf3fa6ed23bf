/** What is asked at the screen: which key answers what, and what never answers. */
import { expect, test } from 'vitest';
import { type Choice, createChoice } from '../../src/app/panels/choose.ts';
import { asked, keys, takeSeat } from './seat.ts';

const command = (offer?: readonly string[]) =>
  asked('bash', { command: 'npm test' }, offer === undefined ? {} : { offer });

test.each([
  ['Enter', [keys.enter], { outcome: 'deny' }],
  ['Escape', [keys.escape], { outcome: 'deny' }],
  ['n', ['n'], { outcome: 'deny' }],
  ['y', ['y'], { outcome: 'allow' }],
  ['s', ['s'], { outcome: 'allow', scope: 'session' }],
  ['a', ['a'], { outcome: 'allow', scope: 'always' }],
  ['Down and Enter', [keys.down, keys.enter], { outcome: 'allow' }],
  ['Tab, words and Enter', [keys.tab, 'no, use pnpm', keys.enter], { outcome: 'deny', feedback: 'no, use pnpm' }],
  ['Tab and Enter without words', [keys.tab, keys.enter], { outcome: 'deny' }],
])('%s on a fresh panel gives its answer and closes it', async (_, pressed, answer) => {
  const seat = takeSeat();
  const given = seat.ask(command(['bash(npm test)']));
  seat.press(...pressed);
  expect(await given.value()).toEqual(answer);
  expect(seat.panels.current).toBeUndefined();
});

test('the panel names the tool, its class, the command, why it is asked, the rule that would be kept, and what holds it', () => {
  const seat = takeSeat();
  seat.ask(
    asked(
      'bash',
      { command: 'npm test' },
      { class: 'package-manager', rule: 'bash(npm *)', offer: ['bash(npm test)'] },
    ),
  );
  const text = seat.shown().join('\n');
  for (const part of [
    'bash: run this command? [package-manager]',
    '  npm test',
    'asked because why not (rule bash(npm *))',
    'a longer yes allows bash(npm test)',
    'there is no sandbox: it can do what you can',
    '› n   No',
    '  s   Yes, for this session',
    'Ctrl+O everything',
  ]) {
    expect(text).toContain(part);
  }
});

test('what is asked every time has no longer yes, and its letters do nothing', async () => {
  const seat = takeSeat();
  const given = seat.ask(command());
  expect(seat.shown().join('\n')).not.toContain('session');
  seat.press('s', 'a');
  expect(await given.value()).toBeUndefined();
  seat.press('n');
  expect(await given.value()).toEqual({ outcome: 'deny' });
});

test('letters that come in a row are words: they go to the prompt and answer nothing', async () => {
  const seat = takeSeat();
  const given = seat.ask(command(['bash(npm test)']));
  seat.shown();
  seat.type('y', 'e', 's');
  seat.pass(1000);
  expect(await given.value()).toBeUndefined();
  expect(seat.editor.text()).toBe('yes');
  expect(seat.shown().join('\n')).toContain('You are writing');
});

test('while a prompt is being written keys go on into it, however long the pause, until Tab turns to the question', async () => {
  const seat = takeSeat();
  seat.type('I would ');
  const given = seat.ask(command(['bash(npm test)']));
  seat.shown();
  seat.type('a', 'l');
  seat.pass(60_000);
  seat.type('y');
  seat.pass(300);
  expect(seat.editor.text()).toBe('I would aly');
  seat.type(keys.enter);
  expect(seat.sent).toEqual(['I would aly']);
  expect(await given.value()).toBeUndefined();
  seat.type('more');
  expect(await given.value()).toBeUndefined();
  expect(seat.editor.text()).toBe('more');
  seat.pass(1000);
  seat.press(keys.tab, 'y');
  expect(await given.value()).toEqual({ outcome: 'allow' });
  // The prompt is as it was, and the next question is not held up by it.
  const next = seat.ask(command());
  expect(seat.editor.text()).toBe('more');
  seat.press('y');
  expect(await next.value()).toEqual({ outcome: 'allow' });
});

test('Enter after a pause in writing neither sends what is half written nor answers', async () => {
  const seat = takeSeat();
  seat.type('half');
  const given = seat.ask(command());
  seat.pass(1000);
  seat.press(keys.enter);
  expect([seat.sent, seat.editor.text(), await given.value()]).toEqual([[], 'half', undefined]);
  seat.press(keys.enter);
  expect(await given.value()).toEqual({ outcome: 'deny' });
});

test('a key that is still held down from the answer before answers nothing, and neither does one from before the first frame', async () => {
  const seat = takeSeat();
  const first = seat.ask(command());
  const second = seat.ask(command());
  seat.shown();
  seat.type('y');
  seat.pass(260);
  expect(await first.value()).toEqual({ outcome: 'allow' });
  seat.shown();
  seat.type('y');
  seat.pass(300);
  expect(await second.value()).toBeUndefined();
  seat.press(keys.escape);
  const third = seat.ask(command());
  seat.type(keys.enter);
  expect(await third.value()).toBeUndefined();
});

test('a key after a letter that was still held down does not make that letter an answer, and a quick second key is not lost', async () => {
  const seat = takeSeat();
  const first = seat.ask(command());
  const second = seat.ask(command());
  seat.shown();
  seat.type('y');
  seat.pass(260);
  expect(await first.value()).toEqual({ outcome: 'allow' });
  seat.shown();
  seat.type('y', keys.down);
  expect(await second.value()).toBeUndefined();
  seat.press(keys.escape);
  const reply = seat.question({ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: true });
  seat.shown();
  seat.type('2', keys.space, keys.enter);
  expect(await reply.value()).toEqual({ answers: ['b'] });
});

test('of several the others are counted, the arrows go round them, and each gets its own answer', async () => {
  const seat = takeSeat();
  const names = ['first', 'second', 'third'];
  const given = names.map((name) => seat.ask(asked('bash', { command: name })));
  expect(seat.shown().join('\n')).toMatch(/ {2}first\n.*2 more wait/s);
  seat.press(keys.right);
  expect(seat.shown().join('\n')).toContain('  second');
  seat.press('y');
  expect(await given[1]?.value()).toEqual({ outcome: 'allow' });
  expect(seat.shown().join('\n')).toMatch(/ {2}third\n.*1 more waits/s);
  seat.press(keys.left);
  expect(seat.shown().join('\n')).toContain('  first');
  seat.press('n', 'y');
  expect(await Promise.all(given.map((one) => one.value()))).toEqual([
    { outcome: 'deny' },
    { outcome: 'allow' },
    { outcome: 'allow' },
  ]);
});

test('an answer from elsewhere closes the panel, its words and its viewer', async () => {
  const seat = takeSeat();
  const elsewhere = new AbortController();
  const given = seat.ask(command(), elsewhere.signal);
  seat.press(keys.ctrlO);
  expect(seat.viewing.isOpen).toBe(true);
  elsewhere.abort();
  expect([seat.viewing.isOpen, seat.panels.current]).toEqual([false, undefined]);
  expect(await given.value()).toEqual({ outcome: 'deny', unattended: true });
  const other = new AbortController();
  seat.ask(command(), other.signal);
  seat.press(keys.tab);
  other.abort();
  expect(seat.panels.current).toBeUndefined();
});

test('Ctrl+C stops the work instead of answering', async () => {
  const seat = takeSeat();
  const given = seat.ask(command());
  seat.press(keys.ctrlC);
  expect([seat.stops(), await given.value()]).toEqual([1, undefined]);
});

test('Escape goes back from the words, which are still there the next time', async () => {
  const seat = takeSeat();
  const given = seat.ask(command());
  seat.press(keys.tab, 'because', keys.escape);
  expect(seat.shown().join('\n')).toContain('run this command?');
  seat.press(keys.tab, keys.enter);
  expect(await given.value()).toEqual({ outcome: 'deny', feedback: 'because' });
});

const plan = asked(
  'plan_exit',
  { plan: '# Mend it\n\n1. read `a.ts`\n2. **test**', allowed_prompts: ['bash(npm test)', 'bash(rm *)'] },
  { everyTime: true, offer: ['bash(npm test)'] },
);

test('a plan is shown as the model wrote it, with the rules that a yes brings and those that it does not', () => {
  const seat = takeSeat();
  seat.ask(plan);
  const text = seat.shown().join('\n');
  expect(text).toContain('Carry out this plan?');
  expect(text).toContain('Mend it');
  expect(text).toContain('y also allows, for this session: bash(npm test)');
  expect(text).toContain('asked about as usual, though the plan wants it: bash(rm *)');
});

test.each([
  ['Enter', [keys.enter], { outcome: 'deny' }],
  ['y', ['y'], { outcome: 'allow' }],
  ['s, which a plan does not have, and then n', ['s', 'n'], { outcome: 'deny' }],
  ['Tab and words', [keys.tab, 'smaller', keys.enter], { outcome: 'deny', feedback: 'smaller' }],
])('%s answers a plan', async (_, pressed, answer) => {
  const seat = takeSeat();
  const given = seat.ask(plan);
  seat.press(...pressed);
  expect(await given.value()).toEqual(answer);
});

const options = [{ label: 'red', description: 'like a rose' }, { label: 'blue' }];

test.each([
  ['Enter', false, [keys.enter], { answers: ['red'] }],
  ['a number', false, ['2'], { answers: ['blue'] }],
  ['the last number and words', false, ['3', 'green', keys.enter], { answers: ['green'] }],
  ['Escape', false, [keys.escape], { declined: true }],
  ['marks', true, [keys.space, '2', keys.space, keys.enter], { answers: ['red', 'blue'] }],
  [
    'marks and words',
    true,
    [keys.space, '3', keys.space, keys.enter, 'green', keys.enter],
    { answers: ['red', 'green'] },
  ],
])('a question with options is answered by %s', async (_, multiSelect, pressed, reply) => {
  const seat = takeSeat();
  const given = seat.question({ question: 'Which colour?', options, multiSelect });
  expect(seat.shown().join('\n')).toMatch(/Which colour\?\n\n.*1\. red +like a rose\n.*3\. Something else/s);
  seat.press(...pressed);
  expect(await given.value()).toEqual(reply);
});

test('an option that does not fit on its line stands above the list, whole', () => {
  const seat = takeSeat();
  const description = `like ${'a rose and '.repeat(12)}a sunset`;
  seat.question({ question: 'Which colour?', options: [{ label: 'red', description }], multiSelect: false });
  expect(seat.shown().join(' ')).toContain(`red: ${description}`);
});

test('a question without options is answered in words as they are typed, and an empty line declines', async () => {
  const seat = takeSeat();
  const given = seat.question({ question: 'Your name?', options: [], multiSelect: false });
  seat.press('yes, Ada', keys.enter);
  expect(await given.value()).toEqual({ answers: ['yes, Ada'] });
  const declined = seat.question({ question: 'Your name?', options: [], multiSelect: false });
  seat.press(keys.enter);
  expect(await declined.value()).toEqual({ declined: true });
});

test('a question that comes while a list is open waits unseen, is counted, and opens when the list is closed', async () => {
  const seat = takeSeat();
  const chosen: string[] = [];
  const openList = () => {
    const list: Choice<string> = createChoice<string>({
      ...{ theme: seat.theme, keys: seat.keymap, title: 'Which one', rows: () => 24 },
      items: [{ value: 'one', label: 'one' }],
      onCancel: () => seat.panels.close(list),
      onChoose([value = '']) {
        seat.panels.close(list);
        chosen.push(value);
      },
    });
    seat.panels.open(list);
  };
  openList();
  const given = seat.ask(command());
  expect(seat.shown().join('\n')).toContain('Which one');
  expect([seat.panels.asks, seat.panels.unseen]).toEqual([1, 1]);
  seat.press('y', keys.escape);
  expect(await given.value()).toBeUndefined();
  expect(seat.shown().join('\n')).toContain('run this command?');
  expect([seat.panels.asks, seat.panels.unseen]).toEqual([1, 0]);
  seat.press('y');
  expect(await given.value()).toEqual({ outcome: 'allow' });

  // The other way round: the list waits behind the question.
  const second = seat.ask(command());
  openList();
  expect([seat.panels.asks, seat.panels.unseen]).toEqual([1, 0]);
  seat.press('n');
  expect(await second.value()).toEqual({ outcome: 'deny' });
  expect(seat.shown().join('\n')).toContain('Which one');
  seat.press(keys.enter);
  expect(chosen).toEqual(['one']);
  expect(seat.panels.current).toBeUndefined();
});
