/** Whether a project is trusted, asked at the screen: the whole of what it would enable, and what each key says. */
import type { TrustStatus } from '@tau/agent';
import { createDecoder, createKeymap, defaultActions, openTheme, stripAnsi, widthOf } from '@tau/tui';
import { expect, onTestFinished, test, vi } from 'vitest';
import { appActions } from '../../src/app/keys.ts';
import { createTrust } from '../../src/app/panels/trust.ts';
import { keys } from './seat.ts';

const status: TrustStatus = {
  ...{ root: '/work/\u202eproject', state: 'untrusted', changed: [], problems: [], open: true },
  enables: Array.from({ length: 60 }, (_, at) => ({
    ...{ kind: 'hook', name: 'PreToolUse', meaning: 'runs a command', place: `.tau/settings.json:${at}`, counts: true },
    value: `echo ${at}\u200b; ${'x'.repeat(at)}`,
  })),
  record: async () => {},
};

function open() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { theme } = openTheme('dark', { depth: 'truecolour' });
  const said: string[] = [];
  const viewed: string[] = [];
  const panel = createTrust(status, {
    ...{ theme, keys: createKeymap({ actions: [...appActions, ...defaultActions] }), room: () => 23 },
    habits: { draft: undefined, last: undefined, left: undefined, now: () => 0 },
    onAnswer: (answer) => said.push(answer),
    onView: (lines) => viewed.push(...lines),
    onLeave: () => said.push('left'),
    onChange() {},
  });
  panel.focused = true;
  const shown = (width = 80) =>
    panel.render(width).map((line) => {
      expect(widthOf(line)).toBeLessThanOrEqual(width);
      return stripAnsi(line).trimEnd();
    });
  const decoder = createDecoder({ onEvent: panel.handleInput });
  const type = (...typed: readonly string[]) => {
    for (const one of typed) {
      decoder.feed(one);
      decoder.flush();
    }
  };
  const press = (...pressed: readonly string[]) => {
    for (const one of pressed) {
      shown();
      type(one);
      vi.advanceTimersByTime(1000);
    }
  };
  return { said, viewed, shown, type, press };
}

test.each([
  ['Enter', [keys.enter], ['no']],
  ['Escape', [keys.escape], ['no']],
  ['n', ['n'], ['no']],
  ['y', ['y'], ['yes']],
  ['the last row', [keys.up, keys.enter], ['never']],
  ['Ctrl+C', [keys.ctrlC], ['left']],
  ['a letter of another question', ['a', 's', keys.tab], []],
])('%s says its word on a project', (_, pressed, said) => {
  const seat = open();
  seat.press(...pressed);
  expect(seat.said).toEqual(said);
});

test('words that are typed as the question opens, or before it is drawn, say nothing', () => {
  const seat = open();
  seat.type('y', keys.enter);
  seat.shown();
  seat.type('y', 'e', 's');
  vi.advanceTimersByTime(1000);
  expect(seat.said).toEqual([]);
});

test('a long preview fits at every width, can be scrolled through, and is whole in the viewer', () => {
  const seat = open();
  for (const width of [20, 40, 120]) {
    const lines = seat.shown(width);
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
  }
  expect(seat.shown().join('\n')).toMatch(/lines 1 to \d+ of \d+: Ctrl\+O shows all/);
  const seen = new Set(seat.shown());
  for (let page = 0; page < 20; page += 1) {
    seat.press(keys.pageDown);
    for (const line of seat.shown()) seen.add(line);
  }
  for (let at = 1; at < 50; at += 1) {
    expect([...seen].some((line) => line.includes(`echo ${at}<U+200B>; ${'x'.repeat(at)}`))).toBe(true);
  }
  seat.press(keys.ctrlO);
  expect(seat.viewed.join('\n')).toContain('echo 59<U+200B>');
});
