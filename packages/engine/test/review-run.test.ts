import { type GatePorts, textOf, textResult, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { createScene, type Scene } from './scene.ts';
import { act, call, calls, model, read, says, write } from './speech.ts';

const message = (text: string) => userMessage(text, 2);
const never = () => new Promise<never>(() => {});
const lastWords = (scene: Scene, request: number) => scene.requests[request]?.at(-1);

test.each(['steer', 'followUp'] as const)(
  'what is said (%s) while a hook thinks about the end is heard',
  async (way) => {
    let said = false;
    const beforeStop = async () => {
      if (!said) scene.queues[way](message('one more thing'));
      said = true;
      return undefined;
    };
    const scene: Scene = createScene({ ports: { beforeStop } });
    expect(await scene.play(says('done'), says('that too'))).toMatchObject({ reason: 'done', turns: 2 });
    expect(lastWords(scene, 1)).toMatchObject({ role: 'user', content: 'one more thing' });
  },
);

test.each(['transform', 'beforeStop'] as const)(
  'an abort does not wait for a hook (%s) that never ends',
  async (hook) => {
    const hang = () => {
      scene.note('hook');
      return never();
    };
    const scene: Scene = createScene({ ports: { [hook]: hang } });
    const outcome = scene.play(says('done'));
    await scene.reached('hook');
    scene.abort();
    expect(await outcome).toMatchObject({ reason: 'aborted' });
    expect(scene.queues.steer(message('too late'))).toBe(false);
  },
);

test.each(['transform', 'beforeStop'] as const)('a hook (%s) that fails ends the run as an error', async (hook) => {
  const fail = () => {
    throw new Error('the hook broke');
  };
  const scene = createScene({ ports: { [hook]: fail } });
  const outcome = await scene.play(says('done'));
  expect(outcome).toMatchObject({ reason: 'error', turns: hook === 'transform' ? 0 : 1 });
  expect(scene.events).toContainEqual({ type: 'error', class: 'unknown', message: expect.stringMatching('broke') });
  expect(scene.queues.steer(message('too late'))).toBe(false);
});

test('a hook that empties the list it was given takes nothing from the conversation', async () => {
  const transform = (messages: readonly unknown[]) => {
    const told = structuredClone(messages);
    if (Array.isArray(messages)) messages.length = 0;
    return JSON.parse(JSON.stringify(told));
  };
  const scene = createScene({ ports: { transform } });
  await scene.play(calls([act('a', read('/a'))]), says('done'));
  expect(scene.requests[1]?.map(({ role }) => role)).toEqual(['user', 'assistant', 'toolResult']);
});

test('when the session cannot be written, nothing more is taken into the queues', async () => {
  const append = async ({ role }: { role: string }) => {
    if (role === 'assistant') throw new Error('the disk is full');
  };
  const scene = createScene({ ports: { append } });
  await expect(scene.play(says('done'))).rejects.toThrow('the disk is full');
  expect(scene.queues.steer(message('hello?'))).toBe(false);
});

const sameResult = () => textResult('the same');
const deeds = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, sameResult]));
const asks = (scene: Scene) => scene.events.filter(({ type }) => type === 'question_request');

test('the same call several times in one message is one step, not a circle', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const scene = createScene({ deeds: deeds(ids) });
  const outcome = await scene.play(calls(ids.map((id) => act(id, read('/same')))), says('done'));
  expect(outcome).toMatchObject({ reason: 'done', turns: 2 });
});

test('a message with many calls, made again and again, is a circle', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `c${at}`);
  const scene = createScene({ deeds: deeds(ids) });
  const batch = (turn: number) => calls([0, 1, 2, 3].map((at) => act(`c${turn * 4 + at}`, read(`/file${at}`))));
  const script = Array.from({ length: 8 }, (_, turn) => batch(turn));
  expect(await scene.play(...script, says('never'))).toMatchObject({ reason: 'repeated', turns: 5 });
  expect(asks(scene)).toHaveLength(1);
});

test('a call that the user asks for again and again is no circle', async () => {
  const ids = Array.from({ length: 8 }, (_, at) => `c${at}`);
  const scene = createScene({ deeds: deeds(ids) });
  const script = ids.flatMap((id) => [calls([act(id, read('/status'))]), says('no change')]);
  for (const _ of ids.slice(1)) scene.queues.followUp(message('look again'));
  expect(await scene.play(...script)).toMatchObject({ reason: 'done', turns: 16 });
  expect(asks(scene)).toEqual([]);
});

test('an abort while somebody is asked about a circle is an abort', async () => {
  const ids = ['c0', 'c1', 'c2'];
  const scene: Scene = createScene({
    ports: { question: never },
    deeds: deeds(ids),
    run: { repeatedCalls: 3 },
  });
  const outcome = scene.play(...ids.map((id) => calls([act(id, read('/same'))])));
  await scene.reached('question_request c2');
  scene.abort();
  expect(await outcome).toMatchObject({ reason: 'aborted' });
});

test('a call is judged by the mode at its turn: one before it may have changed that', async () => {
  let planning = false;
  const decide: GatePorts['decide'] = (_call, _source, effects) => {
    const denied = planning && effects.some(({ kind }) => kind === 'write');
    return {
      outcome: denied ? 'deny' : 'allow',
      reason: denied ? 'plan mode only reads' : 'it may',
      class: 'unknown',
      effects,
    };
  };
  const scene = createScene({
    ports: { decide },
    deeds: {
      enter() {
        planning = true;
        return textResult('plan mode is on');
      },
    },
  });
  await scene.play(calls([act('enter', write('/mode')), act('w', write('/a'))], { unstreamed: true }), says('done'));
  expect(scene.told('w')).toContain('plan mode only reads');
  expect(scene.log).not.toContain('run w');
});

test('what became allowed since it was checked is not asked about', async () => {
  let asked = 0;
  let wide = false;
  const decide: GatePorts['decide'] = (_call, _source, effects) => ({
    outcome: wide ? 'allow' : 'ask',
    reason: 'the mode',
    class: 'unknown',
    effects,
  });
  const ask: GatePorts['ask'] = async () => {
    asked += 1;
    wide = true;
    return { outcome: 'allow' };
  };
  const scene = createScene({ ports: { decide, ask } });
  await scene.play(calls([act('a', write('/a')), act('b', write('/b'))]), says('done'));
  expect(asked).toBe(1);
  expect(scene.log).toContain('run b');
});

test('hooks, decisions and readers know a tool by its own name, however the model spells it', async () => {
  const names: string[] = [];
  const shell = {
    name: 'bash',
    description: '',
    parameters: { type: 'object' as const },
    effects: () => [],
    run: async () => textResult('ran'),
  };
  const scene = createScene({
    ports: {
      findTool: () => ({ tool: shell, source: 'builtin' }),
      beforeTool: ({ toolName }) => {
        names.push(toolName);
        return { block: 'guarded' };
      },
    },
  });
  await scene.play(calls([call('Bash', {}, 'x')]), says('done'));
  expect(names).toEqual(['bash']);
  expect(scene.events).toContainEqual(expect.objectContaining({ type: 'tool_execution_start', toolName: 'bash' }));
  // The conversation keeps the name that was called: some providers pair by it.
  expect(scene.results()).toMatchObject([{ toolName: 'Bash' }]);
});

test('a tool that mends its input in place does not change what the model said', async () => {
  const mending = {
    name: 'mending',
    description: '',
    parameters: { type: 'object' as const, properties: { path: { type: 'string' as const } } },
    prepare(input: Record<string, unknown>) {
      input.path = '/mended';
      delete input.extra;
      return input;
    },
    effects: () => [],
    run: async (input: Record<string, unknown>) => textResult(JSON.stringify(input)),
  };
  const scene = createScene({ tools: [mending] });
  await scene.play(calls([call('mending', { path: '/said', extra: 1 })]), says('done'));
  expect(scene.told('mending')).toBe('{"path":"/mended"}');
  expect(scene.appended[1]).toMatchObject({ content: [{ arguments: { path: '/said', extra: 1 } }] });
});

test('the first request is priced as one that is written to the cache', async () => {
  const cost = { input: 10, output: 100, cacheRead: 1, cacheWrite: 100 };
  const history = [userMessage('x'.repeat(40_000), 0)];
  const request = { model: { ...model, cost } };
  const scene = createScene({ request, history, run: { limits: { costUsd: 0.5 } } });
  // Ten thousand tokens cost a dollar to write to the cache, ten cents to read without it.
  expect(await scene.play(says('never'))).toMatchObject({ reason: 'maxCost', turns: 0 });
});

test('an empty word of a hook does not keep a run from stopping', async () => {
  const scene = createScene({ ports: { beforeStop: () => '' } });
  expect(await scene.play(says('done'))).toMatchObject({ reason: 'done', turns: 1 });
  expect(scene.requests.flat().map(textOf)).toEqual(['go']);
});
