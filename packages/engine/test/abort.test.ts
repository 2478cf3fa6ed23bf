import { type ToolContext, textResult } from '@tau/core';
import { expect, test, vi } from 'vitest';
import { createBranches } from '../src/abort.ts';
import { askForWrites, createScene, type Scene } from './scene.ts';
import { aborted, act, barrier, call, calls, exec, read, says, write } from './speech.ts';

const interrupted = 'Not run: the user interrupted.';
const ran = (scene: Scene) => scene.log.filter((line) => line.startsWith('run '));
const answered = (scene: Scene) => scene.results().map((result) => result.toolCallId);

/** A deed that takes its time to end when it is told to stop, and notes it. */
const stops = (note: (line: string) => void) => async (context: ToolContext) => {
  await aborted(context.signal);
  await new Promise(setImmediate);
  note(`stopped ${context.toolCallId}`);
  return textResult('stopped half way');
};

test('an abort before the start asks the model nothing', async () => {
  const scene = createScene();
  scene.abort();
  expect(await scene.play(says('hello'))).toMatchObject({ reason: 'aborted', turns: 0 });
  expect(scene.requests).toEqual([]);
  expect(scene.appended.map((message) => message.role)).toEqual(['user']);
});

test('an abort while the model speaks keeps what was said, stops the early reads and answers every call', async () => {
  const scene = createScene({ deeds: { r: (context) => stops(scene.note)(context) } });
  const list = [act('r', read('/a')), act('w', write('/b'))];
  const playing = scene.play(calls(list, { until: new Promise(() => {}) }));
  await scene.reached('run r');
  scene.abort();
  expect(await playing).toMatchObject({ reason: 'aborted', turns: 1 });
  expect(scene.appended[1]).toMatchObject({ role: 'assistant', stopReason: 'aborted', content: list });
  expect(answered(scene)).toEqual(['r', 'w']);
  expect(scene.told('r')).toBe('stopped half way');
  expect(scene.told('w')).toBe(interrupted);
  expect(scene.log).not.toContain('journal w');
});

test('an abort during a tool reaches it by its signal, and what had not begun never begins', async () => {
  const scene = createScene({ deeds: { x: (context) => stops(scene.note)(context) } });
  const playing = scene.play(calls([act('x', exec()), act('r', read('/a')), act('w', write('/a'))]));
  await scene.reached('run x');
  scene.abort();
  expect(await playing).toMatchObject({ reason: 'aborted', turns: 1 });
  expect(ran(scene)).toEqual(['run x']);
  expect(scene.log).toContain('stopped x');
  expect(answered(scene)).toEqual(['x', 'r', 'w']);
  expect([scene.told('r'), scene.told('w')]).toEqual([interrupted, interrupted]);
});

test('all calls that run together get the signal', async () => {
  const scene = createScene({
    deeds: { a: (context) => stops(scene.note)(context), b: (context) => stops(scene.note)(context) },
  });
  const playing = scene.play(calls([act('a', write('/a')), act('b', write('/b'))]));
  await Promise.all([scene.reached('run a'), scene.reached('run b')]);
  scene.abort();
  await playing;
  expect(scene.log.filter((line) => line.startsWith('stopped')).sort()).toEqual(['stopped a', 'stopped b']);
});

test('a dozen calls may listen for an abort at once without a word of warning', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const ids = [...'abcdefghijkl'];
  const scene = createScene({
    concurrency: ids.length,
    deeds: Object.fromEntries(ids.map((id) => [id, (context) => stops(scene.note)(context)])),
  });
  const playing = scene.play(calls(ids.map((id) => act(id, read('/a')))));
  await Promise.all(ids.map((id) => scene.reached(`run ${id}`)));
  scene.abort();
  await playing;
  process.off('warning', onWarning);
  expect(scene.log.filter((line) => line.startsWith('stopped'))).toHaveLength(ids.length);
  expect(warnings).toEqual([]);
});

test('a tool that throws its own word on an abort is quoted', async () => {
  const scene = createScene({
    deeds: {
      x: async ({ signal }) => {
        await aborted(signal);
        throw new Error('killed at line 3');
      },
    },
  });
  const playing = scene.play(calls([act('x', exec())]));
  await scene.reached('run x');
  scene.abort();
  await playing;
  expect(scene.told('x')).toBe('killed at line 3');
});

test.each<[string, Scene['ports']['ask']]>([
  [
    'listens to the signal',
    (_ask, signal) => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason))),
  ],
  ['does not listen', () => new Promise(() => {})],
  ['takes the abort for a no', (_ask, signal) => aborted(signal).then(() => ({ outcome: 'deny' }))],
  ['says yes at the same moment', (_ask, signal) => aborted(signal).then(() => ({ outcome: 'allow' }))],
])('an abort during a question ends it, though whoever is asked %s', async (_who, ask) => {
  const scene = createScene({ ports: { decide: askForWrites, ask } });
  const playing = scene.play(calls([act('w', write('/a')), act('v', write('/b'))]));
  await scene.reached('permission_request w');
  scene.abort();
  expect(await playing).toMatchObject({ reason: 'aborted' });
  expect(ran(scene)).toEqual([]);
  expect([scene.told('w'), scene.told('v')]).toEqual([interrupted, interrupted]);
  expect(scene.log.filter((line) => line.startsWith('permission'))).toEqual([
    'permission_request w',
    'permission_response w',
  ]);
});

test('an abort while the intent is written keeps the effect from happening', async () => {
  const disk = barrier();
  const scene = createScene({
    ports: {
      journal: async () => {
        scene.note('journalling');
        await disk.passed;
      },
    },
  });
  const playing = scene.play(calls([act('w', write('/a'))]));
  await scene.reached('journalling');
  scene.abort();
  disk.open();
  await playing;
  expect(ran(scene)).toEqual([]);
  expect(scene.told('w')).toBe(interrupted);
});

test('an abort does not wait for a hook, and the calls after it are not shown to the hooks', async () => {
  const scene = createScene({
    ports: {
      beforeTool: ({ id }) => {
        scene.note(`hook ${id}`);
        return new Promise(() => {});
      },
    },
  });
  const playing = scene.play(calls([act('a', read('/a')), act('b', read('/b'))]));
  await scene.reached('hook a');
  scene.abort();
  expect(await playing).toMatchObject({ reason: 'aborted' });
  expect(scene.log).not.toContain('hook b');
  expect([scene.told('a'), scene.told('b')]).toEqual([interrupted, interrupted]);
});

test('an abort that comes just before a hook does not wait for it either', async () => {
  const scene = createScene({
    tools: [{ name: 'aborting', description: '', parameters: {}, effects: () => [], run: async () => textResult('') }],
    ports: { beforeTool: () => new Promise(() => {}) },
  });
  const { findTool } = scene.ports;
  scene.ports.findTool = (name) => {
    scene.abort();
    return findTool(name);
  };
  expect(await scene.play(calls([call('aborting', {})]))).toMatchObject({ reason: 'aborted' });
  expect(scene.told('aborting')).toBe(interrupted);
});

test('an abort between two turns makes no request, and steering that was heard stays in the session', async () => {
  const scene = createScene({
    ports: {
      append: async (message) => {
        if (message.content === 'steered') scene.abort();
      },
    },
  });
  scene.queues.steer({ role: 'user', content: 'steered', timestamp: 2 });
  expect(await scene.play(says('one'), says('two'))).toMatchObject({ reason: 'aborted', turns: 1 });
  expect(scene.requests).toHaveLength(1);
  expect(scene.appended.at(-1)).toMatchObject({ role: 'user', content: 'steered' });
});

const fullDisk = (role: string) => async (message: { role: string }) => {
  if (message.role === role) throw new Error('no space left on device');
};

test.each([
  ['the message', 'assistant', ['r']],
  ['a result', 'toolResult', ['r', 'w']],
])(
  'when %s cannot be written, the run fails only after everything it started was stopped',
  async (_what, role, held) => {
    const scene = createScene({
      ports: { append: fullDisk(role) },
      deeds: Object.fromEntries(held.map((id) => [id, (context) => stops(scene.note)(context)])),
    });
    const list = [act('a', read('/a')), act('r', read('/r')), act('w', write('/w')), act('x', exec())];
    const message = calls(list, { until: scene.reached('run r') });
    await expect(scene.play(message)).rejects.toThrow('no space left');
    expect(scene.log.filter((line) => line.startsWith('stopped')).sort()).toEqual(held.map((id) => `stopped ${id}`));
    expect(scene.log).not.toContain('run x');
    const open = scene.log.filter((line) => line.startsWith('tool_execution_start'));
    expect(scene.log.filter((line) => line.startsWith('tool_execution_end'))).toHaveLength(open.length);
  },
);

test('when the prompt cannot be written, nothing is asked of the model', async () => {
  const scene = createScene({ ports: { append: fullDisk('user') } });
  await expect(scene.play(says('hello'))).rejects.toThrow('no space left');
  expect(scene.log).toEqual([]);
});

test('branches follow the signal above them, end by themselves, and leave nothing behind on it', () => {
  const above = new AbortController();
  const added = vi.spyOn(above.signal, 'addEventListener');
  const removed = vi.spyOn(above.signal, 'removeEventListener');
  const branch = createBranches(above.signal);
  const [left, right, gone] = [branch(), branch(), branch()];
  gone.release();
  left.abort();
  expect([left, right, gone].map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
  above.abort('enough');
  expect([right, gone].map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(right.signal.reason).toBe('enough');
  const late = branch();
  expect(late.signal.aborted).toBe(true);
  expect(added).toHaveBeenCalledTimes(1);
  for (const one of [left, right, late]) one.release();
  expect(removed.mock.calls).toEqual([['abort', added.mock.calls[0]?.[1]]]);
});

test.each(['tool', 'hook'])('a %s that does not listen does not hold up who interrupts', async (who) => {
  const never = new Promise<never>(() => {});
  const scene = createScene(
    who === 'tool' ? { deeds: { a: () => never } } : { ports: { afterTool: () => never }, deeds: {} },
  );
  const running = scene.play(calls([act('a', write('/a'))]));
  await scene.reached('run a');
  scene.abort();
  expect(await running).toMatchObject({ reason: 'aborted' });
  expect(scene.told('a')).toContain(who === 'tool' ? 'may still be at work' : 'withheld');
});

test('a tool that needs a moment to stop has it, and its own result counts', async () => {
  const scene = createScene({
    deeds: {
      a: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => setImmediate(() => resolve(textResult('stopped in good order'))));
        }),
    },
  });
  const running = scene.play(calls([act('a', write('/a'))]));
  await scene.reached('run a');
  scene.abort();
  await running;
  expect(scene.told('a')).toBe('stopped in good order');
});
