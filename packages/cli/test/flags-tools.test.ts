/** Which tools the model is offered, and what of the project it is told. */
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, systemIn } from './conversation.ts';
import { at, list, textAt } from './json.ts';

const offered = (body: unknown) => list(at(body, 'tools') ?? []).map((tool) => textAt(tool, 'name'));

test.each([
  [
    ['--tools', 'read,bash'],
    ['read', 'bash'],
  ],
  [
    ['--tools', 'read', '--tools', 'web_fetch'],
    ['read', 'web_fetch'],
  ],
  [
    ['--tools', 'minimal'],
    ['read', 'write', 'edit', 'bash'],
  ],
  [['--tools', 'read,bash', '--exclude-tools', 'bash'], ['read']],
  [
    ['--tools', 'Read,Bash'],
    ['read', 'bash'],
  ],
  [['--no-tools'], []],
  [['--no-builtin-tools'], []],
])('%j offers %j', async (args, names) => {
  const { tau, model } = await converse([says('ok')]);
  expect(await tau(['-p', 'hi', ...args])).toMatchObject({ code: 0, stderr: '' });
  expect(offered(request(model, 0).body).toSorted()).toEqual(names.toSorted());
});

test('--exclude-tools leaves the others, and a call to it fails with the reason', async () => {
  const { tau, model } = await converse([calls(call('grep', { pattern: 'x' })), says('ok')]);
  expect((await tau(['-p', 'hi', '--exclude-tools', 'grep,glob'])).code).toBe(0);
  const names = offered(request(model, 0).body);
  expect(names).toContain('read');
  expect(names).not.toContain('grep');
  expect(names).not.toContain('glob');
  expect(resultsIn(request(model, 1))[0]?.text).toContain('grep');
});

test('--bare leaves context files and the settings of the project out', async () => {
  const { tau, model, write } = await converse([says('ok'), says('ok')], { git: true });
  write('AGENTS.md', 'SECRET WORD');
  write('.tau/settings.json', JSON.stringify({ language: 'Klingon' }));
  await tau(['-p', 'hi']);
  for (const word of ['SECRET WORD', 'Klingon']) expect(systemIn(request(model, 0))).toContain(word);
  expect((await tau(['-p', 'hi', '--bare'])).code).toBe(0);
  expect(systemIn(request(model, 1))).not.toMatch(/SECRET WORD|Klingon/);
});
