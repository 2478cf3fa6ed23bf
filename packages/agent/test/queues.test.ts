import { textResult } from '@tau/core';
import type { RecordedRequest } from '@tau/testkit';
import { expect, test } from 'vitest';
import type { Agent } from '../src/index.ts';
import { call, collect, extensionOf, says, toolOf, workbench } from './workbench.ts';

/** A tool that speaks to the agent while it runs. */
function meanwhile(say: (agent: Agent) => void) {
  let agent: Agent | undefined;
  const extension = extensionOf('meanwhile', (api) => {
    api.tool(
      toolOf('work', async () => {
        if (agent) say(agent);
        return textResult('worked');
      }),
    );
  });
  const options = { extensions: [extension], rules: { allow: ['work'] } };
  return { options, attach: (to: Agent) => (agent = to) };
}

/** The words of the users in a request. */
function said(request: RecordedRequest | undefined): string[] {
  return [...(request?.raw.matchAll(/"role":"user","content":"([^"]*)"/g) ?? [])].map(([, text = '']) => text);
}

test('steering is heard after the calls under way, before the model speaks again', async () => {
  const { options, attach } = meanwhile((agent) => agent.steer('stop that'));
  const { agent, model } = await workbench([call('work'), says('ok')], options);
  attach(agent);
  const events = await collect(agent.prompt('go'));
  expect(model.requests.map(said)).toEqual([['go'], ['go', 'stop that']]);
  expect(model.requests[1]?.raw.indexOf('worked')).toBeLessThan(model.requests[1]?.raw.indexOf('stop that') ?? 0);
  expect(events.filter(({ type }) => type === 'queue_update')).toMatchObject([{ steering: 1 }, { steering: 0 }]);
});

test('a follow-up waits until the model would stop', async () => {
  const { options, attach } = meanwhile((agent) => agent.followUp('and then?'));
  const { agent, model } = await workbench([call('work'), says('first done'), says('all done')], options);
  attach(agent);
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done', turns: 3 });
  expect(model.requests.map(said)).toEqual([['go'], ['go'], ['go', 'and then?']]);
});

test('steering goes before follow-ups, and each waits for its own turn', async () => {
  const { options, attach } = meanwhile((agent) => {
    agent.followUp('f1');
    agent.followUp('f2');
    agent.steer('s1');
    agent.steer('s2');
  });
  const { agent, model } = await workbench([call('work'), says('a'), says('b'), says('c'), says('d')], options);
  attach(agent);
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done' });
  expect(said(model.requests.at(-1))).toEqual(['go', 's1', 's2', 'f1', 'f2']);
  expect(model.requests).toHaveLength(5);
});

test('what was cleared is given back and never said', async () => {
  const cleared: string[] = [];
  const { options, attach } = meanwhile((agent) => {
    agent.followUp('later');
    agent.steer('now');
    cleared.push(...agent.clearQueues());
  });
  const { agent, model } = await workbench([call('work'), says('ok')], options);
  attach(agent);
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done', turns: 2 });
  expect(cleared).toEqual(['now', 'later']);
  expect(said(model.requests.at(-1))).toEqual(['go']);
  expect(agent.clearQueues()).toEqual([]);
});

test('what waits when a run is aborted is still there for the next one', async () => {
  const { agent, model } = await workbench([{ hang: 'midStream' }, says('a'), says('b')]);
  const control = new AbortController();
  const run = agent.prompt('go', { signal: control.signal });
  await model.arrival(0);
  agent.followUp('kept');
  control.abort();
  expect(await run.outcome).toMatchObject({ reason: 'aborted' });
  await agent.prompt('next').outcome;
  expect(said(model.requests.at(-1))).toEqual(['go', 'next', 'kept']);
});

test('nobody hears what is said when no run is under way, and it says so', async () => {
  const { agent } = await workbench([says('a')]);
  expect(agent.steer('too early')).toBe(false);
  await agent.prompt('go').outcome;
  expect(agent.followUp('too late')).toBe(false);
  expect(agent.clearQueues()).toEqual([]);
});

const four = (agent: Agent) => {
  agent.steer('s1');
  agent.steer('s2');
  agent.followUp('f1');
  agent.followUp('f2');
};

test.each([
  ['all', 'all', [['go'], ['go', 's1', 's2'], ['go', 's1', 's2', 'f1', 'f2']]],
  ['one-at-a-time', 'all', [['go'], ['go', 's1'], ['go', 's1', 's2'], ['go', 's1', 's2', 'f1', 'f2']]],
  ['all', 'one-at-a-time', [['go'], ['go', 's1', 's2'], ['go', 's1', 's2', 'f1'], ['go', 's1', 's2', 'f1', 'f2']]],
])('steering %s and follow-ups %s are heard in as many steps', async (steeringMode, followUpMode, heard) => {
  const { options, attach } = meanwhile(four);
  const answers = heard.slice(1).map((_, n) => says(`answer ${n}`));
  const { agent, model } = await workbench([call('work'), ...answers], {
    ...options,
    settings: { steeringMode, followUpMode },
  });
  attach(agent);
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done', turns: heard.length });
  expect(model.requests.map(said)).toEqual(heard);
});

test('what waits can be looked at, and looking changes nothing', async () => {
  const seen: unknown[] = [];
  const { options, attach } = meanwhile((agent) => {
    four(agent);
    agent.queued().steering.length = 0;
    seen.push(agent.queued());
  });
  const answers = Array.from({ length: 4 }, (_, n) => says(`answer ${n}`));
  const { agent } = await workbench([call('work'), ...answers], options);
  attach(agent);
  await agent.prompt('go').outcome;
  expect(seen).toEqual([{ steering: ['s1', 's2'], followUp: ['f1', 'f2'] }]);
  expect(agent.queued()).toEqual({ steering: [], followUp: [] });
});

test('what is told during a run is heard by it', async () => {
  const { options, attach } = meanwhile((agent) => agent.tell('the build is red'));
  const { agent, model } = await workbench([call('work'), says('ok')], options);
  attach(agent);
  await agent.prompt('go').outcome;
  expect(model.requests[0]?.raw).not.toContain('the build is red');
  expect(model.requests[1]?.raw).toContain('the build is red');
});

test('what is told before a run is heard at its start, and once', async () => {
  const { agent, model } = await workbench([says('one'), says('two')]);
  agent.tell('the build is red');
  await agent.prompt('go').outcome;
  await agent.prompt('again').outcome;
  expect(model.requests.map(({ raw }) => raw.split('the build is red').length - 1)).toEqual([1, 1]);
  expect(agent.messages().filter(({ content }) => JSON.stringify(content).includes('build'))).toHaveLength(1);
});
