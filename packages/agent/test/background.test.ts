import { expect, test } from 'vitest';
import { call, extensionOf, says, workbench } from './workbench.ts';

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

test('a command in the background that was given a time is ended when it is over, and both the user and the model hear of it', async () => {
  const { agent, model } = await workbench(
    [call('bash', { command: 'exec sleep 300', background: true }), says('started'), says('heard')],
    { permissionMode: 'dangerously' },
  );
  const ends: unknown[] = [];
  agent.subscribe((event) => event.type === 'job_end' && ends.push(event), { deltas: false });
  await agent.prompt('go').outcome;
  expect(agent.limitJob('job-2', 1000)).toBe(false);
  expect(agent.limitJob('job-1', 60_000)).toBe(true);
  expect(agent.jobs()[0]?.leftMs).toBeGreaterThan(50_000);
  expect(agent.limitJob('job-1')).toBe(true);
  expect(agent.jobs()[0]?.leftMs).toBeUndefined();
  expect(agent.limitJob('job-1', 50)).toBe(true);
  const how = 'was ended, because its time of 0.05 s was over';
  await expect.poll(() => ends).toMatchObject([{ id: 'job-1', command: 'exec sleep 300', how }]);
  expect(agent.jobs()).toMatchObject([{ isRunning: false }]);
  expect(agent.limitJob('job-1', 50)).toBe(false);
  await agent.prompt('and?').outcome;
  expect(JSON.stringify(model.requests[2]?.body)).toContain(`Background command job-1 (exec sleep 300) ${how}.`);
});

test('an extension shows how it stands until it takes that away, and not too many do', async () => {
  let show = (_key: string, _text?: string) => {};
  const { agent } = await workbench([], {
    extensions: [
      extensionOf('ci', (api) => {
        show = api.status;
      }),
    ],
  });
  const seen: unknown[] = [];
  agent.subscribe((event) => event.type === 'extension_status' && seen.push([event.key, event.text]));
  show('build', 'green');
  show('build', 'green');
  show('build', 'red');
  expect(agent.statuses()).toEqual([{ key: 'ci: build', text: 'red' }]);
  show('build');
  expect(agent.statuses()).toEqual([]);
  expect(seen).toEqual([
    ['ci: build', 'green'],
    ['ci: build', 'red'],
    ['ci: build', undefined],
  ]);
  for (let at = 0; at < 20; at++) show(String(at), 'x');
  expect(() => show('one more', 'x')).toThrow(/20 extensions show a status already/);
});
