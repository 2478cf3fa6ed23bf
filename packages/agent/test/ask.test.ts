import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Ask } from '@tau/core';
import { expect, test } from 'vitest';
import { call, collect, resultText, says, workbench } from './workbench.ts';

const write = call('write', { path: 'folder/a.txt', content: 'x' });

test('an answer of yes lets the call through, once, with what was shown', async () => {
  const asked: Ask[] = [];
  const { agent, read } = await workbench([write, write, says('ok')], {
    ask: async (ask) => {
      asked.push(ask);
      return { outcome: 'allow' };
    },
  });
  const events = await collect(agent.prompt('go'));
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatchObject({
    toolName: 'write',
    toolCallId: 'write_1',
    input: { path: 'folder/a.txt', content: 'x' },
    decision: { outcome: 'ask', effects: [{ kind: 'write', path: 'folder/a.txt' }] },
  });
  expect(read('folder/a.txt')).toBe('x');
  expect(events.find(({ type }) => type === 'permission_response')).toMatchObject({ outcome: 'allow' });
});

test('an answer of no, with words, reaches the model and nothing is done', async () => {
  const { agent, model, project } = await workbench([write, says('ok')], {
    ask: async () => ({ outcome: 'deny', feedback: 'use another folder' }),
  });
  const events = await collect(agent.prompt('go'));
  expect(model.requests[1]?.raw).toContain('use another folder');
  expect(existsSync(join(project, 'folder'))).toBe(false);
  const response = events.find(({ type }) => type === 'permission_response');
  expect(response).toMatchObject({ outcome: 'deny', feedback: 'use another folder' });
  expect(response).not.toHaveProperty('unattended');
});

test('nobody is asked about what is allowed or denied anyway', async () => {
  let asked = 0;
  const blocks = [
    { call: 'bash', input: { command: 'pwd' } },
    { call: 'bash', input: { command: 'rm -rf x' } },
  ];
  const { agent } = await workbench([{ blocks }, says('ok')], {
    rules: { deny: ['bash(rm:*)'] },
    ask: async () => {
      asked += 1;
      return { outcome: 'allow' };
    },
  });
  await agent.prompt('go').outcome;
  expect(asked).toBe(0);
});

test('questions come one at a time, in source order', async () => {
  const open: string[] = [];
  const order: string[] = [];
  const blocks = ['a', 'b', 'c'].map((path) => ({ call: 'write', input: { path, content: path } }));
  const { agent } = await workbench([{ blocks }, says('ok')], {
    ask: async ({ input }): Promise<Answer> => {
      open.push(String(input.path));
      expect(open).toHaveLength(1);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(...open.splice(0));
      return { outcome: 'allow' };
    },
  });
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done' });
  expect(order).toEqual(['a', 'b', 'c']);
});

test('a question that cannot be asked is a no', async () => {
  const { agent, project } = await workbench([write, says('ok')], {
    ask: async () => {
      throw new Error('the window is gone');
    },
  });
  expect(resultText(await collect(agent.prompt('go')))).toContain('the window is gone');
  expect(existsSync(join(project, 'folder'))).toBe(false);
});

test('a link planted while the question is open does not lead the write elsewhere', async () => {
  let plant = () => {};
  const { agent, project } = await workbench([write, says('ok')], {
    ask: async () => {
      plant();
      return { outcome: 'allow' };
    },
  });
  const elsewhere = join(project, '../elsewhere');
  mkdirSync(elsewhere);
  mkdirSync(join(project, 'folder'));
  plant = () => {
    rmSync(join(project, 'folder'), { recursive: true });
    symlinkSync(elsewhere, join(project, 'folder'));
  };
  expect(resultText(await collect(agent.prompt('go')))).toMatch(/paths lead changed/);
  expect(existsSync(join(elsewhere, 'a.txt'))).toBe(false);
});

test('an abort while a question is open ends the run, whether or not the asker listens', async () => {
  const control = new AbortController();
  const { agent, project } = await workbench([write, says('never')], {
    ask: () => {
      control.abort();
      return new Promise(() => {});
    },
  });
  expect(await agent.prompt('go', { signal: control.signal }).outcome).toMatchObject({ reason: 'aborted' });
  expect(existsSync(join(project, 'folder'))).toBe(false);
});

test('a yes that comes after an abort is too late', async () => {
  const control = new AbortController();
  const { agent, project } = await workbench([write, says('never')], {
    ask: async () => {
      control.abort();
      return { outcome: 'allow' };
    },
  });
  expect(await agent.prompt('go', { signal: control.signal }).outcome).toMatchObject({ reason: 'aborted' });
  expect(existsSync(join(project, 'folder'))).toBe(false);
});
