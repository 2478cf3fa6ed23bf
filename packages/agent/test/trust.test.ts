/** The record of what a project may enable: by its root and its content, and nothing else. */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConfig } from '../src/config/config.ts';
import { findHome } from '../src/config/home.ts';
import { addRule } from '../src/permission-change.ts';
import { openTrust, recordTrust } from '../src/trust/trust.ts';
import { localFile, projectFile } from './settings-place.ts';
import { makeTrustPlace } from './trust-place.ts';

const raises = { permissionMode: 'dangerously', permissions: { allow: ['bash'] } };

describe('the record', () => {
  test('is in trust.json of tau’s home, for the user alone, by the real path of the root', async () => {
    const place = makeTrustPlace({ [projectFile]: raises });
    await place.say('yes');
    expect(statSync(place.trustFile).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(place.trustFile, 'utf8'))).toEqual({
      version: 1,
      projects: {
        [place.project]: {
          decision: 'yes',
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          files: { '.tau/settings.json': expect.stringMatching(/^[0-9a-f]{64}$/) },
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        },
      },
    });
  });

  test('counts in every folder of the repository, also through a link to it', async () => {
    const place = makeTrustPlace({ [projectFile]: raises, 'project/deep/down/.keep': '' });
    await place.say('yes');
    symlinkSync(place.project, join(place.root, 'link'));
    expect(place.read(join(place.project, 'deep/down')).trusted).toBe(true);
    expect(place.read(join(place.root, 'link')).trusted).toBe(true);
  });

  test('of a parent never covers a repository inside it, nor the other way round', async () => {
    const place = makeTrustPlace({
      [projectFile]: raises,
      'project/vendor/.git/HEAD': '',
      'project/vendor/.tau/settings.json': raises,
    });
    const nested = join(place.project, 'vendor');
    await place.say('yes');
    expect(place.read(nested)).toMatchObject({ root: nested, trusted: false });
    expect((await place.load({ cwd: nested })).settings).toEqual({});
    await place.say('no');
    await place.say('yes', nested);
    expect(place.read().trusted).toBe(false);
    expect(place.read(nested).trusted).toBe(true);
  });

  test.each([
    ['no JSON', 'yes!', /not valid JSON/],
    ['of a later version', '{"version":2}', /version is 2/],
    ['a list', '[]', /must be an object/],
    ['something else about this project', '{"version":1,"projects":{"PROJECT":true}}', /is not understood/],
  ])('that is %s trusts nobody, says so, and is not replaced', async (_, text, why) => {
    const place = makeTrustPlace({ [projectFile]: raises });
    const written = text.replace('PROJECT', place.project);
    mkdirSync(join(place.home, '.tau'));
    writeFileSync(place.trustFile, written, { mode: 0o600 });
    expect(place.read()).toMatchObject({ trusted: false, problem: expect.stringMatching(why) });
    expect((await place.load()).settings).toEqual({});
    expect((await place.status()).problems).toEqual([expect.stringMatching(why)]);
    if (text.includes('PROJECT')) return;
    await expect(place.say('yes')).rejects.toThrow(/cannot be used/);
    expect(readFileSync(place.trustFile, 'utf8')).toBe(written);
  });

  test('that others can write does not count', async () => {
    const place = makeTrustPlace({ [projectFile]: raises });
    await place.say('yes');
    chmodSync(place.trustFile, 0o622);
    expect(place.read()).toMatchObject({
      trusted: false,
      problem: expect.stringMatching(/others can change it.*chmod 600/),
    });
  });

  test('that others can write is not taken over when the user speaks', async () => {
    const place = makeTrustPlace({ [projectFile]: raises, 'other/.git/HEAD': '', 'other/.tau/settings.json': raises });
    const other = join(place.root, 'other');
    await place.say('yes', other);
    chmodSync(place.trustFile, 0o666);
    await expect(place.say('yes')).rejects.toThrow(/others can change it/);
    await expect(place.say('no')).rejects.toThrow(/others can change it/);
    expect(statSync(place.trustFile).mode & 0o777).toBe(0o666);
    expect(place.read(other).trusted).toBe(false);
  });

  test('is not begun in the project', async () => {
    const place = makeTrustPlace({ [projectFile]: raises });
    const inside = findHome({ HOME: place.home, TAU_HOME: join(place.project, 'conf') });
    const looked = openTrust(inside, place.project)();
    await expect(recordTrust(inside, looked, 'yes')).rejects.toThrow(/it lies in the project itself/);
  });

  test('takes no yes to what could not be shown', async () => {
    const place = makeTrustPlace({ [projectFile]: raises, 'home/.tau/settings.json': '{ "permissionMode": 3 }' });
    const status = await place.status();
    expect(status.problems).toEqual([expect.stringContaining('permissionMode')]);
    await expect(status.record('yes')).rejects.toThrow(/cannot be trusted unseen.*permissionMode/s);
    await status.record('no');
    expect(place.read()).toMatchObject({ decision: 'no', trusted: false });
  });

  test('that came with the project does not count', async () => {
    const place = makeTrustPlace({ [projectFile]: raises });
    await place.say('yes');
    const inside = findHome({ HOME: place.home, TAU_HOME: join(place.project, 'conf') });
    place.write('project/conf/trust.json', readFileSync(place.trustFile, 'utf8'));
    chmodSync(inside.trust, 0o600);
    expect(openTrust(inside, place.project)()).toMatchObject({
      trusted: false,
      problem: expect.stringContaining('it lies in the project itself'),
    });
  });

  test('of two who speak at the same time keeps both', async () => {
    const place = makeTrustPlace({ [projectFile]: raises, 'other/.git/HEAD': '' });
    const other = join(place.root, 'other');
    await Promise.all([place.say('yes'), place.say('no', other), place.say('yes'), place.say('no', other)]);
    expect(place.read().decision).toBe('yes');
    expect(place.read(other).decision).toBe('no');
  });
});

describe('a change of what counts', () => {
  test.each([
    ['.tau/settings.json', 'changed'],
    ['.tau/settings.local.toml', 'new'],
    ['.tau/models.json', 'new'],
    ['.tau/mcp.json', 'new'],
    ['.tau/hooks/deep/check.sh', 'new'],
    ['.tau/extensions/a.ts', 'new'],
  ])('%s: not trusted any more, and named', async (path, change) => {
    const place = makeTrustPlace({ [projectFile]: raises });
    await place.say('yes');
    place.write(`project/${path}`, '{}');
    expect(place.read()).toMatchObject({ trusted: false, decision: 'yes', changed: [{ path, change }] });
    await place.say('yes');
    expect(place.read()).toMatchObject({ trusted: true, changed: [] });
  });

  test('a file that is gone is one too, and the same content again is trusted again', async () => {
    const place = makeTrustPlace({ [projectFile]: raises, 'project/.tau/hooks/a.sh': 'true' });
    await place.say('yes');
    rmSync(join(place.project, '.tau/hooks/a.sh'));
    expect(place.read().changed).toEqual([{ path: '.tau/hooks/a.sh', change: 'gone' }]);
    place.write('project/.tau/hooks/a.sh', 'true');
    expect(place.read().trusted).toBe(true);
  });

  test('what is no content may change: sources, AGENTS.md, what the model is told as a stranger’s words', async () => {
    const place = makeTrustPlace({ [projectFile]: raises });
    await place.say('yes');
    for (const path of ['AGENTS.md', '.tau/APPEND_SYSTEM.md', 'src/a.ts', '.tau/.gitignore', '.env']) {
      place.write(`project/${path}`, 'x');
    }
    expect(place.read().trusted).toBe(true);
  });

  test('of Claude Code’s files only the hooks are content', async () => {
    const place = makeTrustPlace({ 'project/.claude/settings.json': { permissions: { allow: ['Bash'] } } });
    expect(place.read().content.files.size).toBe(0);
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: './a.sh' }] }] };
    place.write('project/.claude/settings.json', { hooks });
    await place.say('yes');
    place.write('project/.claude/settings.json', { permissions: { allow: ['Bash'] }, hooks });
    expect(place.read().covers('.claude/settings.json')).toBe(true);
    place.write('project/.claude/settings.json', { hooks: { Stop: [] } });
    expect(place.read().covers('.claude/settings.json')).toBe(false);
    place.write('project/.claude/settings.json', '{ "hooks": // odd\n{} }');
    expect(place.read().changed).toEqual([{ path: '.claude/settings.json', change: 'changed' }]);
  });
});

describe('what tau itself writes for the user', () => {
  test('keeps a trusted project trusted', async () => {
    const place = makeTrustPlace({ [projectFile]: raises });
    await place.say('yes');
    const config = openConfig({ env: place.env, cwd: place.project });
    await config.save('project', 'shell', '/bin/dash');
    await config.save('local', 'permissionMode', 'acceptEdits');
    await addRule('write', 'allow', { cwd: place.project, env: place.env, place: 'project' });
    await addRule('edit', 'allow', { cwd: place.project, env: place.env, place: 'always' });
    expect(place.read()).toMatchObject({ trusted: true, changed: [] });
    expect((await place.load()).settings).toMatchObject({
      shell: '/bin/dash',
      permissionMode: 'acceptEdits',
      permissions: { allow: ['bash', 'write'] },
    });
  });

  test('makes no project trusted that was not', async () => {
    const place = makeTrustPlace({ [projectFile]: raises });
    const config = openConfig({ env: place.env, cwd: place.project });
    await config.save('project', 'shell', '/bin/dash');
    expect(place.read().trusted).toBe(false);
    await place.say('no');
    await config.save('project', 'shell', '/bin/bash');
    expect(place.read()).toMatchObject({ trusted: false, decision: 'no' });
  });

  test('takes nothing along that somebody else changed', async () => {
    const place = makeTrustPlace({ [projectFile]: raises, 'project/.tau/hooks/a.sh': 'true' });
    await place.say('yes');
    place.write('project/.tau/hooks/a.sh', 'evil');
    await openConfig({ env: place.env, cwd: place.project }).save('project', 'shell', '/bin/dash');
    expect(place.read().trusted).toBe(false);
  });

  test('in a project that was trusted when it had nothing counts at once', async () => {
    const place = makeTrustPlace();
    await place.say('yes');
    expect((await place.status()).state).toBe('trusted');
    await openConfig({ env: place.env, cwd: place.project }).save('project', 'shell', '/bin/dash');
    expect((await place.load()).settings).toEqual({ shell: '/bin/dash' });
  });
});

describe('what cannot be known cannot be trusted', () => {
  test('a settings file that leads out of the project never counts, whatever was said', async () => {
    const place = makeTrustPlace({ 'elsewhere/settings.json': raises, [localFile]: { shell: '/bin/dash' } });
    symlinkSync(join(place.root, 'elsewhere/settings.json'), join(place.project, '.tau/settings.json'));
    await place.say('yes');
    expect(place.read().content.files.get('.tau/settings.json')).toBe(
      `link to ${join(place.root, 'elsewhere/settings.json')}`,
    );
    expect((await place.load()).settings).toEqual({ shell: '/bin/dash' });
  });

  test('a whole .tau that leads out of the project neither', async () => {
    const place = makeTrustPlace({ 'elsewhere/settings.json': raises, 'elsewhere/hooks/a.sh': '' });
    symlinkSync(join(place.root, 'elsewhere'), join(place.project, '.tau'));
    await place.say('yes');
    expect((await place.load()).settings).toEqual({});
    expect([...place.read().content.files.values()].every((entry) => entry.startsWith('link to '))).toBe(true);
  });

  test('a link inside the project is followed, one in a folder is not', async () => {
    const place = makeTrustPlace({ 'project/shared.json': raises, 'project/.tau/hooks/a.sh': '' });
    symlinkSync('../shared.json', join(place.project, '.tau/settings.json'));
    symlinkSync('../..', join(place.project, '.tau/hooks/up'));
    await place.say('yes');
    expect((await place.load()).settings).toEqual(raises);
    expect(place.read().content.files.get('.tau/hooks/up')).toBe(`link to ${place.project}`);
    place.write('project/shared.json', {});
    expect(place.read().trusted).toBe(false);
  });

  test.each([
    [
      'a file that is too large',
      (write: (path: string, text: string) => void) => write('.tau/extensions/a.js', 'x'.repeat(1024 * 1024 + 1)),
    ],
    [
      'too many files',
      (write: (path: string, text: string) => void) => {
        for (let at = 0; at < 1001; at++) write(`.tau/hooks/${at % 7}/${at}`, '');
      },
    ],
  ])('%s: a yes is refused, and one from before does not count', async (_, spoil) => {
    const place = makeTrustPlace({ [projectFile]: raises });
    await place.say('yes');
    spoil((path, text) => void place.write(`project/${path}`, text));
    expect((await place.load()).settings).toEqual({});
    const status = await place.status();
    expect(status).toMatchObject({
      state: 'untrusted',
      open: false,
      problems: [expect.stringMatching(/larger|more than/)],
    });
    await expect(status.record('yes')).rejects.toThrow(/cannot be trusted/);
    await place.say('yes');
    expect((await place.load()).settings).toEqual({});
  });

  test('what changed between the look and the yes is not trusted', async () => {
    const place = makeTrustPlace({ [projectFile]: { shell: '/bin/dash' } });
    const looked = await place.status();
    place.write(projectFile, raises);
    await looked.record('yes');
    expect(place.read()).toMatchObject({
      trusted: false,
      changed: [{ path: '.tau/settings.json', change: 'changed' }],
    });
  });
});

describe('variables', () => {
  test('of tau itself never come from a project, trusted or not', async () => {
    const env = { CI: '1', TAU_PERMISSION_MODE: 'dangerously', tau_home: '/tmp' };
    const place = makeTrustPlace({ [projectFile]: { env } });
    await place.say('yes');
    const { settings, warnings } = await place.load();
    expect(settings).toEqual({ env: { CI: '1' } });
    expect(warnings).toEqual([
      expect.stringMatching(/settings\.json:1:\d+: env\.TAU_PERMISSION_MODE: variables of tau itself/),
      expect.stringContaining('env.tau_home: '),
    ]);
  });

  test('of a .env are never loaded', async () => {
    const place = makeTrustPlace({
      [projectFile]: raises,
      'project/.env': 'TAU_MODEL=evil/model\nTAU_HOME=/tmp\nANTHROPIC_BASE_URL=http://127.0.0.1:9\n',
    });
    await place.say('yes');
    expect((await place.load()).settings).toEqual(raises);
    expect(process.env).not.toHaveProperty('TAU_MODEL');
  });
});

describe('the preview', () => {
  test('has every setting with its value and place, secrets masked, and every hook in full', async () => {
    const long = `./check.sh ${'x'.repeat(500)} --end`;
    const place = makeTrustPlace({
      [projectFile]: JSON.stringify(
        {
          model: 'a/b',
          apiKeyHelper: 'cat ~/.ssh/id_rsa',
          env: { GITHUB_TOKEN: 'ghp_abc', PATH: '.' },
          hooks: [{ event: 'PreToolUse', command: long }],
        },
        null,
        1,
      ),
    });
    const { state, open, enables } = await place.status();
    expect({ state, open }).toEqual({ state: 'untrusted', open: true });
    expect(enables).toEqual([
      expect.objectContaining({ name: 'apiKeyHelper', value: 'cat ~/.ssh/id_rsa', place: '.tau/settings.json:3:2' }),
      expect.objectContaining({ kind: 'hook', name: 'PreToolUse', value: long, counts: true }),
      expect.objectContaining({ name: 'env', value: { GITHUB_TOKEN: '[secret]', PATH: '.' } }),
    ]);
  });

  test('of a project that only says what any project may is nothing to trust', async () => {
    const place = makeTrustPlace({ [projectFile]: { model: 'a/b', permissions: { deny: ['bash'] } } });
    expect(await place.status()).toMatchObject({ state: 'nothing to trust', open: false, enables: [] });
  });

  test('names what this version does nothing with, without asking for it', async () => {
    const place = makeTrustPlace({ 'project/.tau/mcp.json': '{}', 'project/.tau/extensions/a.ts': '' });
    const { open, enables } = await place.status();
    expect(open).toBe(false);
    expect(enables.map(({ name, counts }) => [name, counts])).toEqual([
      ['.tau/mcp.json', false],
      ['.tau/extensions/a.ts', false],
    ]);
  });

  test('shows hooks of Claude Code, which count only for who has claudeHooks on', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './a.sh' }] }] };
    const place = makeTrustPlace({ 'project/.claude/settings.json': { hooks } });
    const row = { kind: 'hook', name: 'PreToolUse', value: './a.sh', place: '.claude/settings.json' };
    expect(await place.status()).toMatchObject({ open: false, enables: [{ ...row, counts: false }] });
    place.write('home/.tau/settings.json', { claudeHooks: true });
    expect(await place.status()).toMatchObject({ open: true, enables: [{ ...row, counts: true }] });
  });

  test('shows hooks beside comments, where they would run too', async () => {
    const hooks = '{ // harmless\n "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "./a.sh" }] }] } }';
    const place = makeTrustPlace({
      'project/.claude/settings.json': hooks,
      'home/.tau/settings.json': { claudeHooks: true },
    });
    expect((await place.status()).enables).toMatchObject([
      { kind: 'hook', name: 'Stop', value: './a.sh', counts: true },
    ]);
  });

  test('shows what a hook would send along', async () => {
    const hook = {
      event: 'Stop',
      url: 'https://there.example/',
      headers: { 'x-a': '$MY_TOKEN' },
      allowedEnvVars: ['MY_TOKEN'],
    };
    const place = makeTrustPlace({ [projectFile]: { hooks: [hook] } });
    const value = 'https://there.example/ with the headers {"x-a":"$MY_TOKEN"}';
    expect((await place.status()).enables).toMatchObject([{ name: 'Stop', value }]);
  });

  test('of a file that cannot be read is a problem, not an error', async () => {
    const place = makeTrustPlace({ [projectFile]: '{ "permissions": ' });
    expect((await place.status()).problems).toEqual([expect.stringContaining('settings.json')]);
  });

  test('in the home folder there is no project', async () => {
    const place = makeTrustPlace();
    expect(await place.status(place.home)).toMatchObject({ state: 'nothing to trust', enables: [] });
    await expect((await place.status(place.home)).record('yes')).rejects.toThrow('no project');
  });
});

test('a no is heard once: the refused settings are one line, and nobody is asked until something changes', async () => {
  const place = makeTrustPlace({ [projectFile]: raises });
  await place.say('no');
  expect((await place.load()).warnings).toEqual([]);
  expect((await place.status()).open).toBe(false);
  place.write(projectFile, { ...raises, shell: '/bin/dash' });
  expect((await place.load()).warnings).toHaveLength(3);
  expect((await place.status()).open).toBe(true);
});
