/** A rule the user adds while the agent works. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, says, workbench } from './workbench.ts';

const touch = (name: string) => call('bash', { command: `touch ${name}` });

test('what was allowed on the way is not asked about again, and nothing else is', async () => {
  const asked: unknown[] = [];
  const { agent, project } = await workbench([touch('a'), touch('a'), touch('b'), says('ok')], {
    ask: async ({ input }) => {
      asked.push(input.command);
      agent.allow('bash(touch a)');
      return { outcome: 'deny' };
    },
  });
  await agent.prompt('go').outcome;
  expect(asked).toEqual(['touch a', 'touch b']);
  expect(existsSync(join(project, 'a'))).toBe(true);
  expect(existsSync(join(project, 'b'))).toBe(false);
});

test('a deny still beats it', async () => {
  const { agent, project } = await workbench([touch('a'), says('ok')], { rules: { deny: ['bash(touch:*)'] } });
  agent.allow('bash(touch a)');
  await agent.prompt('go').outcome;
  expect(existsSync(join(project, 'a'))).toBe(false);
});

test('a rule that means nothing is refused', async () => {
  const { agent } = await workbench([]);
  expect(() => agent.allow('bash(')).toThrow('parentheses do not match');
  expect(() => agent.allow('*')).toThrow('must name its tool');
});

test('the session says what it is called', async () => {
  const { agent } = await workbench([], { sessionName: 'first' });
  expect(agent.sessionName).toBe('first');
  agent.setName('second');
  expect(agent.sessionName).toBe('second');
});
