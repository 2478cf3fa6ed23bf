import { expect, test } from 'vitest';
import type { Reply } from '../../src/input/reply.ts';
import { type Capabilities, delaysOf, guessCapabilities } from '../../src/terminal/capabilities.ts';
import { createProbe, questionsFor } from '../../src/terminal/probe.ts';

const xterm = { TERM: 'xterm-256color' };

test.each<[string, Record<string, string>, Partial<Capabilities>]>([
  [
    'kitty',
    { TERM: 'xterm-kitty' },
    { kittyKeyboard: true, images: 'kitty', synchronizedOutput: true, reflow: 'exact' },
  ],
  ['ghostty', { ...xterm, TERM_PROGRAM: 'ghostty' }, { images: 'kitty', progress: true, notifications: 'osc9' }],
  ['iterm', { ...xterm, TERM_PROGRAM: 'iTerm.app' }, { images: 'iterm2', hyperlinks: true, notifications: 'osc9' }],
  ['wezterm', { ...xterm, TERM_PROGRAM: 'WezTerm' }, { images: 'iterm2', kittyKeyboard: false }],
  ['vscode', { ...xterm, TERM_PROGRAM: 'vscode' }, { reflow: 'xtermjs', hyperlinks: true, images: undefined }],
  ['apple', { ...xterm, TERM_PROGRAM: 'Apple_Terminal' }, { synchronizedOutput: false, hyperlinks: false }],
  ['vte', { ...xterm, VTE_VERSION: '7600' }, { hyperlinks: true, plain: false }],
  ['windows terminal', { ...xterm, WT_SESSION: '1' }, { progress: true }],
  ['xterm', { ...xterm, XTERM_VERSION: 'XTerm(390)' }, { reflow: 'none', hyperlinks: false }],
  ['linux', { TERM: 'linux' }, { reflow: 'none', plain: false, alternateScreen: false }],
  ['tmux', { TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1' }, { multiplexer: 'tmux', images: undefined }],
  ['tmux', { TERM: 'screen-256color', TMUX: '/tmp/x' }, { multiplexer: 'tmux', kittyKeyboard: false }],
  [
    'screen',
    { TERM: 'screen.xterm-256color', STY: '1.pts' },
    { multiplexer: 'screen', reflow: 'exact', alternateScreen: false },
  ],
  ['zellij', { ...xterm, ZELLIJ: '0' }, { multiplexer: 'zellij', synchronizedOutput: true }],
  ['xterm-256color', { ...xterm, SSH_CONNECTION: '::1 1 ::1 22' }, { remote: true, synchronizedOutput: false }],
  ['dumb', { TERM: 'dumb' }, { plain: true, colours: 'none' }],
  ['unknown', {}, { plain: true }],
])('%s is known by its environment', (name, environment, wanted) => {
  expect(guessCapabilities(environment, true)).toMatchObject({ name, ...wanted });
});

test('what is no terminal is plain, whatever the environment says', () => {
  expect(guessCapabilities({ TERM: 'xterm-kitty' }, false)).toMatchObject({ plain: true, colours: 'none' });
});

function probing(environment: Record<string, string> = xterm) {
  const written: string[] = [];
  const heard: Capabilities[] = [];
  const probe = createProbe({
    environment,
    isTerminal: true,
    write: (data) => written.push(data),
    onChange: (capabilities) => heard.push(capabilities),
  });
  return { probe, written, heard };
}

test('all questions go out in one write that ends with the one every terminal answers', () => {
  const { probe, written } = probing();
  probe.ask();
  probe.end();
  expect(written).toHaveLength(1);
  expect(written[0]?.endsWith('\u001b[c')).toBe(true);
});

test('every answer makes the picture better, and the fence ends the waiting', () => {
  const { probe, heard } = probing();
  probe.ask();
  const replies: Reply[] = [
    { type: 'keyboard', flags: 0 },
    { type: 'mode', mode: 2026, state: 2 },
    { type: 'colour', of: 'background', value: '#101010' },
    { type: 'version', text: 'ghostty 1.2.0' },
    { type: 'graphics', id: 31, ok: true, message: 'OK' },
  ];
  for (const reply of replies) probe.reply(reply);
  expect(probe.settled).toBe(false);
  probe.reply({ type: 'attributes', level: 1, params: [62, 22] });
  expect(probe.settled).toBe(true);
  expect(heard).toHaveLength(replies.length);
  expect(probe.capabilities).toMatchObject({
    name: 'ghostty 1.2.0',
    kittyKeyboard: true,
    synchronizedOutput: true,
    images: 'kitty',
    background: '#101010',
    hyperlinks: true,
  });
});

test('a terminal is taken for screen by its TERM only until it says that it is another', () => {
  // As in screen in tmux, or in tmux in screen: their variables are the same.
  const { probe } = probing({ TERM: 'screen-256color', STY: '1.pts', TMUX: '/tmp/tmux' });
  expect(probe.capabilities).toMatchObject({ multiplexer: 'screen', alternateScreen: false });
  probe.reply({ type: 'version', text: 'tmux 3.4' });
  expect(probe.capabilities).toMatchObject({ multiplexer: 'tmux', alternateScreen: true });
});

test('a terminal that knows the mode but not how to switch it on is believed over its name', () => {
  const { probe } = probing({ TERM: 'xterm-kitty' });
  probe.reply({ type: 'mode', mode: 2026, state: 0 });
  expect(probe.capabilities.synchronizedOutput).toBe(false);
});

test('silence ends after a while, and a late answer still counts', async () => {
  let settle = () => {};
  const silence = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const probe = createProbe({
    environment: xterm,
    isTerminal: true,
    write: () => {},
    onChange: () => settle(),
    waitMs: 1,
  });
  probe.ask();
  // The probe's own timer does not keep a process alive.
  const alive = setTimeout(() => {}, 5000);
  await silence;
  clearTimeout(alive);
  expect(probe.settled).toBe(true);
  probe.reply({ type: 'version', text: 'xterm.js(6.1.0)' });
  expect(probe.capabilities.reflow).toBe('xtermjs');
});

test('a terminal that would show a question is not asked it', () => {
  expect(questionsFor(guessCapabilities({ TERM: 'tmux-256color' }, true))).not.toContain('\u001b_G');
  expect(questionsFor(guessCapabilities({ TERM: 'linux' }, true))).toBe('');
  expect(questionsFor(guessCapabilities({ TERM: 'dumb' }, true))).toBe('');
});

test.each<[string, Record<string, string>, ReturnType<typeof delaysOf>]>([
  ['a terminal of this machine', xterm, { latencyMs: 20, doubtMs: 270, calmMs: 60, newsEveryMs: 0, settleMs: 150 }],
  [
    'GNU screen',
    { TERM: 'screen-256color', STY: '1.pts' },
    { latencyMs: 50, doubtMs: 300, calmMs: 150, newsEveryMs: 0, settleMs: 150 },
  ],
  [
    'tmux',
    { TERM: 'tmux-256color', TMUX: '/tmp/tmux' },
    { latencyMs: 50, doubtMs: 300, calmMs: 150, newsEveryMs: 250, settleMs: 350 },
  ],
  [
    'ssh',
    { ...xterm, SSH_CONNECTION: '::1 1 ::1 22' },
    { latencyMs: 150, doubtMs: 400, calmMs: 400, newsEveryMs: 0, settleMs: 300 },
  ],
  [
    'tmux over ssh',
    { TERM: 'tmux-256color', TMUX: '/tmp/tmux', SSH_CONNECTION: '::1 1 ::1 22' },
    { latencyMs: 150, doubtMs: 400, calmMs: 400, newsEveryMs: 250, settleMs: 550 },
  ],
])('how long news of a size are waited for depends on what is in between: %s', (_, environment, delays) => {
  expect(delaysOf(guessCapabilities(environment, true))).toEqual(delays);
  const probe = createProbe({ environment, isTerminal: true, write: () => undefined });
  expect(probe.forScreen()).toMatchObject(delays);
});
