/** Answers that hold for longer than one call, standing words, and what waits. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Ask } from '@tau/core';
import { expect, test } from 'vitest';
import { createApprovals } from '../src/approvals.ts';
import type { StampedEvent } from '../src/index.ts';
import { describeApproval, parseApproval } from '../src/index.ts';
import { createWindow } from '../src/windows.ts';
import { call, collect, says, workbench } from './workbench.ts';

const write = (path: string, id?: string) => call('write', { path, content: path }, id);
const run = (command: string) => call('bash', { command });
const yes: Answer = { outcome: 'allow' };
const three = { blocks: ['a', 'b', 'c'].map((path) => ({ call: 'write', input: { path, content: path }, id: path })) };

/** An asker that writes down what it was asked and answers in turn. */
function asker(...answers: Answer[]) {
  const asked: Ask[] = [];
  const ask = async (one: Ask): Promise<Answer> => {
    asked.push(one);
    return answers[asked.length - 1] ?? { outcome: 'deny' };
  };
  return { asked, ask, names: () => asked.map(({ input }) => input.path ?? input.command) };
}

const notices = (events: readonly StampedEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
const responses = (events: readonly StampedEvent[]) =>
  events.flatMap((event) => (event.type === 'permission_response' ? [event] : []));

test('a request says what exactly would happen, of which class it is, why it is asked, and which rules a yes could add', async () => {
  const { ask } = asker(yes);
  const { agent } = await workbench([write('a'), says('ok')], { ask });
  const events = await collect(agent.prompt('go'));
  expect(events.find(({ type }) => type === 'permission_request')).toMatchObject({
    toolName: 'write',
    decision: {
      class: 'write',
      reason: expect.stringContaining('writes a'),
      effects: [{ kind: 'write', path: 'a' }],
      offer: ['write(a)'],
    },
  });
});

test('a yes for this session covers exactly what was shown, for the rest of it', async () => {
  const { ask, names } = asker({ outcome: 'allow', scope: 'session' }, yes);
  const { agent, project } = await workbench([write('a'), write('a'), write('b'), says('ok')], { ask });
  await agent.prompt('go').outcome;
  expect(names()).toEqual(['a', 'b']);
  expect(existsSync(join(project, 'b'))).toBe(true);
  expect(agent.rules()).toEqual([{ outcome: 'allow', rule: 'write(a)', origin: 'session' }]);
});

test('where nothing narrow can be offered a longer yes counts once, and that is said', async () => {
  const { ask, asked } = asker({ outcome: 'allow', scope: 'always' }, { outcome: 'allow', scope: 'session' });
  const { agent } = await workbench([write('.git/config'), write('.git/config'), says('ok')], { ask });
  const events = await collect(agent.prompt('go'));
  expect(asked).toHaveLength(2);
  expect(asked[0]?.decision).toMatchObject({ everyTime: true });
  expect(asked[0]?.decision).not.toHaveProperty('offer');
  expect(notices(events).filter((text) => text.includes('counts once'))).toHaveLength(2);
  expect(responses(events)).toMatchObject([{ scope: 'once' }, { scope: 'once' }]);
  expect(agent.rules()).toEqual([]);
});

test('of three asks in one message each waits its turn, and is listed while it does', async () => {
  const waiting: unknown[] = [];
  const { agent, project } = await workbench([three, says('ok')], {
    ask: async ({ id }) => {
      waiting.push(agent.pendingAsks());
      return id === 'ask-2' ? { outcome: 'deny', feedback: 'not b' } : yes;
    },
  });
  await agent.prompt('go').outcome;
  const listed = (id: string) => [{ id, toolName: 'write', reason: expect.stringContaining('writes'), class: 'write' }];
  expect(waiting).toEqual([listed('ask-1'), listed('ask-2'), listed('ask-3')]);
  expect(['a', 'b', 'c'].map((name) => existsSync(join(project, name)))).toEqual([true, false, true]);
  expect(agent.pendingAsks()).toEqual([]);
});

test('a yes to the first of several settles those of the same kind before they are asked', async () => {
  const again = { blocks: ['1', '2', '3'].map((id) => ({ call: 'bash', input: { command: 'make x' }, id })) };
  const { ask, asked } = asker({ outcome: 'allow', scope: 'session' });
  const { agent } = await workbench([again, says('ok')], { ask });
  await agent.prompt('go').outcome;
  expect(asked).toHaveLength(1);
});

test('the first answer wins, and who still shows the question is told to take it away', async () => {
  let shown: AbortSignal | undefined;
  const { agent, project } = await workbench([write('a'), says('ok')], {
    ask: (one, signal) => {
      shown = signal;
      setImmediate(() => {
        expect(agent.answer(one.id, yes)).toBe(true);
        expect(agent.answer(one.id, { outcome: 'deny' })).toBe(false);
      });
      return new Promise(() => {});
    },
  });
  await agent.prompt('go').outcome;
  expect(existsSync(join(project, 'a'))).toBe(true);
  expect(shown?.aborted).toBe(true);
  expect(agent.answer('ask-1', yes)).toBe(false);
});

test('an ask whose run is aborted does not wait any more', async () => {
  const control = new AbortController();
  const { agent } = await workbench([write('a'), says('never')], {
    ask: () => {
      setImmediate(() => control.abort());
      return new Promise(() => {});
    },
  });
  expect(await agent.prompt('go', { signal: control.signal }).outcome).toMatchObject({ reason: 'aborted' });
  await agent.idle();
  expect(agent.pendingAsks()).toEqual([]);
});

test('approve all is yes to everything but what is asked every time, and no rule is left behind', async () => {
  const { ask, names } = asker({ outcome: 'deny' }, { outcome: 'deny' });
  const steps = [write('a'), run('make x'), write('.git/hooks/x'), write('b'), says('ok')];
  const { agent, project } = await workbench(steps, { ask, approval: 'all', rules: { ask: ['write(b)'] } });
  expect(agent.approval).toEqual({ policy: 'all' });
  const events = await collect(agent.prompt('go'));
  expect(names()).toEqual(['.git/hooks/x', 'b']);
  expect(existsSync(join(project, 'a'))).toBe(true);
  expect(existsSync(join(project, '.git'))).toBe(false);
  expect(responses(events)[0]).toMatchObject({ outcome: 'allow', standing: true });
  expect(agent.rules().filter(({ outcome }) => outcome === 'allow')).toEqual([]);
});

/** Judged here and nowhere near a shell. */
const asked = (toolName: string, decision: Partial<Ask['decision']>): Ask => ({
  ...{ id: 'ask-1', toolCallId: 'c', toolName, input: {} },
  decision: { outcome: 'ask', reason: 'why', class: 'unknown', effects: [], ...decision },
});

test.each([
  ['something dangerous', { class: 'dangerous' as const }],
  ['what must be asked every time', { everyTime: true }],
])('no standing yes is an answer to %s', async (_, decision) => {
  const put: string[] = [];
  const approvals = createApprovals({
    ask: async ({ toolName }) => {
      put.push(toolName);
      return { outcome: 'deny' };
    },
    shellConfirm: () => false,
    grant: { session: () => {}, always: () => {} },
    notice: () => {},
  });
  approvals.setApproval('all');
  const { signal } = new AbortController();
  expect(await approvals.ask(asked('bash', decision), signal)).toEqual({ outcome: 'deny' });
  expect(await approvals.ask(asked('bash', {}), signal)).toEqual({ outcome: 'allow', standing: true });
  expect(put).toEqual(['bash']);
});

test('approve none is no to everything at once, which is the user’s own word', async () => {
  const { ask, asked } = asker(yes);
  const { agent, model, project } = await workbench([write('a'), says('ok')], { ask });
  agent.setApproval('none');
  const events = await collect(agent.prompt('go'));
  expect(asked).toEqual([]);
  expect(model.requests[1]?.raw).toContain('the user has switched approvals off');
  expect(existsSync(join(project, 'a'))).toBe(false);
  expect(responses(events)).toMatchObject([{ outcome: 'deny', standing: true }]);
  expect(responses(events)[0]).not.toHaveProperty('unattended');
});

test('a standing word answers what waits already, but for what must be asked', async () => {
  const seen: unknown[] = [];
  const steps = [write('a'), write('.git/config'), says('ok')];
  const { agent, project } = await workbench(steps, {
    ask: async ({ input }): Promise<Answer> => {
      seen.push(input.path);
      setImmediate(() => agent.setApproval('all'));
      if (input.path === 'a') return new Promise(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { outcome: 'deny' };
    },
  });
  await agent.prompt('go').outcome;
  expect(seen).toEqual(['a', '.git/config']);
  expect(existsSync(join(project, 'a'))).toBe(true);
  expect(existsSync(join(project, '.git'))).toBe(false);
});

test('a window of time ends by itself: then it is asked again, and that is said', async () => {
  const { ask, names } = asker(yes);
  const said: string[] = [];
  const { agent } = await workbench([write('a'), says('ok'), write('b'), says('ok')], { ask });
  agent.subscribe((event) => event.type === 'notice' && said.push(event.text));
  agent.setApproval({ forMs: 60_000 });
  expect(agent.approval).toMatchObject({ policy: 'all', until: expect.any(Number) });
  await agent.prompt('go').outcome;
  expect(names()).toEqual([]);
  agent.setApproval({ forMs: 1 });
  await expect.poll(() => agent.approval).toEqual({ policy: 'ask' });
  await agent.prompt('go on').outcome;
  expect(names()).toEqual(['b']);
  expect(said).toEqual(['The time in which everything was approved is over: tau asks again']);
});

test('a window that was closed by hand does not announce its end', async () => {
  let ended = 0;
  const window = createWindow(() => {
    ended += 1;
  });
  window.set({ forMs: 5 });
  window.set('none');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(window.now()).toEqual({ policy: 'none' });
  expect(ended).toBe(0);
});

test.each([
  ['ask', 'ask'],
  [' ALL ', 'all'],
  ['none', 'none'],
  ['30s', { forMs: 30_000 }],
  ['10m', { forMs: 600_000 }],
  ['1h', { forMs: 3_600_000 }],
  ['24h', { forMs: 86_400_000 }],
  ['25h', undefined],
  ['0m', undefined],
  ['10', undefined],
  ['-5m', undefined],
  ['1e3s', undefined],
  ['yes', undefined],
  ['', undefined],
])('%j as a word beforehand', (text, window) => {
  expect(parseApproval(text)).toEqual(window);
});

test('how long a window still is can be read', () => {
  expect(describeApproval({ policy: 'all', until: 90_000 }, 0)).toContain('for 90 s more');
  expect(describeApproval({ policy: 'all', until: 600_000 }, 0)).toContain('for 10 min more');
  expect(describeApproval({ policy: 'none' })).toContain('denied');
});

test('shellConfirm false lets commands through unasked, and no other tool', async () => {
  const { ask, names } = asker();
  const steps = [run('touch made'), write('a'), says('ok')];
  const { agent, project } = await workbench(steps, { ask, settings: { shellConfirm: false } });
  await agent.prompt('go').outcome;
  expect(names()).toEqual(['a']);
  expect(existsSync(join(project, 'made'))).toBe(true);
});

test('what is denied three times in a run is noticed: the model hears it once, and the user sees it', async () => {
  const steps = ['make publish', 'make publish --force', 'make publish --tag x', 'make publish'].map(run);
  const { agent, model } = await workbench([...steps, says('ok'), ...steps.slice(0, 2), says('ok')], {
    rules: { deny: ['bash(make publish:*)'] },
  });
  const events = await collect(agent.prompt('go'));
  const told = (number: number) => model.requests[number]?.raw.split('denied 3 times').length ?? 0;
  expect([told(2), told(3), told(4)]).toEqual([1, 2, 2]);
  expect(notices(events).filter((text) => text.includes('denied 3 times'))).toHaveLength(1);
  // Another run, another count.
  expect(notices(await collect(agent.prompt('again'))).filter((text) => text.includes('denied 3 times'))).toEqual([]);
});

test('three different things that are denied are no repetition', async () => {
  const steps = [write('/x/a'), run('make x'), call('read', { path: '/x/b' })];
  const { agent } = await workbench([...steps, says('ok')], { permissionMode: 'dontAsk' });
  expect(notices(await collect(agent.prompt('go'))).filter((text) => text.includes('times'))).toEqual([]);
});

test('another agent made from the state of one has its mode, its rules and its standing word', async () => {
  const { agent, another, project } = await workbench([run('make x'), write('a'), says('ok')], {
    permissionMode: 'dontAsk',
    rules: { deny: ['bash(make x)'] },
    approval: 'none',
  });
  agent.allow('write(a)');
  const child = await another({ ...agent.permissionState(), session: 'none' });
  expect(child.permissionMode).toBe('dontAsk');
  expect(child.approval).toEqual({ policy: 'none' });
  expect(await child.prompt('go').outcome).toMatchObject({ reason: 'done' });
  expect(existsSync(join(project, 'a'))).toBe(true);
  expect(child.rules().map(({ outcome, rule }) => [outcome, rule])).toEqual([
    ['deny', 'bash(make x)'],
    ['allow', 'write(a)'],
  ]);
});
