/** What is around the conversation, each part by itself: footer, warnings, calls back, title, working line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '@tau/agent';
import { openTheme, stripAnsi, widthOf } from '@tau/tui';
import { expect, onTestFinished, test } from 'vitest';
import { createBranch } from '../../src/app/around/branch.ts';
import { cellsOf } from '../../src/app/around/context-picture.ts';
import { createFullness } from '../../src/app/around/fullness.ts';
import { thousands } from '../../src/app/around/meter.ts';
import { modeWhy } from '../../src/app/around/mode-why.ts';
import { newsFor } from '../../src/app/around/news.ts';
import { createNotifier, type NotifyWay } from '../../src/app/around/notify.ts';
import { createTitle } from '../../src/app/around/title.ts';
import { createWorking } from '../../src/app/around/working.ts';
import { createFooter, type FooterWorld } from '../../src/app/footer.ts';
import { changesIn } from '../../src/commands/changelog.ts';
import { codeBlocks } from '../../src/commands/copy.ts';

const { theme } = openTheme('dark', { depth: 'truecolour' });

function footerOf(change: Partial<FooterWorld> = {}) {
  const world: FooterWorld = {
    agent: {
      model: { provider: 'anthropic', id: 'claude', api: 'anthropic-messages', baseUrl: 'http://127.0.0.1' },
      ...{ thinking: 'high', permissionMode: 'default', approval: { policy: 'ask' } },
      sandbox: { on: false, reason: 'none' },
    },
    ...{ cwd: '/work/project', branch: () => 'main', jobs: () => 2, asks: () => 0, statuses: () => [] },
    meter: { context: 150_000, window: 200_000, input: 1_234_567, output: 4321, cost: 1.5 },
    ...{ status: () => undefined, own: () => undefined, why: () => 'there is no sandbox' },
    ...change,
  };
  const footer = createFooter(world, theme);
  return (width: number) => footer.render(width).map((line) => stripAnsi(line).trimEnd());
}

test('the footer tells place, branch, model, mode and why, sandbox, jobs, tokens, money and context', () => {
  const [first = '', second = ''] = footerOf()(120);
  expect(first).toMatch(/^\/work\/project ⎇ main {10,}anthropic\/claude · high$/);
  expect(second).toMatch(
    /^default \(there is no sandbox\) · no sandbox · 2 in background {3,}↑1\.2M ↓4\.3k · \$1\.50 · 75 % of 200k$/,
  );
});

test('in a narrow window the mode and the context are the last to go, and no line is too wide', () => {
  const hostile = { cwd: `/work/${'界'.repeat(40)}\u001b[2J\u202e`, branch: () => `b\u0007${'x'.repeat(99)}` };
  for (let width = 12; width <= 130; width++) {
    const lines = footerOf(hostile)(width);
    for (const line of lines) {
      expect(widthOf(line), line).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    }
    if (width >= 60) expect(lines[1]).toMatch(/^default.* no sandbox · 2 in background.* 75 % of 200k$/);
    if (width >= 80) expect(lines[1]).toContain('default (there is no sandbox)');
    else if (width < 60) expect(lines[1]).not.toContain('(');
  }
});

test("a word for the moment and a line of the user's take the first line, and never the mode", () => {
  expect(footerOf({ status: () => 'Nothing waits', own: () => ['mine'] })(80)[0]).toBe('Nothing waits');
  const own = footerOf({ own: () => ['mine', 'and more'] })(80);
  expect(own.slice(0, 2)).toEqual(['mine', 'and more']);
  expect(own[2]).toContain('default');
});

test('tokens are told as short as they can be', () => {
  expect([0, 999, 1000, 9999, 10_000, 999_499, 1_000_000, 1_048_576].map(thousands)).toEqual([
    ...['0', '999', '1.0k', '10.0k', '10k', '999k', '1M', '1M'],
  ]);
});

test('the context is warned about at 70, 80 and 90 percent, once each, and again after it was emptier', () => {
  const meter = { context: 0, window: 100 };
  const fullness = createFullness(meter);
  const at = (context: number) => {
    meter.context = context;
    return /(\d+) %/.exec(fullness() ?? '')?.[1];
  };
  expect([69, 70, 75, 85, 89, 95, 99, 20, 71, 92].map(at)).toEqual([
    ...[undefined, '70', undefined, '85', undefined, '95', undefined, undefined, '71', '92'],
  ]);
});

test('nothing is warned about where the window is not known, nor what was so at the beginning', () => {
  expect(createFullness({ context: 1e9, window: undefined })()).toBeUndefined();
  expect(createFullness({ context: 95, window: 100 })()).toBeUndefined();
});

function notifying(way: NotifyWay = 'auto') {
  const sent: string[] = [];
  let time = 0;
  const notifier = createNotifier({
    way: () => way,
    capabilities: () => ({ notifications: 'osc9' }),
    send: (sequence) => sent.push(sequence),
    desktop: async () => false,
    now: () => time,
  });
  return {
    ...{ notifier, sent },
    pass(ms: number) {
      time += ms;
    },
  };
}

test('who looks at the window is not called, who left it is', () => {
  const { notifier, sent } = notifying();
  notifier.input({ type: 'focus', focused: true });
  notifier.asks('bash waits');
  expect(sent).toEqual([]);
  notifier.input({ type: 'focus', focused: false });
  notifier.asks('bash waits');
  notifier.ends('The work is done', 10_000);
  expect(sent).toEqual(['\u001b]9;tau: bash waits\u0007', '\u001b]9;tau: The work is done\u0007']);
});

test('a run of a moment calls nobody, and off is off', () => {
  const { notifier, sent } = notifying();
  notifier.input({ type: 'focus', focused: false });
  notifier.ends('The work is done', 500);
  expect(sent).toEqual([]);
  const off = notifying('off');
  off.notifier.input({ type: 'focus', focused: false });
  off.notifier.asks('x');
  expect(off.sent).toEqual([]);
});

test('where the terminal does not tell who looks, no key for a while means nobody', () => {
  const { notifier, sent, pass } = notifying('bell');
  notifier.input({ type: 'key', key: 'a', kind: 'press' });
  pass(5000);
  notifier.asks('x');
  expect(sent).toEqual([]);
  pass(20_000);
  notifier.asks('x');
  expect(sent).toEqual(['\u0007']);
});

test('a desktop without notifications leaves it to the terminal', async () => {
  const { notifier, sent } = notifying('desktop');
  notifier.input({ type: 'focus', focused: false });
  notifier.asks('x');
  await expect.poll(() => sent).toEqual(['\u001b]9;tau: x\u0007']);
});

test('the title says what goes on, is written only when it changes, and cannot be broken by a name', () => {
  const sent: string[] = [];
  let name: string | undefined;
  const title = createTitle({
    cwd: '/work/shop',
    name: () => name,
    hasProgress: () => true,
    send: (one) => sent.push(one),
  });
  title('nothing');
  title('nothing');
  title('work');
  name = 'a\u0007b';
  title('question');
  expect(sent).toEqual([
    '\u001b]2;τ shop\u0007',
    ...['\u001b]2;● shop\u0007', '\u001b]9;4;3\u0007'],
    ...['\u001b]2;? a b\u0007', '\u001b]9;4;0\u0007'],
  ]);
});

test('the working line says what is done at this moment, for how long, and how much was written', () => {
  let time = 0;
  let isStopping = false;
  const working = createWorking({
    ...{ theme, now: () => time, since: () => 0, isStopping: () => isStopping, isShell: () => false },
  });
  const event = (one: RunEvent) => working.event({ ...one, timestamp: '' });
  const shown = () => stripAnsi(working.render(100)[0] ?? '').slice(2);
  event({ type: 'turn_start', turn: 1 });
  expect(shown()).toBe('waiting for the model (0 s · esc stops)');
  event({ type: 'message_update', delta: { kind: 'thinking', index: 0, text: 'hm' } });
  expect(shown()).toBe('thinking (0 s · ↓ 1 tokens · esc stops)');
  event({ type: 'message_update', delta: { kind: 'text', index: 1, text: 'x'.repeat(6000) } });
  time = 65_000;
  expect(shown()).toBe('answering (1 min 5 s · ↓ 1.5k tokens · esc stops)');
  const begin = (toolCallId: string, command: string) =>
    event({ type: 'tool_execution_start', toolCallId, toolName: 'bash', input: { command } });
  begin('a', 'npm test');
  expect(shown()).toMatch(/^running npm \(/);
  begin('b', 'make');
  expect(shown()).toMatch(/^running npm and 1 more \(/);
  isStopping = true;
  expect(shown()).toMatch(/stopping\)$/);
});

test('why the mode is so is told only where nobody has chosen it', () => {
  const agent = {
    permissionMode: 'default',
    settings: {},
    sandbox: { on: true },
    trust: 'untrusted',
  } as const;
  expect(modeWhy(agent, 'default')).toBe('project not trusted');
  expect(modeWhy({ ...agent, sandbox: { on: false } }, 'default')).toBe('no sandbox here');
  expect(modeWhy({ ...agent, permissionMode: 'auto', trust: 'trusted' }, 'auto')).toMatch(/^trusted project/);
  expect(modeWhy(agent, undefined)).toBeUndefined();
  expect(modeWhy({ ...agent, settings: { permissionMode: 'default' } }, 'default')).toBeUndefined();
  expect(modeWhy({ ...agent, permissionMode: 'plan' }, 'default')).toBeUndefined();
});

test('every kind in the picture of the context is seen, and together they fit', () => {
  expect(cellsOf([1, 50_000, 0, 10], 100_000, 20)).toEqual([1, 10, 0, 1]);
  expect(cellsOf([90, 90, 90], 100, 10)).toEqual([8, 1, 1]);
  expect(cellsOf([], 0, 10)).toEqual([]);
});

test('after an update there is news once; the first start and a broken note bring none', () => {
  const home = mkdtempSync(join(tmpdir(), 'tau-news-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const file = join(home, 'CHANGELOG.md');
  const news = (version: string, place = home) => newsFor(version, place, file);
  expect(news('1.0.0')).toBeUndefined();
  expect(news('1.1.0')).toBe('tau 1.1.0; 1.0.0 ran here before. /changelog tells what changed');
  expect(news('1.1.0')).toBeUndefined();
  // A version that is not released yet grows without another number.
  writeFileSync(file, '# Changelog\n\n## Unreleased\n\nFirst words.\n\nKeys:\n\n- presets\n\nColours:\n\n- more\n');
  expect(news('1.1.0')).toBe(
    'tau 1.1.0; an older state of it ran here before. Colours; Keys; Unreleased. /changelog tells what changed',
  );
  expect(news('1.1.0')).toBeUndefined();
  writeFileSync(join(home, 'state.json'), '[');
  expect(news('1.2.0')).toBeUndefined();
  expect(news('1.3.0', join(home, 'state.json', 'inside'))).toBeUndefined();
});

test('what changed is told with the newest first, whether a version is released or not', () => {
  const unreleased = '## Unreleased\n\nFirst words.\n\nKeys:\n\n- presets\n  for all\n\nColours:\n\n- more';
  const lines = (text: string) => changesIn(text).flatMap((change) => change.lines);
  expect(lines(`# Changelog\n\n${unreleased}\n\n## 1.0.0\n\n- the first\n`)).toEqual([
    ...['## Unreleased', '', 'Colours:', '', '- more', ''],
    ...['Keys:', '', '- presets', '  for all', '', 'First words.', ''],
    ...['## 1.0.0', '', '- the first', ''],
  ]);
  expect(changesIn('# Changelog\n')).toEqual([]);
  const own = changesIn(readFileSync(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8'));
  expect(own.length).toBeGreaterThan(3);
  for (const { lines: told } of own) expect(told.join('').length).toBeGreaterThan(20);
});

test('an answer that is waited for behind a list is told in the place of everything else, and extensions have a line', () => {
  const [first = ''] = footerOf({ asks: () => 1, status: () => 'Now p/m', own: () => ['mine'] })(80);
  expect(first).toBe('? tau waits for your answer: close this to answer');
  expect(footerOf({ asks: () => 2 })(80)[0]).toContain('tau waits for 2 answers');
  const lines = footerOf({ statuses: () => [{ text: 'build green' }, { text: 'two\nlines\u001b[2J' }] })(80);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe('build green · two␊lines␛[2J');
});

test('a branch that only git can read is asked for once at a time, and again when it may have changed', async () => {
  const answers = ['topic', 'topic', 'other'];
  let asked = 0;
  let changes = 0;
  let read: string | undefined;
  const branch = createBranch({
    read: () => read,
    async ask() {
      asked += 1;
      return answers.shift();
    },
    onChange() {
      changes += 1;
    },
  });
  expect(branch.current()).toBeUndefined();
  for (let times = 0; times < 5; times++) branch.refresh();
  await expect.poll(() => branch.current()).toBe('topic');
  expect([asked, changes]).toEqual([2, 1]);
  branch.refresh();
  await expect.poll(() => branch.current()).toBe('other');
  read = 'main';
  branch.refresh();
  expect(branch.current()).toBe('main');
  expect(asked).toBe(3);
});

test('code blocks are found by their fences, also when one holds another or the last is open', () => {
  const answer = [
    ...['before `x`', '```ts', 'const a = 1;', '```', 'between ```not one```'],
    ...['````md', '```', 'inner', '```', '````', '  ~~~', '  indented', '  ~~~', '```', 'open'],
  ].join('\n');
  expect(codeBlocks(answer)).toEqual(['const a = 1;', '```\ninner\n```', 'indented', 'open']);
  expect(codeBlocks('no code')).toEqual([]);
});
