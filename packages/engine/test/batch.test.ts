import { type Effect, errorResult, type GatePorts, type ToolCall, textResult } from '@tau/core';
import { expect, test } from 'vitest';
import { after, askForWrites, createScene, type Deed, type Scene } from './scene.ts';
import { act, barrier, calls, exec, foreign, read, says, write } from './speech.ts';

const runs = (scene: Scene) => scene.log.filter((line) => /^ra?n |^run /.test(line));

/** Plays two calls and says whether the second begins while the first is held. */
async function together(first: Effect[], second: Effect[], ports: Partial<GatePorts> = {}): Promise<boolean> {
  const held = barrier();
  const scene = createScene({ deeds: { a: after(held.passed) }, ports });
  const playing = scene.play(calls([act('a', ...first), act('b', ...second)], { unstreamed: true }), says('done'));
  await scene.reached('run a');
  // Whatever may start beside `a` has started once the promises of this turn of the event loop have all run.
  await new Promise(setImmediate);
  const beside = scene.log.includes('run b');
  held.open();
  await playing;
  expect(scene.results().map((result) => result.toolCallId)).toEqual(['a', 'b']);
  return beside;
}

const net: Effect = { kind: 'net', host: 'example.org' };

test.each<[string, Effect[], Effect[], boolean]>([
  ['two reads of a file', [read('/p/a')], [read('/p/a')], true],
  ['writes of two files', [write('/p/a')], [write('/p/b')], true],
  ['two writes of a file', [write('/p/a')], [write('/p/a')], false],
  ['a write and a read of a file', [write('/p/a')], [read('/p/a')], false],
  ['a read and a write of a file', [read('/p/a')], [write('/p/a')], false],
  ['a write in a folder and a read of the folder', [write('/p/src/a')], [read('/p/src')], false],
  ['a read in a folder and a write of the folder', [read('/p/src/a')], [write('/p/src')], false],
  ['anything below the root and a write of the root', [read('/p')], [write('/')], false],
  ['a write of the root and anything below it', [write('/')], [read('/p')], false],
  ['a write below the root and a read of the root', [write('/p')], [read('/')], false],
  ['names that only begin alike', [write('/p/src')], [read('/p/src2/a')], true],
  ['names that only begin alike, the longer one first', [write('/p/src2/a')], [read('/p/src')], true],
  ['an edit and an edit of another file', [read('/p/a'), write('/p/a')], [read('/p/b'), write('/p/b')], true],
  ['an edit and a second edit of its file', [read('/p/a'), write('/p/a')], [read('/p/a'), write('/p/a')], false],
  ['a second effect that conflicts', [read('/p/x'), write('/p/a')], [read('/p/y'), read('/p/a')], false],
  ['an unproved command and a read', [exec()], [read('/p/a')], false],
  ['a read and an unproved command', [read('/p/a')], [exec()], false],
  ['an unproved and a proved command', [exec()], [exec('ls', true)], false],
  ['an unproved command and the network', [exec()], [net], false],
  ['two proved commands', [exec('ls', true)], [exec('pwd', true)], true],
  ['a proved command and a write of what it reads', [exec('cat a', true), read('/p/a')], [write('/p/a')], false],
  ['a call of an MCP server and a read', [{ kind: 'mcp', server: 's', tool: 't' }], [read('/p/a')], false],
  ['a changed setting and a read', [{ kind: 'config', key: 'k' }], [read('/p/a')], false],
  ['something unnamed and a read', [read('/p/a')], [{ kind: 'other', what: 'x' }], false],
  ['two requests to the network', [net], [net], true],
  ['two sub-agents', [{ kind: 'spawn', agent: 'a' }], [{ kind: 'spawn', agent: 'b' }], true],
  ['an unproved command and a call that does nothing', [exec()], [], true],
])('%s', async (_name, first, second, expected) => {
  expect(await together(first, second)).toBe(expected);
});

test('where a path really leads decides, not how it is written', async () => {
  const resolve: GatePorts['resolve'] = async (effects) => effects.map((effect) => ({ ...effect, resolved: '/real' }));
  expect(await together([write('/link')], [write('/real')], { resolve })).toBe(false);
});

test('no more calls run at once than the limit, and all of them run', async () => {
  const full = barrier();
  let active = 0;
  let most = 0;
  const deed: Deed = async () => {
    active += 1;
    most = Math.max(most, active);
    if (active === 3) full.open();
    await full.passed;
    await new Promise(setImmediate);
    active -= 1;
    return textResult('ok');
  };
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const deeds = Object.fromEntries(ids.map((id) => [id, deed]));
  const scene = createScene({ concurrency: 3, deeds });
  const list = ids.map((id, at) => act(id, at % 2 ? read(`/${id}`) : write(`/${id}`)));
  await scene.play(calls(list), says('done'));
  expect(most).toBe(3);
  expect(scene.results().map((result) => result.toolCallId)).toEqual(ids);
});

test('results are recorded in source order, each as soon as those before it are there', async () => {
  const [first, third] = [barrier(), barrier()];
  const scene = createScene({ deeds: { a: after(first.passed), c: after(third.passed) } });
  const playing = scene.play(calls([act('a', read('/a')), act('b', read('/b')), act('c', read('/c'))]), says('done'));
  await scene.reached('ran b');
  expect(scene.results()).toEqual([]);
  first.open();
  await scene.reached('message_end result b');
  expect(scene.results().map((result) => result.toolCallId)).toEqual(['a', 'b']);
  third.open();
  await playing;
  expect(scene.results().map((result) => result.toolCallId)).toEqual(['a', 'b', 'c']);
});

/** Plays calls in a message that stays open until the last of them runs, and says which ran before it ended. */
async function startedEarly(list: ToolCall[], options: Parameters<typeof createScene>[0] = {}): Promise<string[]> {
  const scene = createScene(options);
  const last = list.at(-1)?.id;
  await scene.play(calls(list, { until: scene.reached(`run ${last}`) }), says('done'));
  expect(scene.results().map((result) => result.toolCallId)).toEqual(list.map(({ id }) => id));
  const end = scene.log.indexOf('append assistant');
  return scene.log.slice(0, end).filter((line) => line.startsWith('run '));
}

const marker = act('marker', read('/marker'));

test('reads and proved commands start while the model still speaks', async () => {
  const list = [act('a', read('/a')), act('b', exec('ls', true), read('/b')), marker];
  expect(await startedEarly(list)).toEqual(['run a', 'run b', 'run marker']);
});

test.each<[string, ToolCall[]]>([
  ['a write', [act('w', write('/a'))]],
  ['a read of what an earlier call writes', [act('w', write('/a')), act('r', read('/a'))]],
  ['the tool of an extension, whatever it says of itself', [foreign('f', read('/a'))]],
  ['a request to the network', [act('n', net)]],
  ['a call that is refused', [{ ...act('u'), name: 'unknown' }]],
])('%s does not start before the message is on disk', async (_name, list) => {
  expect(await startedEarly([...list, marker])).toEqual(['run marker']);
});

test('a foreign tool that claims to do nothing is in the way of everything', async () => {
  const scene = createScene();
  const offered = scene.reached('message_update toolCallEnd').then(() => new Promise(setImmediate));
  await scene.play(calls([foreign('f'), act('r', read('/a'))], { until: offered }), says('done'));
  const lines = ['append assistant', 'run f', 'ran f', 'run r'];
  expect(scene.log.filter((line) => lines.includes(line)).slice(0, 4)).toEqual(lines);
});

test('nothing starts early behind an unproved command', async () => {
  const scene = createScene();
  const offered = scene.reached('message_update toolCallEnd').then(() => new Promise(setImmediate));
  await scene.play(calls([act('x', exec()), act('r', read('/a'))], { until: offered }), says('done'));
  const lines = ['append assistant', 'run x', 'ran x', 'run r'];
  expect(scene.log.filter((line) => lines.includes(line)).slice(0, 4)).toEqual(lines);
});

test('a read that must be asked about does not start early, and is not asked about early', async () => {
  const decide: Scene['ports']['decide'] = (call, _source, effects) => ({
    outcome: call.id === 'q' ? 'ask' : 'allow',
    reason: 'outside',
    class: 'unknown',
    effects,
  });
  const scene = createScene({ ports: { decide } });
  await scene.play(calls([act('q', read('/etc')), marker], { until: scene.reached('run marker') }), says('done'));
  const lines = ['run marker', 'append assistant', 'permission_request q', 'run q'];
  expect(scene.log.filter((line) => lines.includes(line)).slice(0, 4)).toEqual(lines);
});

test('early starts keep to the limit', async () => {
  const held = barrier();
  const scene = createScene({ concurrency: 1, deeds: { a: after(held.passed) } });
  const ended = scene.reached('append assistant').then(held.open);
  const offered = scene.reached('run a').then(() => new Promise(setImmediate));
  await scene.play(calls([act('a', read('/a')), act('b', read('/b'))], { until: offered }), says('done'));
  await ended;
  expect(runs(scene)).toEqual(['run a', 'ran a', 'run b', 'ran b']);
});

const failing: Deed = () => errorResult('exit code: 1');

test('a failed command cancels the changes after it in its message, not the reads, and the next message is free', async () => {
  const scene = createScene({ deeds: { x: failing } });
  const list = [act('w0', write('/0')), act('x', exec()), act('w', write('/a')), act('r', read('/a')), foreign('f')];
  await scene.play(calls([...list, act('y', exec())]), calls([act('w2', write('/a'))]), says('done'));
  expect(runs(scene).filter((line) => line.startsWith('run'))).toEqual(['run w0', 'run x', 'run r', 'run w2']);
  for (const id of ['w', 'f', 'y']) expect(scene.told(id)).toMatch(/^Not run: .* failed \(call x\)\.$/);
});

test.each<[string, ToolCall]>([
  ['a proved command', act('x', exec('ls', true))],
  ['a read', act('x', read('/x'))],
  ['a write', act('x', write('/x'))],
])('%s that fails cancels nothing', async (_name, failed) => {
  const scene = createScene({ deeds: { x: failing } });
  await scene.play(calls([failed, act('w', write('/a'))]), says('done'));
  expect(scene.told('w')).toBe('did w');
});

test('a command the user refused did not fail, so what comes after it is judged by itself', async () => {
  const ask = async ({ toolCallId }: { toolCallId: string }) => ({
    outcome: toolCallId === 'x' ? ('deny' as const) : ('allow' as const),
  });
  const scene = createScene({ ports: { decide: askForWrites, ask } });
  await scene.play(calls([act('x', exec()), act('w', write('/a'))]), says('done'));
  expect(scene.told('x')).toBe('The user said no.');
  expect(scene.told('w')).toBe('did w');
});
