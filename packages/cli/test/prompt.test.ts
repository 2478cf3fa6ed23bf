import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, says, systemIn } from './conversation.ts';
import { at, list, textAt } from './json.ts';

test.each(apis)('the first request over %s stays under 5,000 bytes, with four tools', async (api) => {
  const { tau, model } = await converse([says('ok')], { api });
  await tau(['-p', 'hi']);
  const { raw, body } = request(model, 0);
  expect(Buffer.byteLength(raw)).toBeLessThan(5000);
  const tools = list(at(body, 'tools')).flatMap((tool) => at(tool, 'functionDeclarations') ?? tool);
  const names = tools.map((tool) => at(tool, 'name') ?? at(tool, 'function', 'name'));
  expect(names).toEqual(['read', 'write', 'edit', 'bash']);
});

test('the system prompt says where and when', async () => {
  const { tau, model, project } = await converse([says('ok')]);
  await tau(['-p', 'hi']);
  expect(systemIn(request(model, 0))).toMatch(/^Current date: \d{4}-\d\d-\d\d$/m);
  expect(systemIn(request(model, 0))).toContain(`Current working directory: ${project}`);
});

test.each(apis)('the bytes of a request over %s are the beginning of the next one', async (api) => {
  const { tau, model, write } = await converse(
    [
      {
        blocks: [
          { thinking: 'hm' },
          { text: 'Grüße' },
          call('read', { path: 'AGENTS.md' }),
          call('bash', { command: 'pwd' }),
        ],
      },
      calls(call('write', { path: 'AGENTS.md', content: 'new' })),
      says('ok'),
      says('ok'),
    ],
    { api },
  );
  write('AGENTS.md', 'Be kind.');
  await tau(['-p', 'one', 'two', '--permission-mode', 'dangerously']);
  expect(model.requests).toHaveLength(4);
  for (const [index, { raw }] of model.requests.slice(0, -1).entries()) {
    expect(raw.endsWith(']}')).toBe(true);
    expect(request(model, index + 1).raw.startsWith(raw.slice(0, -2))).toBe(true);
    expect(systemIn(request(model, index + 1))).toBe(systemIn(request(model, index)));
  }
});

test('AGENTS.md counts from the home, the root of the repository and each folder on the way, in that order', async () => {
  const { tau, model, write, project, tauHome } = await converse([says('ok')], { git: true });
  write(join(tauHome, 'AGENTS.md'), 'rule one: home');
  write('../AGENTS.md', 'rule zero: above the root');
  write('AGENTS.md', 'rule two: root');
  write('packages/AGENTS.md', 'rule three: between');
  write('packages/app/AGENTS.md', 'rule four: here');
  write('packages/app/below/AGENTS.md', 'rule five: below');
  await tau(['-p', 'hi'], { cwd: join(project, 'packages/app') });
  const rules = [...systemIn(request(model, 0)).matchAll(/^rule (\w+):/gm)].map(([, number]) => number);
  expect(rules).toEqual(['one', 'two', 'three', 'four']);
});

test('each file of instructions is named by its path', async () => {
  const { tau, model, write, project } = await converse([says('ok')], { git: true });
  write('AGENTS.md', 'Be kind.');
  await tau(['-p', 'hi']);
  expect(systemIn(request(model, 0))).toContain(`"${join(project, 'AGENTS.md')}"`);
});

test('CLAUDE.md counts where no AGENTS.md stands beside it', async () => {
  const { tau, model, write, project } = await converse([says('ok')], { git: true });
  write('AGENTS.md', 'from agents');
  write('CLAUDE.md', 'hidden by agents');
  write('app/CLAUDE.md', 'from claude');
  await tau(['-p', 'hi'], { cwd: join(project, 'app') });
  const system = systemIn(request(model, 0));
  expect(system).toContain('from agents');
  expect(system).toContain('from claude');
  expect(system).not.toContain('hidden by agents');
});

test('outside a repository only the folder itself counts', async () => {
  const { tau, model, write, project } = await converse([says('ok')]);
  write('AGENTS.md', 'from above');
  write('app/AGENTS.md', 'from here');
  await tau(['-p', 'hi'], { cwd: join(project, 'app') });
  expect(systemIn(request(model, 0))).toContain('from here');
  expect(systemIn(request(model, 0))).not.toContain('from above');
});

test.each(['-nc', '--no-context-files'])('%s leaves them all out', async (flag) => {
  const { tau, model, write, tauHome } = await converse([says('ok')], { git: true });
  write(join(tauHome, 'AGENTS.md'), 'rule one');
  write('AGENTS.md', 'rule two');
  await tau(['-p', 'hi', flag]);
  expect(systemIn(request(model, 0))).not.toMatch(/rule|project_context/);
});

test('a huge file of instructions is cut, and says so', async () => {
  const { tau, model, write } = await converse([says('ok')]);
  write('AGENTS.md', 'y'.repeat(200_000));
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/AGENTS\.md is cut.*65536 of 200000 bytes/) });
  expect(systemIn(request(model, 0))).toContain('[cut: the first 65536 of 200000 bytes]');
  expect(request(model, 0).raw.length).toBeLessThan(75_000);
});

test('an AGENTS.md that is a folder or leads nowhere is no matter', async () => {
  const { tau, project } = await converse([says('ok')], { git: true });
  mkdirSync(join(project, 'AGENTS.md'));
  symlinkSync('nowhere', join(project, 'CLAUDE.md'));
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'ok\n' });
});

test('a working folder reached by a link is the real one for the model and for -c', async () => {
  const { tau, model, project } = await converse([says('one'), says('two')]);
  const link = join(project, '../link');
  symlinkSync(project, link);
  await tau(['-p', 'hi'], { cwd: link });
  expect(await tau(['-p', '-c', 'again'])).toMatchObject({ code: 0, stdout: 'two\n' });
  expect(systemIn(request(model, 0))).toContain(`directory: ${project}`);
  expect(textAt(request(model, 0).body, 'model')).toBe('scripted');
});
