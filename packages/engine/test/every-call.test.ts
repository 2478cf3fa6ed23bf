/** Random messages, decisions, failures, orders of completion and aborts: what must hold whatever happens. */
import { type Answer, type Effect, errorResult, isReadOnly, type Outcome, textResult } from '@tau/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScene, type Deed, type Scene } from './scene.ts';
import { act, calls, exec, foreign, read, says, write } from './speech.ts';

interface Plan {
  id: string;
  tool: 'act' | 'foreign' | 'unknown';
  effects: Effect[];
  outcome: Outcome;
  answer: Answer['outcome'];
  deed: 'works' | 'fails' | 'throws';
  hook: 'silent' | 'blocks' | 'throws';
}

interface Drama {
  plans: Plan[];
  concurrency: number;
  unstreamed: boolean;
  breaksOff: boolean;
  aborts: boolean;
}

const mostly = <T>(usual: T, ...rare: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, fc.constantFrom(...rare));
const path = fc.constantFrom('/p', '/p/a', '/p/a/deep', '/p/b', '/q');
const effect: fc.Arbitrary<Effect> = fc.oneof(
  { weight: 4, arbitrary: path.map(read) },
  { weight: 4, arbitrary: path.map(write) },
  { weight: 1, arbitrary: fc.boolean().map((readOnly) => exec('make', readOnly)) },
);
const plan = fc.record({
  tool: mostly<Plan['tool']>('act', 'foreign', 'unknown'),
  effects: fc.array(effect, { maxLength: 3 }),
  outcome: mostly<Outcome>('allow', 'ask', 'deny'),
  answer: mostly<Answer['outcome']>('allow', 'deny'),
  deed: mostly<Plan['deed']>('works', 'fails', 'throws'),
  hook: mostly<Plan['hook']>('silent', 'blocks', 'throws'),
});
const drama: fc.Arbitrary<Drama> = fc.record({
  plans: fc.array(plan, { maxLength: 8 }).map((plans) => plans.map((one, at) => ({ ...one, id: `c${at}` }))),
  concurrency: fc.integer({ min: 1, max: 4 }),
  unstreamed: fc.boolean(),
  breaksOff: mostly(false, true),
  aborts: mostly(false, true),
});

/** Plays it; every deed, question, hook and pause in the stream ends when the scheduler says so. */
async function perform(scheduler: fc.Scheduler, { plans, concurrency, unstreamed, breaksOff, aborts }: Drama) {
  const byId = new Map(plans.map((one) => [one.id, one]));
  const soon = (what: string) => scheduler.schedule(Promise.resolve(), what);
  const deed =
    (one: Plan): Deed =>
    async () => {
      await soon(`deed ${one.id}`);
      if (one.deed === 'throws') throw new Error('thrown');
      return one.deed === 'works' ? textResult('worked') : errorResult('failed');
    };
  const scene = createScene({
    run: { reconnections: 0 },
    concurrency,
    deeds: Object.fromEntries(plans.map((one) => [one.id, deed(one)])),
    ports: {
      beforeTool: async ({ id }) => {
        await soon(`hook ${id}`);
        if (byId.get(id)?.hook === 'throws') throw new Error('hook broke');
        return byId.get(id)?.hook === 'blocks' ? { block: 'no' } : undefined;
      },
      decide: ({ id }, _source, effects) => ({
        outcome: byId.get(id)?.outcome ?? 'deny',
        reason: 'drawn',
        class: 'unknown',
        effects,
      }),
      ask: async ({ toolCallId }) => {
        await soon(`answer ${toolCallId}`);
        return { outcome: byId.get(toolCallId)?.answer ?? 'deny' };
      },
    },
  });
  const list = plans.map(({ id, tool, effects }) =>
    tool === 'foreign' ? foreign(id, ...effects) : { ...act(id, ...effects), name: tool },
  );
  if (aborts) soon('abort').then(scene.abort);
  const error = { class: 'network' as const, message: 'closed' };
  const speech = calls(list, { unstreamed, until: soon('end of message'), ...(breaksOff && { error }) });
  const outcome = await scheduler.waitFor(scene.play(speech, says('done')));
  return { scene, outcome };
}

const at = (scene: Scene, line: string) => scene.log.indexOf(line);
const ran = (scene: Scene, { id }: Plan) => scene.log.includes(`run ${id}`);
const idsOf = (scene: Scene, kind: string) =>
  scene.log.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));

/** Said again in other words than the engine's: the parts of a path tell who is inside whom. */
function inTheWay(a: readonly Effect[], b: readonly Effect[]): boolean {
  if (a.length === 0 || b.length === 0) return false;
  const unproved = (one: Effect) => one.kind === 'exec' && !one.readOnly;
  if ([...a, ...b].some(unproved)) return true;
  return a.some((one) => b.some((other) => touches(one, other)));
}

function touches(one: Effect, other: Effect): boolean {
  if (!('path' in one) || !('path' in other) || (one.kind === 'read' && other.kind === 'read')) return false;
  const [shorter, longer] = [one.path.split('/'), other.path.split('/')].sort((a, b) => a.length - b.length);
  return shorter?.every((part, index) => part === longer?.[index]) ?? false;
}

const changes = ({ tool, effects }: Plan) => tool === 'foreign' || !effects.every(isReadOnly);
const forbidden = ({ tool, outcome, answer, hook }: Plan) =>
  tool === 'unknown' || hook !== 'silent' || outcome === 'deny' || (outcome === 'ask' && answer === 'deny');

function checkAnswers(scene: Scene, plans: readonly Plan[]): void {
  const ids = plans.map(({ id }) => id);
  expect(scene.results().map((result) => result.toolCallId)).toEqual(ids);
  expect(idsOf(scene, 'tool_execution_start').sort()).toEqual(ids);
  expect(idsOf(scene, 'tool_execution_end').sort()).toEqual(ids);
  expect(idsOf(scene, 'permission_response')).toEqual(idsOf(scene, 'permission_request'));
  for (const id of ids) expect(at(scene, `append result ${id}`)).toBeLessThan(at(scene, `message_end result ${id}`));
}

function checkOrder(scene: Scene, plans: readonly Plan[], concurrency: number): void {
  let active = 0;
  for (const line of scene.log) {
    active += Number(line.startsWith('run ')) - Number(line.startsWith('ran '));
    expect(active).toBeLessThanOrEqual(concurrency);
  }
  const deeds = plans.filter((one) => ran(scene, one));
  for (const [index, later] of deeds.entries()) {
    for (const earlier of deeds.slice(0, index)) {
      if (!inTheWay(earlier.effects, later.effects)) continue;
      expect(at(scene, `ran ${earlier.id}`)).toBeLessThan(at(scene, `run ${later.id}`));
    }
  }
}

function checkCaution(scene: Scene, plans: readonly Plan[]): void {
  const stop = scene.log.includes('abort') ? at(scene, 'abort') : Number.POSITIVE_INFINITY;
  for (const one of plans.filter((each) => ran(scene, each))) {
    const begun = at(scene, `run ${one.id}`);
    expect(forbidden(one)).toBe(false);
    expect(begun).toBeLessThan(stop);
    expect(at(scene, `journal ${one.id}`) < 0).toBe(!changes(one));
    expect(at(scene, `journal ${one.id}`)).toBeLessThan(begun);
    if (changes(one) || one.outcome === 'ask') expect(begun).toBeGreaterThan(at(scene, 'append assistant'));
  }
}

function checkFailedCommand(scene: Scene, plans: readonly Plan[]): void {
  const failed = plans.findIndex(
    (one) =>
      ran(scene, one) && one.deed !== 'works' && one.effects.some((each) => each.kind === 'exec' && !each.readOnly),
  );
  if (failed < 0) return;
  const late = plans.slice(failed + 1).filter((one) => changes(one) && one.effects.length > 0);
  for (const one of late) expect(ran(scene, one)).toBe(false);
}

/** When nothing was stopped, whatever was allowed did run. */
function checkNothingForgotten(scene: Scene, { plans, breaksOff }: Drama): void {
  if (breaksOff || scene.log.includes('abort')) return;
  const failed = plans.some((one) => one.deed !== 'works' && ran(scene, one));
  for (const one of plans) if (!forbidden(one) && !(failed && changes(one))) expect(ran(scene, one)).toBe(true);
}

test('every call has exactly one result in source order, and nothing runs that must not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), drama, async (scheduler, drawn) => {
      const { scene, outcome } = await perform(scheduler, drawn);
      checkAnswers(scene, drawn.plans);
      checkOrder(scene, drawn.plans, drawn.concurrency);
      checkCaution(scene, drawn.plans);
      checkFailedCommand(scene, drawn.plans);
      checkNothingForgotten(scene, drawn);
      const wayOut = scene.log.includes('abort') ? ['aborted', 'done', 'error'] : [drawn.breaksOff ? 'error' : 'done'];
      expect(wayOut).toContain(outcome.reason);
    }),
    { numRuns: 500, seed: 20 },
  );
});
