/** Turns, tokens and money: what stops a run, and when. */
import { type ScriptStep, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { call, providerAt, says, workbench } from './workbench.ts';

const look = call('bash', { command: 'pwd' });
const price = { cost: { input: 100, output: 100, cacheRead: 0, cacheWrite: 0 } };

test('a run stops before the turn too many', async () => {
  const { agent, model } = await workbench([look, look, says('never')], { maxTurns: 2 });
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'maxTurns', turns: 2 });
  expect(model.requests).toHaveLength(2);
});

test('tokens are counted over all prompts of an agent, and the request that would break the limit is not made', async () => {
  const heavy = { blocks: [{ text: 'one' }], usage: { input: 19_000, output: 500 } };
  const { agent, model } = await workbench([heavy, says('never')], { maxTotalTokens: 20_000 });
  expect(await agent.prompt('first').outcome).toMatchObject({ reason: 'done' });
  expect(await agent.prompt('second').outcome).toMatchObject({ reason: 'maxTokens', turns: 0 });
  expect(model.requests).toHaveLength(1);
});

/** An agent with a dollar to spend, and a model whose price is known. */
async function withBudget(steps: ScriptStep[]) {
  const priced = await startScriptedModel(steps);
  onTestFinished(() => priced.close());
  const { agent } = await workbench([], {
    providers: { priced: providerAt(priced, 'anthropic-messages', price) },
    model: 'priced/scripted',
    maxBudgetUsd: 1,
  });
  return { agent, priced };
}

test('money is counted with the price in models.json', async () => {
  const { agent } = await withBudget([{ blocks: [{ text: 'one' }], usage: { input: 1000, output: 1000 } }]);
  const { usage, reason } = await agent.prompt('first').outcome;
  expect(reason).toBe('done');
  expect(usage.cost.total).toBeCloseTo(0.2);
});

test('a budget that is spent stops the run before its next request', async () => {
  const { agent, priced } = await withBudget([
    { blocks: [{ text: 'one' }], usage: { input: 9000, output: 900 } },
    says('never'),
  ]);
  expect(await agent.prompt('first').outcome).toMatchObject({ reason: 'done' });
  expect(await agent.prompt('second').outcome).toMatchObject({ reason: 'maxCost', turns: 0 });
  expect(priced.requests).toHaveLength(1);
});

test('a budget needs a price: without one no agent is made, and no such model is taken later', async () => {
  await expect(workbench([], { maxBudgetUsd: 1 })).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('price of scripted/scripted is not known'),
  });
  const { agent } = await withBudget([says('ok')]);
  await expect(agent.setModel('scripted/scripted')).rejects.toThrow('not known');
  expect(await agent.prompt('go').outcome).toMatchObject({ answer: 'ok' });
});
