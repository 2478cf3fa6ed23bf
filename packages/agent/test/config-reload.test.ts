/** Settings that change while an agent lives count from the next prompt on, unless they cannot be used. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StampedEvent } from '@tau/core';
import { type ScriptStep, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { call, collect, providerAt, resultText, says, workbench } from './workbench.ts';

const looks = [call('bash', { command: 'pwd' }), says('ok')];
const noPwd = { permissions: { deny: ['bash(pwd)'] } };

async function living(steps: ScriptStep[], options: Parameters<typeof workbench>[1] = {}) {
  const bench = await workbench(steps, options);
  const user = join(bench.tauHome, 'settings.json');
  const standard = JSON.parse(bench.read(user));
  return {
    ...bench,
    user,
    /** What the sandbox needs stays. */
    set: (settings: object) => writeFileSync(user, JSON.stringify({ ...standard, ...settings })),
    ask: () => collect(bench.agent.prompt('go')),
  };
}

const notices = (events: readonly StampedEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' ? [`${event.level}: ${event.text}`] : []));

test('a rule that is added between two prompts denies, and one that is taken away no longer does', async () => {
  const { ask, set, user } = await living([...looks, ...looks, ...looks]);
  const first = await ask();
  expect(resultText(first)).not.toContain('denies it');
  set(noPwd);
  const second = await ask();
  expect(resultText(second)).toContain('the rule bash(pwd) denies it');
  expect(notices(second)).toEqual([`info: ${user} changed: permissions.deny counts from now on`]);
  set({});
  const third = await ask();
  expect(resultText(third)).not.toContain('denies it');
});

test('while no file changes nothing is said', async () => {
  const { ask } = await living([says('a'), says('b')]);
  expect(notices([...(await ask()), ...(await ask())])).toEqual([]);
});

test.each([
  ['no JSON any more', '{ "permissions": { "deny": ['],
  ['empty', ''],
  ['no object', '[]'],
  ['a guard that is misspelt', '{ "permissions": { "dney": [] } }'],
  ['a guard of the wrong kind', '{ "permissionMode": 7 }'],
  ['larger than a settings file can be', `{ "model": "${'x'.repeat(300_000)}" }`],
])('a file that is %s leaves the rules from before, with a warning', async (_, text) => {
  const { ask, agent, user, set } = await living([...looks, ...looks, ...looks], { settings: noPwd });
  writeFileSync(user, text);
  const bad = await ask();
  expect(resultText(bad)).toContain('the rule bash(pwd) denies it');
  expect(notices(bad)).toEqual([
    expect.stringMatching(/^warning: .*settings\.json changed, but the settings from before stay: /),
  ]);
  expect(agent.settings.permissions).toEqual(noPwd.permissions);
  expect(notices(await ask())).toEqual([]);
  set({ permissions: {} });
  const mended = await ask();
  expect(resultText(mended)).not.toContain('denies it');
  expect(notices(mended)).toEqual([expect.stringContaining('permissions.deny counts from now on')]);
});

test('a deny rule in the project’s own file counts too, when the file appears', async () => {
  const { ask, write, project } = await living([...looks, ...looks]);
  await ask();
  write('.tau/settings.json', JSON.stringify({ ...noPwd, permissionMode: 'dangerously' }));
  const events = await ask();
  expect(resultText(events)).toContain('the rule bash(pwd) denies it');
  expect(notices(events)).toEqual([
    expect.stringMatching(/^warning: This project is not trusted, so permissionMode of it does not count\. tau trust/),
    `info: ${join(project, '.tau/settings.json')} changed: permissions.deny counts from now on`,
  ]);
});

test('rules that were given to the agent stay, whatever the files say', async () => {
  const { ask, set } = await living([...looks, ...looks], { rules: noPwd.permissions });
  await ask();
  set({ permissions: { allow: ['bash'] } });
  expect(resultText(await ask())).toContain('the rule bash(pwd) denies it');
});

test('the mode follows the settings', async () => {
  const { agent, ask, set } = await living([says('a'), says('b'), says('c')]);
  await ask();
  set({ permissionMode: 'acceptEdits' });
  const events = await ask();
  expect(events[0]).toMatchObject({ type: 'agent_start', permissionMode: 'acceptEdits' });
  set({ permissionMode: 'plan' });
  await ask();
  expect(agent.permissionMode).toBe('plan');
  expect(agent.tools).toContain('plan_exit');
});

test('a mode that was given to the agent, or chosen since, stays and that is said', async () => {
  const given = await living([says('a')], { permissionMode: 'plan' });
  given.set({ permissionMode: 'dangerously' });
  expect(notices(await given.ask())).toEqual([
    expect.stringMatching(/changed: permissionMode stays as chosen for this session$/),
  ]);
  expect(given.agent.permissionMode).toBe('plan');

  const chosen = await living([says('a')]);
  chosen.agent.setPermissionMode('dontAsk');
  chosen.set({ permissionMode: 'dangerously' });
  await chosen.ask();
  expect(chosen.agent.permissionMode).toBe('dontAsk');
});

test('limits and sampling count from the next prompt on', async () => {
  const { agent, ask, set, model } = await living([says('a'), ...looks]);
  await ask();
  set({ maxTurns: 1, temperature: 0.3, topP: 0.5, maxTokens: 77, limits: { recoveries: 0 } });
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'maxTurns', turns: 1 });
  expect(model.requests[1]?.body).toMatchObject({ temperature: 0.3, top_p: 0.5, max_tokens: 77 });
  expect(agent.settings).toMatchObject({ maxTurns: 1, limits: { recoveries: 0 } });
});

test('a smaller limit for results cuts them from the next prompt on', async () => {
  const long = [call('bash', { command: 'seq 2000' }), says('ok')];
  const { ask, set } = await living([...long, ...long], { rules: { allow: ['bash'] } });
  expect(resultText(await ask()).length).toBeGreaterThan(5000);
  set({ limits: { resultChars: 1000 } });
  expect(resultText(await ask()).length).toBeLessThan(2000);
});

test('a limit that was given to the agent goes before the new setting', async () => {
  const { ask, set } = await living([...looks], { maxTurns: 5 });
  set({ maxTurns: 1, limits: { repeatedCalls: 4 } });
  const events = await ask();
  expect(events.at(-1)).toMatchObject({ reason: 'done' });
  expect(notices(events)).toEqual([
    expect.stringMatching(/limits\.repeatedCalls counts from now on; maxTurns stays as chosen for this session$/),
  ]);
});

test('what was spent before a limit was set counts against it', async () => {
  const heavy = { blocks: [{ text: 'one' }], usage: { input: 19_000, output: 500 } };
  const { agent, ask, set } = await living([heavy, says('never')]);
  await ask();
  set({ maxTotalTokens: 20_000 });
  expect(await agent.prompt('more').outcome).toMatchObject({ reason: 'maxTokens', turns: 0 });
});

test('a limit does not go away because it is mistyped', async () => {
  const { agent, set } = await living([...looks], { settings: { maxTurns: 1 } });
  set({ maxTurns: 'many' });
  const run = agent.prompt('go');
  expect(notices(await collect(run))).toEqual([expect.stringContaining('maxTurns')]);
  expect(await run.outcome).toMatchObject({ reason: 'maxTurns' });
});

test('a budget without a price does not count, and neither does what came with it', async () => {
  const { ask, set, agent } = await living([...looks]);
  set({ maxBudgetUsd: 1, permissions: { allow: ['bash'] } });
  expect(notices(await ask())).toEqual([
    expect.stringMatching(/the settings from before stay: The price of scripted\/scripted is not known/),
  ]);
  expect(agent.settings.maxBudgetUsd).toBeUndefined();
  expect(agent.settings.permissions).toBeUndefined();
});

test('what needs another session is named once, and nothing of it happens in this one', async () => {
  const other = await startScriptedModel([]);
  onTestFinished(() => other.close());
  const { agent, ask, set, model } = await living([says('a'), says('b'), says('c')], {
    providers: { other: providerAt(other, 'anthropic-messages') },
  });
  await ask();
  set({ model: 'other/scripted', limits: { readLines: 5 } });
  expect(notices(await ask())).toEqual([
    expect.stringMatching(/changed: model, limits\.readLines take effect in the next session$/),
  ]);
  set({ model: 'other/scripted', limits: { readLines: 5 }, maxTurns: 9 });
  expect(notices(await ask())).toEqual([expect.stringMatching(/changed: maxTurns counts from now on$/)]);
  expect(model.requests).toHaveLength(3);
  expect(other.requests).toHaveLength(0);
  expect(agent.model.provider).toBe('scripted');
});

test('a file that is removed is one that says nothing', async () => {
  const { ask, write, project } = await living([...looks, ...looks]);
  write('.tau/settings.local.json', JSON.stringify(noPwd));
  expect(resultText(await ask())).toContain('denies it');
  rmSync(join(project, '.tau/settings.local.json'));
  expect(resultText(await ask())).not.toContain('denies it');
});

test('a file behind configFile that is gone leaves what it said', async () => {
  const { another, write, project } = await workbench(looks);
  write('own.json', JSON.stringify(noPwd));
  const agent = await another({ configFile: 'own.json' });
  rmSync(join(project, 'own.json'));
  const events = await collect(agent.prompt('go'));
  expect(resultText(events)).toContain('the rule bash(pwd) denies it');
  expect(notices(events)).toEqual([expect.stringContaining('the settings from before stay: There is no file')]);
});
