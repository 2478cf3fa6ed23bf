/** What extensions may change of a run besides its calls: what the model is told, whether it may stop, and what is said. */
import { textResult, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { call, collect, extensionOf, says, toolOf, workbench } from './workbench.ts';

test('what a hook makes of the context is what the model is told, and nothing of it is kept', async () => {
  const masked = extensionOf('mask', (api) =>
    api.transformContext((messages) => [...messages.slice(0, -1), userMessage('masked words', 0)]),
  );
  const { agent, model } = await workbench([says('ok')], { extensions: [masked] });
  await agent.prompt('my secret').outcome;
  expect(model.requests[0]?.raw).toContain('masked words');
  expect(model.requests[0]?.raw).not.toContain('my secret');
  expect(agent.messages()[0]).toMatchObject({ role: 'user', content: 'my secret' });
});

test('a hook that fails on the context ends the run: nothing is sent unmasked', async () => {
  const broken = extensionOf('broken', (api) =>
    api.transformContext(() => {
      throw new Error('cannot mask');
    }),
  );
  const { agent, model } = await workbench([says('never')], { extensions: [broken] });
  const run = agent.prompt('my secret');
  const events = await collect(run);
  expect(await run.outcome).toMatchObject({ reason: 'error', turns: 0 });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'error', message: expect.stringMatching('a hook of broken failed: cannot mask') }),
  );
  expect(model.requests).toHaveLength(0);
});

test('a hook that fails when the run would stop ends it as an error, and what was spent is told', async () => {
  const broken = extensionOf('broken', (api) =>
    api.beforeStop(() => {
      throw new Error('cannot think');
    }),
  );
  const { agent } = await workbench([says('done')], { extensions: [broken] });
  const run = agent.prompt('go');
  const events = await collect(run);
  expect(await run.outcome).toMatchObject({ reason: 'error', turns: 1, answer: 'done' });
  expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'error', turns: 1 });
});

test('a hook may keep a run from stopping, with words that the model hears', async () => {
  const heard: string[] = [];
  const strict = extensionOf('strict', (api) =>
    api.beforeStop((answer) => {
      heard.push(answer);
      return answer === 'tested' ? undefined : 'you have not run the tests';
    }),
  );
  const { agent, model } = await workbench([says('done'), says('tested')], { extensions: [strict] });
  const run = agent.prompt('go');
  const events = await collect(run);
  expect(await run.outcome).toMatchObject({ reason: 'done', turns: 2, answer: 'tested' });
  expect(heard).toEqual(['done', 'tested']);
  expect(model.requests[1]?.raw).toContain('you have not run the tests');
  expect(events.find(({ type }) => type === 'recovery')).toMatchObject({ problem: 'stopHook', attempt: 1 });
});

test('a hook that never lets a run stop is let go after a while', async () => {
  const endless = extensionOf('endless', (api) => api.beforeStop(() => 'more'));
  const answers = Array.from({ length: 20 }, (_, n) => says(`answer ${n}`));
  const { agent, model } = await workbench(answers, { extensions: [endless] });
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done' });
  expect(model.requests.length).toBeLessThan(10);
});

test('an extension may speak to the run under way, as steering or when it would stop', async () => {
  const speaker = extensionOf('speaker', (api) =>
    api.tool(
      toolOf('work', async () => {
        api.say('the end is near', 'followUp');
        api.say('the build is red');
        return textResult('worked');
      }),
    ),
  );
  const { agent, model } = await workbench([call('work'), says('one'), says('two')], {
    extensions: [speaker],
    rules: { allow: ['work'] },
  });
  expect(await agent.prompt('go').outcome).toMatchObject({ turns: 3 });
  expect(model.requests[1]?.raw).toContain('the build is red');
  expect(model.requests[1]?.raw).not.toContain('the end is near');
  expect(model.requests[2]?.raw).toContain('the end is near');
});

test('what an extension says while nothing runs is heard by the next run', async () => {
  let say = (_text: string) => {};
  const speaker = extensionOf('speaker', (api) => {
    say = api.say;
  });
  const { agent, model } = await workbench([says('one')], { extensions: [speaker] });
  say('the build is red');
  await agent.prompt('go').outcome;
  expect(model.requests[0]?.raw).toContain('the build is red');
});
