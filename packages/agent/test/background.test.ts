import { expect, test } from 'vitest';
import { call, says, workbench } from './workbench.ts';

test('who uses an agent sees its background commands, and ends them by name', async () => {
  const { agent } = await workbench(
    [call('bash', { command: 'echo up; exec sleep 300', background: true }), says('started')],
    { permissionMode: 'dangerously' },
  );
  expect(agent.jobs()).toEqual([]);
  await agent.prompt('go').outcome;
  await expect.poll(() => agent.jobs().map((job) => job.lastLines())).toEqual(['up']);
  const about = { id: 'job-1', command: 'echo up; exec sleep 300', runtimeMs: expect.any(Number) };
  expect(agent.jobs()).toMatchObject([{ ...about, isRunning: true }]);
  expect(await agent.endJob('job-2')).toBe(false);
  expect(await agent.endJob('job-1')).toBe(true);
  expect(agent.jobs()).toMatchObject([{ ...about, isRunning: false }]);
  expect(await agent.endJob('job-1')).toBe(false);
});
