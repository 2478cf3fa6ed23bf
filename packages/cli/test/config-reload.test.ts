/** A dialogue goes on while its settings change: they count from the next message on. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';

const message = (content: string) => ({ type: 'message', content });
const looks = [calls(call('bash', { command: 'pwd' })), says('ok')];

test('a rule that is written between two messages denies, a broken file changes nothing, and a flag still wins', async () => {
  const { start, model, read, write, tauHome } = await converse([...looks, ...looks, ...looks]);
  const file = join(tauHome, 'settings.json');
  const standard = JSON.parse(read(file));
  const run = start(['--json', '--permission-mode', 'default'], { openStdin: true });
  run.send(message('one'));
  await run.waitFor('agent_end');
  const permissions = { deny: ['bash(pwd)'] };
  write(file, JSON.stringify({ ...standard, permissions, permissionMode: 'dangerously' }));
  run.send(message('two'));
  await run.waitFor(/agent_end.*agent_end/s);
  write(file, '{');
  run.send(message('three'));
  run.endInput();
  const done = await run.done;
  expect(done.code).toBe(0);
  const [first, second, third] = resultsIn(request(model, 5)).map(({ text }) => text);
  expect(first).not.toContain('denies it');
  expect(second).toContain('the rule bash(pwd) denies it');
  expect(third).toContain('the rule bash(pwd) denies it');
  expect(done.events().filter(({ type }) => type === 'notice')).toMatchObject([
    {
      level: 'info',
      text: `${file} changed: permissions.deny counts from now on; permissionMode stays as chosen for this session`,
    },
    { level: 'warning', text: expect.stringContaining('the settings from before stay: ') },
  ]);
  const starts = done.events().filter(({ type }) => type === 'agent_start');
  expect(starts.map(({ permissionMode }) => permissionMode)).toEqual(['default', 'default', 'default']);
});
