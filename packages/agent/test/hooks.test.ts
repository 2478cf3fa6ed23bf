/** Hooks of extensions, and what the SDK shows of hooks: beside what the command's own tests go through. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision, HookEvent, HookOpinion, PermissionMode } from '@tau/core';
import { expect, test } from 'vitest';
import { withOpinion } from '../src/hooks/opinion.ts';
import { call, collect, extensionOf, resultText, says, workbench } from './workbench.ts';

test('an extension hears every event beside the hooks of the settings, and is listed with them', async () => {
  const heard: HookEvent[] = [];
  const events: HookEvent[] = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
  const listener = extensionOf('listener', (api) => {
    for (const event of events) {
      api.on(event, ({ input }) => {
        heard.push(input.hook_event_name);
        return undefined;
      });
    }
  });
  const { agent } = await workbench([call('read', { path: 'none' }), says('done')], {
    extensions: [listener],
    settings: { hooks: [{ event: 'Stop', command: 'true' }] },
  });
  await agent.prompt('go').outcome;
  await agent.close();
  expect(heard).toEqual(events);
  expect(agent.hooks()).toHaveLength(events.length + 1);
  expect(agent.hooks().at(-1)).toEqual({ event: 'Stop', source: '~/.tau/settings.json', layer: 'user', what: 'true' });
});

test("an extension's hook blocks where it can, also by failing", async () => {
  const guard = extensionOf('guard', (api) => {
    api.on('PreToolUse', () => {
      throw new Error('the guard is asleep');
    });
  });
  const { agent, project } = await workbench([call('write', { path: 'a', content: '' }), says('ok')], {
    extensions: [guard],
    permissionMode: 'dangerously',
  });
  expect(resultText(await collect(agent.prompt('go')))).toMatch(/the PreToolUse hook of guard failed: .*asleep/);
  expect(existsSync(join(project, 'a'))).toBe(false);
});

test('words to a run under way are prompts too: those that a hook blocks are not heard, and the run goes on', async () => {
  const { agent, model } = await workbench([call('read', { path: 'none' }), says('ok'), says('quick')], {
    settings: { hooks: [{ event: 'UserPromptSubmit', command: 'grep -q SECRET && exit 1; exit 0' }] },
  });
  agent.subscribe(({ type }) => {
    if (type === 'tool_execution_start') {
      agent.steer('the SECRET');
      agent.steer('and be quick');
    }
  });
  const events = await collect(agent.prompt('go'));
  expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'done' });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'notice', text: expect.stringMatching(/^Not heard: the UserPromptSubmit hook/) }),
  );
  const all = model.requests.map(({ raw }) => raw).join();
  expect(all).not.toContain('SECRET');
  expect(all).toContain('and be quick');
});

test('what tau itself says to a run is no prompt, and no hook is asked about it', async () => {
  const { agent, model } = await workbench([says('one'), says('two')], {
    settings: { hooks: [{ event: 'UserPromptSubmit', command: 'grep -q notice && exit 1; exit 0' }] },
  });
  agent.tell('a notice');
  await agent.prompt('go').outcome;
  expect(model.requests[0]?.raw).toContain('a notice');
});

const decision: Decision = { outcome: 'allow', reason: 'it may', effects: [], class: 'write', offer: ['write(a)'] };
const judged = (from: Partial<Decision>, hook: HookOpinion, mode: PermissionMode = 'default') =>
  withOpinion({ ...decision, ...from }, { id: '1', toolName: 'write', input: {}, hook }, mode);

test.each<[string, Partial<Decision>, HookOpinion, PermissionMode, Decision['outcome']]>([
  ['an ask makes a question of an allow', {}, { ask: 'why' }, 'default', 'ask'],
  ['an ask in a mode that does not ask is a denial', {}, { ask: 'why' }, 'dontAsk', 'deny'],
  ['an ask in plan mode is a denial', {}, { ask: 'why' }, 'plan', 'deny'],
  ['an ask counts as little as an ask rule in dangerously mode', {}, { ask: 'why' }, 'dangerously', 'allow'],
  ['an ask does not soften a denial', { outcome: 'deny' }, { ask: 'why' }, 'default', 'deny'],
  ['an allow answers a question', { outcome: 'ask' }, { allow: 'ok' }, 'default', 'allow'],
  ['an allow does not answer a rule', { outcome: 'ask', rule: 'write' }, { allow: 'ok' }, 'default', 'ask'],
  [
    'an allow does not answer what is always asked',
    { outcome: 'ask', everyTime: true },
    { allow: 'ok' },
    'auto',
    'ask',
  ],
  ['an allow does not answer a danger', { outcome: 'ask', class: 'dangerous' }, { allow: 'ok' }, 'auto', 'ask'],
  ['an allow does not undo a denial', { outcome: 'deny' }, { allow: 'ok' }, 'default', 'deny'],
  ['an ask goes before an allow', { outcome: 'ask' }, { ask: 'why', allow: 'ok' }, 'default', 'ask'],
])('%s', (_, from, hook, mode, outcome) => {
  const judgement = judged(from, hook, mode);
  expect(judgement.outcome).toBe(outcome);
  if (hook.ask !== undefined && outcome === 'ask') {
    expect(judgement).toMatchObject({ everyTime: true, reason: 'why' });
    expect(judgement.offer).toBeUndefined();
  }
});
