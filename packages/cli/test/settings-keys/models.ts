/** Settings that say which model is asked, where, and with what. */
import { join } from 'node:path';
import type { SettingName } from '@tau/agent';
import type { ScriptStep } from '@tau/testkit';
import { expect } from 'vitest';
import { says } from '../conversation.ts';
import { at } from '../json.ts';
import { events, exitCode, outcome, type Proof, requests, type Seen, sent } from './proof.ts';

const failing: ScriptStep = { status: 500 };
const asksForPause: ScriptStep = { status: 429, headers: { 'retry-after-ms': '60' } };

/** A wait is half chance: this tells one of hundreds of milliseconds from one of a few. */
const waitsLong = (seen: Seen) =>
  events(seen)
    .filter((event) => at(event, 'type') === 'retry')
    .map((event) => Number(at(event, 'delayMs')) >= 100);
const streamed = ['--output-format', 'stream-json'];

export const modelProofs = {
  model: { value: 'scripted/second', see: outcome, without: [0, 'scripted'], with: [0, 'second'] },
  provider: {
    settings: { model: undefined },
    value: 'another',
    see: outcome,
    without: [0, 'scripted'],
    with: [0, 'third'],
  },
  thinking: {
    value: 'high',
    see: sent('thinking'),
    without: undefined,
    with: expect.objectContaining({ type: expect.stringMatching(/^(enabled|adaptive)$/) }),
  },
  fallbackModels: {
    steps: [failing, says('instead')],
    value: ['another/third'],
    see: outcome,
    without: [1, 'scripted'],
    with: [0, 'scripted', 'third'],
  },
  smallModel: {
    args: ['--model', 'small'],
    value: 'another/third',
    see: outcome,
    without: [2],
    with: [0, 'third'],
  },
  planModel: {
    settings: { permissionMode: 'plan' },
    value: 'another/third',
    see: outcome,
    without: [0, 'scripted'],
    with: [0, 'third'],
  },
  aliases: {
    settings: { model: 'quick' },
    value: { quick: 'another/third' },
    see: outcome,
    without: [2],
    with: [0, 'third'],
  },
  availableModels: { value: ['another/*'], see: outcome, without: [0, 'scripted'], with: [2] },
  baseUrl: {
    settings: { model: 'lost/x' },
    value: ({ model }) => model.url,
    see: outcome,
    without: [1],
    with: [0, 'x'],
  },
  apiKeyHelper: {
    settings: { model: 'anthropic/claude-sonnet-5-5' },
    value: 'echo "for-$TAU_PROVIDER"',
    see: ({ run, model }) => [run.code, ...model.requests.map(({ headers }) => headers['x-api-key'])],
    without: [2],
    with: [0, 'for-anthropic'],
  },
  caFile: {
    tls: true,
    prepare: ({ write, home, model }) => write(join(home, 'company.pem'), model.ca ?? ''),
    value: '~/company.pem',
    see: outcome,
    without: [1],
    with: [0, 'scripted'],
  },
  maxTokens: { value: 77, see: sent('max_tokens'), without: 16_384, with: 77 },
  temperature: { value: 0.2, see: sent('temperature'), without: undefined, with: 0.2 },
  topP: { value: 0.9, see: sent('top_p'), without: undefined, with: 0.9 },
  'retry.retries': {
    steps: [failing, failing, failing, failing, failing],
    settings: { retry: { baseMs: 1 } },
    value: 1,
    see: requests,
    without: 4,
    with: 2,
  },
  'retry.baseMs': {
    steps: [failing, says('ok')],
    settings: { retry: { retries: 1 } },
    args: streamed,
    value: 2,
    see: waitsLong,
    without: [true],
    with: [false],
  },
  'retry.maxMs': {
    steps: [failing, says('ok')],
    settings: { retry: { retries: 1, baseMs: 400 } },
    args: streamed,
    value: 2,
    see: waitsLong,
    without: [true],
    with: [false],
  },
  'retry.maxWaitSecs': {
    steps: [asksForPause, says('ok')],
    settings: { retry: { retries: 1 } },
    value: 0.03,
    see: (seen) => [exitCode(seen), requests(seen)],
    without: [0, 2],
    with: [1, 1],
  },
} satisfies Partial<Record<SettingName, Proof>>;
