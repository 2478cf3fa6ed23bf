/** Settings that bound a run, a result or a wait. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingName } from '@tau/agent';
import type { ScriptStep } from '@tau/testkit';
import { expect } from 'vitest';
import { call, calls, says } from '../conversation.ts';
import { at } from '../json.ts';
import { events, exitCode, type Proof, requests, result, type Seen } from './proof.ts';

const once = (name: string, input: Record<string, unknown>): ScriptStep[] => [calls(call(name, input)), says('ok')];
const sameCall = calls(call('read', { path: 'a.txt' }));
const asked = (seen: Seen) => [exitCode(seen), requests(seen)];
const tenLines = Array.from({ length: 10 }, (_, at) => `${at} ${'x'.repeat(97)}\n`).join('');

/** The text is in the result only without the limit. */
function cuts(text: string): Pick<Proof, 'see' | 'without' | 'with'> {
  return { see: result, without: expect.stringContaining(text), with: expect.not.stringContaining(text) };
}

/** A command that takes too long for the limit, and not for the default. */
function stops(more: Record<string, unknown> = {}): Pick<Proof, 'value' | 'steps' | 'see' | 'without' | 'with'> {
  const words = 'stopped after 0.1 s';
  return {
    // With the limit it does not end by itself: else a machine that stands still sees that before it sees the limit.
    value: ({ write }) => {
      write('endless', '');
      return 0.1;
    },
    steps: once('bash', { command: '[ -e endless ] && sleep 300; sleep 0.5', ...more }),
    see: result,
    without: expect.not.stringContaining(words),
    with: expect.stringContaining(words),
  };
}

const start = 'tool_execution_start';
const end = 'tool_execution_end';
const waits = call('bash', { command: 'until [ -e go ]; do sleep 0.02; done' });

export const limitProofs = {
  maxTurns: {
    files: { 'a.txt': 'x' },
    steps: [sameCall, says('ok')],
    value: 1,
    see: asked,
    without: [0, 2],
    with: [4, 1],
  },
  maxTotalTokens: { value: 100, see: asked, without: [0, 1], with: [4, 0] },
  maxBudgetUsd: {
    settings: { model: 'another/third' },
    value: 0.000_1,
    see: asked,
    without: [0, 1],
    with: [4, 0],
  },
  'limits.parallelTools': {
    steps: [calls(waits, waits), says('ok')],
    value: ({ write }) => {
      write('alone', '');
      return 1;
    },
    // They end when as many have begun as can, however long the second takes to begin.
    async perform({ start: run, project, write }) {
      const tau = run(['-p', 'go', '--output-format', 'stream-json']);
      await tau.waitFor(existsSync(join(project, 'alone')) ? start : new RegExp(`${start}.*${start}`, 's'));
      write('go', '');
      return tau.done;
    },
    see: (seen) =>
      events(seen)
        .map((event) => at(event, 'type'))
        .filter((type) => type === start || type === end),
    without: [start, start, end, end],
    with: [start, end, start, end],
  },
  'limits.resultChars': {
    files: { 'a.txt': tenLines },
    steps: once('read', { path: 'a.txt' }),
    value: 300,
    ...cuts('9 xxx'),
  },
  'limits.bashTimeoutSecs': stops(),
  'limits.bashMaxTimeoutSecs': stops({ timeout: 60 }),
  'limits.modelIdleSecs': {
    steps: [{ hang: 'beforeHeaders' }],
    instead: 0.3,
    value: 0.1,
    see: ({ run }) => run.stderr,
    without: expect.stringContaining('0.3 s'),
    with: expect.stringContaining('0.1 s'),
  },
  'limits.readLines': {
    files: { 'a.txt': tenLines },
    steps: once('read', { path: 'a.txt' }),
    value: 3,
    ...cuts('3 xxx'),
  },
  'limits.readBytes': {
    files: { 'a.txt': tenLines },
    steps: once('read', { path: 'a.txt' }),
    value: 350,
    ...cuts('3 xxx'),
  },
  'limits.repeatedCalls': {
    files: { 'a.txt': 'x' },
    steps: Array.from({ length: 6 }, () => sameCall),
    value: 2,
    see: asked,
    without: [3, 5],
    with: [3, 2],
  },
  'limits.recoveries': {
    steps: Array.from({ length: 6 }, () => ({ blocks: [] })),
    value: 1,
    see: asked,
    without: [1, 4],
    with: [1, 2],
  },
} satisfies Partial<Record<SettingName, Proof>>;
