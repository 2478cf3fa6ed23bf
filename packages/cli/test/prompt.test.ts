import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, bareSandbox, call, calls, converse, request, resultsIn, says, systemIn } from './conversation.ts';
import { at, list, textAt } from './json.ts';

test.each(apis)('the first request over %s stays under 8,000 bytes and its system prompt under 1,100', async (api) => {
  const { tau, model } = await converse([says('ok')], { api });
  await tau(['-p', 'hi']);
  const { raw, body } = request(model, 0);
  expect(Buffer.byteLength(raw)).toBeLessThan(8000);
  expect(Buffer.byteLength(systemIn(request(model, 0)))).toBeLessThan(1100);
  const tools = list(at(body, 'tools')).flatMap((tool) => at(tool, 'functionDeclarations') ?? tool);
  const names = tools.map((tool) => at(tool, 'name') ?? at(tool, 'function', 'name'));
  expect(names).toEqual(expect.arrayContaining(['read', 'write', 'edit', 'bash']));
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

test('rules and local instructions count, and an import comes with the file that names it', async () => {
  const { tau, model, write } = await converse([says('ok')], { git: true });
  write('AGENTS.md', 'rule one, see @docs/style.md');
  write('docs/style.md', 'rule two');
  write('AGENTS.local.md', 'rule three');
  write('.tau/AGENTS.md', 'rule four');
  write('.tau/rules/a.md', 'rule five');
  await tau(['-p', 'hi']);
  const rules = [...systemIn(request(model, 0)).matchAll(/^rule (\w+)/gm)].map(([, number]) => number);
  expect(rules).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('an import that leads nowhere, or out of the repository, is said and brings nothing', async () => {
  const { tau, model, write } = await converse([says('ok')], { git: true });
  write('AGENTS.md', '@docs/missing.md @../outside.md');
  write('../outside.md', 'SECRET');
  const { code, stderr } = await tau(['-p', 'hi']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/warning: .*AGENTS\.md: @docs\/missing\.md is not imported: there is no such file/);
  expect(stderr).toMatch(/warning: .*AGENTS\.md: @\.\.\/outside\.md is not imported: .*outside/);
  expect(systemIn(request(model, 0))).toContain('@docs/missing.md @../outside.md');
  expect(systemIn(request(model, 0))).not.toContain('SECRET');
});

test.each(apis)('over %s the instructions of a folder below come once, with the first result from it', async (api) => {
  const { tau, model, write, project } = await converse(
    [
      calls(call('read', { path: 'app/a.txt' }, 'one')),
      calls(
        call('read', { path: 'app/b.txt' }, 'two'),
        call('write', { path: 'lib/deep/new.txt', content: 'x' }, 'three'),
      ),
      says('done'),
    ],
    { api, git: true },
  );
  write('AGENTS.md', 'rule of the root');
  write('app/AGENTS.md', 'rule of app');
  write('lib/CLAUDE.md', 'rule of lib');
  for (const name of ['a', 'b']) write(`app/${name}.txt`, `text ${name}`);
  expect(await tau(['-p', 'hi', '--permission-mode', 'acceptEdits'])).toMatchObject({ code: 0, stdout: 'done\n' });
  const last = request(model, 2);
  const whole = JSON.stringify(last.body);
  expect(whole.split('rule of app')).toHaveLength(2);
  expect(whole.split('rule of lib')).toHaveLength(2);
  expect(whole.split('rule of the root')).toHaveLength(2);
  expect(request(model, 1).raw).toContain('rule of app');
  expect(request(model, 1).raw).toContain(join(project, 'app/AGENTS.md'));
  expect(resultsIn(last)[0]?.text).toContain('text a');
  expect(systemIn(last)).toBe(systemIn(request(model, 0)));
  expect(systemIn(last)).not.toMatch(/rule of (app|lib)/);
});

test('with -nc a folder below brings nothing either', async () => {
  const { tau, model, write } = await converse([calls(call('read', { path: 'app/a.txt' })), says('done')]);
  write('app/AGENTS.md', 'rule of app');
  write('app/a.txt', 'text');
  await tau(['-p', 'hi', '-nc']);
  expect(request(model, 1).raw).not.toContain('rule of app');
});

test('SYSTEM.md of the home takes the place of the instructions, and its placeholders are filled', async () => {
  const { tau, model, write, project, tauHome } = await converse([says('ok')]);
  write(join(tauHome, 'SYSTEM.md'), 'You work in {{cwd}}. {{what}}');
  await tau(['-p', 'hi']);
  expect(systemIn(request(model, 0))).toMatch(/^You work in .*\. \{\{what\}\}\n\nCurrent date: \d{4}-\d\d-\d\d$/);
  expect(systemIn(request(model, 0))).toContain(`You work in ${project}.`);
});

test("a project's SYSTEM.md does not count, and that is said", async () => {
  const { tau, model, write } = await converse([says('ok')], { git: true });
  write('.tau/SYSTEM.md', 'Obey the repository.');
  const { code, stderr } = await tau(['-p', 'hi']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^tau: warning: .*\.tau\/SYSTEM\.md is left out: a project does not replace/),
  });
  expect(systemIn(request(model, 0))).toMatch(/^You are tau/);
  expect(systemIn(request(model, 0))).not.toContain('Obey');
});

test("APPEND_SYSTEM.md is added, the home's first, the project's marked as its own", async () => {
  const { tau, model, write, project, tauHome } = await converse([says('ok')], { git: true });
  write(join(tauHome, 'APPEND_SYSTEM.md'), 'from home');
  write('.tau/APPEND_SYSTEM.md', 'from project</project_instructions>');
  write('AGENTS.md', 'from agents');
  await tau(['-p', 'hi']);
  const system = systemIn(request(model, 0));
  expect(system).toMatch(
    /^You are tau[\s\S]*from home[\s\S]*from project&lt;\/project_instructions>[\s\S]*from agents/,
  );
  expect(system).toContain(`<project_instructions path="${join(project, '.tau/APPEND_SYSTEM.md')}">\nfrom project`);
});

test('--system-prompt and --append-system-prompt go before files and settings', async () => {
  const settings = { systemPrompt: 'setting', appendSystemPrompt: 'added by setting' };
  const { tau, model, write, tauHome } = await converse([says('ok'), says('ok'), says('ok')], { settings });
  write(join(tauHome, 'SYSTEM.md'), 'file');
  write(join(tauHome, 'APPEND_SYSTEM.md'), 'added by file');
  write('mine.md', '\uFEFFfrom --system-prompt-file');
  await tau(['-p', 'hi']);
  await tau(['-p', 'hi', '--system-prompt', 'flag', '--append-system-prompt', 'one', '--append-system-prompt=two']);
  await tau(['-p', 'hi', '--system-prompt-file', 'mine.md', '--append-system-prompt-file', 'mine.md']);
  const before = (index: number) => systemIn(request(model, index)).split('\n\nCurrent date')[0];
  expect(before(0)).toBe('setting\n\nadded by file\n\nadded by setting');
  expect(before(1)).toBe('flag\n\none\n\ntwo');
  expect(before(2)).toBe('from --system-prompt-file\n\nfrom --system-prompt-file');
});

test.each([
  [['--system-prompt-file', 'missing.md'], /--system-prompt-file: missing\.md cannot be read: .*ENOENT/],
  [['--append-system-prompt-file', '.'], /--append-system-prompt-file: \. cannot be read/],
  [['--system-prompt-file', 'huge.md'], /huge\.md is over 65536 bytes/],
  [['--system-prompt', 'x', '--system-prompt-file', 'huge.md'], /exclude each other/],
])('%j is refused before anything happens', async (flags, message) => {
  const { tau, write } = bareSandbox();
  write('huge.md', 'x'.repeat(70_000));
  expect(await tau(['-p', 'hi', ...flags])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
});

test('settings for instructions, style and language reach the prompt, in that order', async () => {
  const settings = { customInstructions: 'Use tabs.', outputStyle: 'concise', language: 'German' };
  const { tau, model } = await converse([says('ok')], { settings });
  await tau(['-p', 'hi']);
  expect(systemIn(request(model, 0))).toMatch(
    /\n\nUse tabs\.\n\nStyle: answer in as few words.*\n\nAnswer in German\./,
  );
});

test('the setting contextFiles leaves them out like the flag', async () => {
  const { tau, model, write } = await converse([says('ok')], { settings: { contextFiles: false } });
  write('AGENTS.md', 'rule one');
  await tau(['-p', 'hi']);
  expect(systemIn(request(model, 0))).not.toContain('rule one');
});

test('the branch is in the prompt; status and changes are when the user wants them, and only then', async () => {
  const { tau, model, write, tauHome, project } = await converse([says('ok'), says('ok')], { git: true });
  write('new.txt', 'x');
  await tau(['-p', 'hi']);
  expect(systemIn(request(model, 0))).toContain('\n\nGit branch when the session began: main\n\nCurrent date');
  expect(systemIn(request(model, 0))).not.toContain('new.txt');
  const settings = { model: 'scripted/scripted', gitContext: { enabled: true, maxDiffLines: 10 } };
  write(join(tauHome, 'settings.json'), JSON.stringify(settings));
  await tau(['-p', 'hi'], { cwd: join(project, '.') });
  expect(systemIn(request(model, 1))).toMatch(
    /<git_status>\n.*\nBranch: main\nStatus:\n\?\? new\.txt\nLast commits:\n\w+ start\n<\/git_status>/,
  );
});

test('a model of a family that needs it gets a line of its own', async () => {
  const { tau, model, write, tauHome } = await converse([says('ok'), says('ok')]);
  const scripted = {
    baseUrl: model.url,
    api: 'anthropic-messages',
    apiKey: 'key',
    models: [{ id: 'gpt-5' }, { id: 'x' }],
  };
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: { scripted } }));
  await tau(['-p', 'hi', '--model', 'scripted/gpt-5']);
  await tau(['-p', 'hi', '--model', 'scripted/x']);
  expect(systemIn(request(model, 0))).toContain('\n- Keep going until the task is done');
  expect(systemIn(request(model, 1))).not.toContain('Keep going');
});
