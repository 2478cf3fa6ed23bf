/**
 * One trial of a conversation that is killed again and again. The model is a function of the conversation it is shown: it
 * makes the first turn of the plan that is not there yet, and never repeats one. So after any number of kills the last
 * run completes the plan, and what each call did can be counted.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  makeSandbox,
  type RecordedRequest,
  type RunningTau,
  type Sandbox,
  type ScriptedModel,
  startScriptedModel,
  type TauRun,
} from '@tau/testkit';
import { expect } from 'vitest';
import { callsIn, resultsIn } from './conversation.ts';
import { expectWhole, plan, writeNotes } from './crash-plan.ts';
import { at, list } from './json.ts';
import { expectGone } from './processes.ts';
import { sessionFiles } from './sessions.ts';

const finished = 'all done';
/** Of a trial, before the one that may finish. */
const runsEach = 5;

interface Trial {
  sandbox: Sandbox;
  model: ScriptedModel;
}

interface TrialResult {
  kills: number;
  /** Calls by what became of them, over all kills. */
  certain: number;
  uncertain: number;
  notRun: number;
}

/** Kills so many runs at instants that the seed decides, lets one finish, and checks all along that nothing is lost. */
async function crashTrial(seed: number, runs: number): Promise<TrialResult> {
  const random = randomFrom(seed);
  const answer = (request: RecordedRequest) => {
    const made = new Set(callsIn(request));
    const turn = plan.find((calls) => calls.every(({ block }) => !made.has(block.id ?? '')));
    return { blocks: turn ? [{ text: 'next' }, ...turn.map(({ block }) => block)] : [{ text: finished }], chunk: 500 };
  };
  const model = await startScriptedModel(Array.from({ length: (plan.length + 1) * (runs + 1) }, () => answer));
  const sandbox = makeSandbox({ model });
  try {
    writeNotes(sandbox);
    const trial = { sandbox, model };
    let killed = 0;
    for (let number = 0; number < runs; number++) {
      if (await killedRun(trial, `prompt ${number}`, killed, random)) killed += 1;
    }
    const last = await lastRun(trial);
    expect(last).toMatchObject({ code: 0, stdout: `${finished}\n` });
    return await account(trial, killed);
  } catch (error) {
    throw new Error(`with seed ${seed} and ${runs} runs: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    sandbox.dispose();
    await model.close();
  }
}

const free = ['--permission-mode', 'dangerously'];

/** True when it was killed; it may have been over before. */
async function killedRun(trial: Trial, prompt: string, killed: number, random: () => number): Promise<boolean> {
  const { sandbox, model } = trial;
  const asked = model.requests.length;
  const going = entriesOf(sandbox).entries.length > 0 ? ['-c'] : [];
  const run = sandbox.start(['-p', ...going, prompt, ...free, '--output-format', 'stream-json']);
  await instant(run, model, random);
  run.kill('SIGKILL');
  const { signal, stderr } = await run.done;
  // The system may end a long write in the middle, and that line is told of. Nothing else may be.
  if (signal === null)
    expect(stderr.replace(/^tau: warning: .* is damaged or incomplete and was skipped\n/gm, '')).toBe('');
  const requests = model.requests.slice(asked);
  for (const request of requests) expectEveryCallAnswered(request);
  const lines = entriesOf(sandbox);
  expect(lines.damaged).toBeLessThanOrEqual(killed + 1);
  const prompts = lines.entries.filter((entry) => at(entry, 'message', 'content') === prompt);
  // Not any request: one that the run before sent in its last instant may arrive only now.
  if (requests.some(({ raw }) => raw.includes(`"${prompt}"`))) expect(prompts).toHaveLength(1);
  expect(prompts.length).toBeLessThanOrEqual(1);
  expectWhole(sandbox, killed + 1);
  return signal !== null;
}

/** Waits for a random sign of life, and then a little, or only for a random time. */
async function instant(run: RunningTau, model: ScriptedModel, random: () => number): Promise<void> {
  const kind = random();
  const ended = run.done.then(() => undefined);
  if (kind < 0.35) {
    const number = model.requests.length + Math.floor(random() * 3);
    await Promise.race([model.arrival(number), ended]);
    await pause(random() * 25);
  } else if (kind < 0.7) {
    await Promise.race([printed(run, '"tool_execution_start"', 1 + Math.floor(random() * 4)), ended]);
    await pause(random() * 15);
  } else if (kind < 0.85) await Promise.race([printed(run, '', Math.floor(random() * 20_000)), ended]);
  else await Promise.race([pause(random() * 250), ended]);
}

/** Resolves when the output held the text so many times; without a text, when it has so many characters. */
function printed(run: RunningTau, text: string, times: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = '';
    run.child.stdout?.on('data', (piece: string) => {
      seen += piece;
      const count = text === '' ? seen.length : seen.split(text).length - 1;
      if (count >= times) resolve();
    });
  });
}

async function lastRun(trial: Trial): Promise<TauRun> {
  const { sandbox, model } = trial;
  const asked = model.requests.length;
  const continued = await sandbox.tau(['-p', '-c', 'the last prompt', ...free]);
  if (continued.code !== 2) {
    const first = model.requests[asked];
    if (first) expectEveryCallAnswered(first);
    return continued;
  }
  // Whoever was killed before anything was said has nothing to continue.
  expect(continued.stderr).toContain('There is no session to continue');
  expect(asked).toBe(0);
  return sandbox.tau(['-p', 'the last prompt', ...free]);
}

/** After all runs: every call of the plan once, each with one result, and its effect as often as the result says. */
async function account(trial: Trial, kills: number): Promise<TrialResult> {
  const { sandbox } = trial;
  if (existsSync(join(sandbox.project, 'pids'))) {
    await expectGone(sandbox.read('pids').split('\n').filter(Boolean).map(Number));
  }
  const { entries, damaged, ids } = entriesOf(sandbox);
  expect(damaged).toBeLessThanOrEqual(kills);
  expect(new Set(ids).size).toBe(ids.length);
  const messages = entries.map((entry) => at(entry, 'message')).filter((message) => message !== undefined);
  const planned = plan.flat();
  const made = messages
    .filter((message) => at(message, 'role') === 'assistant')
    .flatMap((message) => list(at(message, 'content')))
    .filter((block) => at(block, 'type') === 'toolCall');
  expect(made.map((block) => at(block, 'id'))).toEqual(planned.map(({ block }) => block.id));
  const results = messages.filter((message) => at(message, 'role') === 'toolResult');
  expect(results.map((result) => at(result, 'toolCallId')).sort()).toEqual(planned.map(({ block }) => block.id).sort());

  const tally = { kills, certain: 0, uncertain: 0, notRun: 0 };
  for (const { block, deeds } of planned) {
    const result = results.find((one) => at(one, 'toolCallId') === block.id);
    const text = String(at(result, 'content', 0, 'text'));
    const fate = text.includes('It may have happened') ? 'uncertain' : /^Not run/.test(text) ? 'notRun' : 'certain';
    tally[fate] += 1;
    const begun = entries.some((entry) => at(entry, 'data', 'toolCallId') === block.id);
    const expected = fate === 'notRun' || at(result, 'isError') ? [0] : [1];
    for (const { token, count } of deeds) {
      const times = count(sandbox);
      const allowed = fate === 'uncertain' ? [0, 1] : expected;
      expect(allowed, `${token} (${fate}, ${text.slice(0, 200)}) happened ${times} times`).toContain(times);
      // The journal comes before the deed.
      if (times > 0) expect(begun, `${token} has no intent`).toBe(true);
    }
  }
  expectWhole(sandbox, kills);
  const left = sessionFiles(sandbox.tauHome).filter((path) => existsSync(`${path}.lock`));
  expect(left).toEqual([]);
  return tally;
}

/** The lines of the one session there is, its entries, and how many lines are none. */
function entriesOf(sandbox: Sandbox): { entries: unknown[]; ids: unknown[]; damaged: number } {
  const files = sessionFiles(sandbox.tauHome).map((path) => readFileSync(path, 'utf8'));
  const [text = '', ...more] = files.filter((content) => content !== '');
  expect(more).toEqual([]);
  const entries: unknown[] = [];
  let damaged = 0;
  for (const line of text.split('\n').filter(Boolean)) {
    try {
      entries.push(JSON.parse(line));
    } catch {
      damaged += 1;
    }
  }
  return { entries, ids: entries.map((entry) => at(entry, 'id')), damaged };
}

/** Providers refuse a conversation in which a call is not answered by the very next messages. */
export function expectEveryCallAnswered(seen: RecordedRequest): void {
  expect(resultsIn(seen).map(({ id }) => id)).toEqual(callsIn(seen));
  const messages = list(at(seen.body, 'messages') ?? at(seen.body, 'contents') ?? at(seen.body, 'input'));
  for (const [index, message] of messages.entries()) {
    const content = at(message, 'content') ?? at(message, 'parts');
    const isCall = (one: unknown) => at(one, 'type') === 'tool_use' || at(one, 'functionCall') !== undefined;
    const asks = at(message, 'tool_calls') ?? (Array.isArray(content) && content.some(isCall));
    const next = messages[index + 1];
    // In Responses a call is a message of its own: the calls of a turn, then their results.
    if (at(message, 'type') === 'function_call') expect(at(next, 'type')).toMatch(/^function_call(_output)?$/);
    if (!asks) continue;
    const isResult = at(next, 'role') === 'tool' || at(next, 'content', 0, 'type') === 'tool_result';
    expect(isResult || at(next, 'parts', 0, 'functionResponse') !== undefined).toBe(true);
  }
}

interface Storm {
  /** Goes on until so many runs were killed. */
  kills: number;
  firstSeed: number;
  atATime: number;
}

export async function crashStorm({ kills, firstSeed, atATime }: Storm): Promise<TrialResult> {
  const total: TrialResult = { kills: 0, certain: 0, uncertain: 0, notRun: 0 };
  let seed = firstSeed;
  const work = async () => {
    while (total.kills < kills) {
      const result = await crashTrial(seed++, runsEach);
      for (const key of ['kills', 'certain', 'uncertain', 'notRun'] as const) total[key] += result[key];
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return total;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A linear congruential generator: nothing but repeatable. */
function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
