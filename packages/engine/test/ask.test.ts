import type { Answer, Ask, Effect, GatePorts, ResolvedEffect } from '@tau/core';
import { expect, test } from 'vitest';
import { askForWrites, createScene, type Scene } from './scene.ts';
import { act, calls, exec, read, says, write } from './speech.ts';

async function answered(answer: Answer): Promise<{ scene: Scene; asks: Ask[] }> {
  const asks: Ask[] = [];
  const ask: GatePorts['ask'] = async (question) => {
    asks.push(question);
    return answer;
  };
  const scene = createScene({ ports: { decide: askForWrites, ask } });
  await scene.play(calls([act('w', write('/a'))]), says('done'));
  return { scene, asks };
}

test('a call that is allowed when asked about is made, and the question showed what it does', async () => {
  const { scene, asks } = await answered({ outcome: 'allow' });
  const effects = [{ kind: 'write', path: '/a', resolved: '/a' }];
  const decision = { outcome: 'ask', reason: 'it changes something', class: 'unknown', effects };
  const asked = { id: 'ask-1', toolCallId: 'w', toolName: 'act', input: { effects: [write('/a')] }, decision };
  expect(asks).toEqual([asked]);
  expect(scene.events).toContainEqual({ type: 'permission_request', ...asked });
  expect(scene.events).toContainEqual({ type: 'permission_response', id: 'ask-1', toolCallId: 'w', outcome: 'allow' });
  const lines = ['permission_request w', 'permission_response w', 'journal w', 'run w'];
  expect(scene.log.filter((line) => lines.includes(line))).toEqual(lines);
});

test.each<[string, Answer, string]>([
  ['without a word', { outcome: 'deny' }, 'The user said no.'],
  ['with a word', { outcome: 'deny', feedback: 'use the other file' }, 'The user said no: use the other file'],
  [
    'because nobody is there',
    { outcome: 'deny', unattended: true },
    'Not allowed: this needs approval and nobody is there to give it (it changes something).',
  ],
])('a call denied %s is not made, and the model is told', async (_how, answer, told) => {
  const { scene } = await answered(answer);
  expect(scene.told('w')).toBe(told);
  expect(scene.results()[0]?.isError).toBe(true);
  expect(scene.log.filter((line) => /^(run|journal|checkpoint)/.test(line))).toEqual([]);
  expect(scene.events).toContainEqual({ type: 'permission_response', id: 'ask-1', toolCallId: 'w', ...answer });
});

test.each(['{}', 'null', '{"outcome":"ask"}', '{"outcome":"yes"}'])('the answer %s is not a yes', async (answer) => {
  const { scene } = await answered(JSON.parse(answer));
  expect(scene.log).not.toContain('run w');
  expect(scene.results()[0]?.isError).toBe(true);
});

test('a question that cannot be asked is a no, with its request answered', async () => {
  const ask = async () => Promise.reject(new Error('the window is gone'));
  const scene = createScene({ ports: { decide: askForWrites, ask } });
  await scene.play(calls([act('w', write('/a'))]), says('done'));
  expect(scene.told('w')).toContain('the window is gone');
  expect(scene.log).not.toContain('run w');
  expect(scene.log).toContain('permission_response w');
});

test('the reason and the rule of a denial reach the model, and nobody is asked', async () => {
  const decide: GatePorts['decide'] = (_call, _source, effects) => ({
    ...{ outcome: 'deny', reason: 'secrets stay secret', rule: 'read(./secrets/**)', class: 'unknown', effects },
  });
  const scene = createScene({ ports: { decide } });
  await scene.play(calls([act('r', read('/secrets/a'))]), says('done'));
  expect(scene.told('r')).toBe('Not allowed: secrets stay secret (rule read(./secrets/**)).');
  expect(scene.log.filter((line) => /^(run|permission)/.test(line))).toEqual([]);
});

test('questions are asked one after the other, in source order', async () => {
  let open = 0;
  const ask: GatePorts['ask'] = async () => {
    open += 1;
    expect(open).toBe(1);
    await new Promise(setImmediate);
    open -= 1;
    return { outcome: 'allow' };
  };
  const scene = createScene({ ports: { decide: askForWrites, ask } });
  await scene.play(calls(['a', 'b', 'c'].map((id) => act(id, write(`/${id}`)))), says('done'));
  const asked = scene.log.filter((line) => line.startsWith('permission_request'));
  expect(asked).toEqual(['permission_request a', 'permission_request b', 'permission_request c']);
  expect(scene.results().map((result) => result.isError)).toEqual([false, false, false]);
});

/** A host on which `/link` leads to wherever `links.to` says. */
function hostWithLink(links: { to: string }): Pick<GatePorts, 'resolve'> {
  const follow = (effect: Effect): ResolvedEffect =>
    'path' in effect ? { ...effect, resolved: effect.path === '/link' ? links.to : effect.path } : effect;
  return { resolve: async (effects) => effects.map(follow) };
}

test('a path that moved during the question is not followed', async () => {
  const links = { to: '/project/a' };
  const ask = async (): Promise<Answer> => {
    links.to = '/etc/passwd';
    return { outcome: 'allow' };
  };
  const scene = createScene({ ports: { decide: askForWrites, ask, ...hostWithLink(links) } });
  await scene.play(calls([act('w', write('/link'))]), says('done'));
  expect(scene.told('w')).toContain('where its paths lead changed');
  expect(scene.log.filter((line) => /^(run|journal)/.test(line))).toEqual([]);
});

test.each([
  ['read', read('/link')],
  ['write', write('/link')],
])('a %s is not let through a link that an earlier call of its message planted', async (_kind, effect) => {
  const links = { to: '/project/a' };
  const scene = createScene({
    ports: hostWithLink(links),
    deeds: {
      x: () => {
        links.to = '/home/user/.ssh/id_rsa';
        return { content: [] };
      },
    },
  });
  await scene.play(calls([act('x', exec('ln -s')), act('late', effect)]), says('done'));
  expect(scene.log).toContain('run x');
  expect(scene.log).not.toContain('run late');
  expect(scene.told('late')).toContain('where its paths lead changed');
});

test('every question has an id of its own, also when the provider repeats the ids of its calls', async () => {
  const scene = createScene({ ports: { decide: askForWrites } });
  await scene.play(calls([act('w', write('/a'))]), calls([act('w', write('/b'))]), says('done'));
  const ids = (type: string) => scene.events.flatMap((event) => (event.type === type && 'id' in event ? event.id : []));
  expect(ids('permission_request')).toEqual(['ask-1', 'ask-2']);
  expect(ids('permission_response')).toEqual(['ask-1', 'ask-2']);
});

test('what became of a call is said once, whether it was allowed, asked about or denied, started early or late', async () => {
  const decide: GatePorts['decide'] = (call, _source, effects) => {
    const outcome = call.id === 'no' ? 'deny' : effects.every(({ kind }) => kind === 'read') ? 'allow' : 'ask';
    return { outcome, reason: 'why', class: 'unknown', effects };
  };
  const ask: GatePorts['ask'] = async ({ toolCallId }) => {
    if (toolCallId === 'gone') throw new Error('the window is gone');
    return toolCallId === 'yes' ? { outcome: 'allow', scope: 'session' } : { outcome: 'deny', unattended: true };
  };
  const said: unknown[] = [];
  const decided: GatePorts['decided'] = ({ id }, { outcome }, answer) => said.push([id, outcome, answer]);
  const scene = createScene({ ports: { decide, ask, decided } });
  const batch = [
    act('early', read('/a')),
    act('no', read('/b')),
    act('yes', write('/c')),
    act('unattended', write('/d')),
    act('gone', write('/e')),
    act('late', read('/c')),
  ];
  await scene.play(calls(batch), says('done'));
  const byId = new Map(said.map((one) => [String(Array.isArray(one) ? one[0] : ''), one]));
  expect(said).toHaveLength(batch.length);
  expect([...byId.values()]).toEqual(
    expect.arrayContaining([
      ['early', 'allow', undefined],
      ['no', 'deny', undefined],
      ['yes', 'ask', { outcome: 'allow', scope: 'session' }],
      ['unattended', 'ask', { outcome: 'deny', unattended: true }],
      ['gone', 'ask', { outcome: 'deny' }],
      ['late', 'allow', undefined],
    ]),
  );
});
