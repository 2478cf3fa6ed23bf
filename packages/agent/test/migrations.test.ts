/** Old names of settings: read as the new ones, and written so when that is asked for. */
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { isSettingName } from '../src/config/keys.ts';
import { migrations } from '../src/config/migrations.ts';
import { localFile, makePlace, projectFile, userFile } from './settings-place.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/settings.md'), 'utf8');

test.each(migrations)('$old of $from is a setting, and the page of settings names it', ({ old, now }) => {
  expect(isSettingName(now)).toBe(true);
  expect(isSettingName(old)).toBe(false);
  expect(old.split('.').slice(0, -1)).toEqual(now.split('.').slice(0, -1));
  expect(page).toContain(`\`${old}\``);
});

const given = `{
  // which one
  "default_model": "a/b", /* mine */
  "permission_mode": "plan",
  "limits": { "read_lines": 5, "readBytes": 900 }, // small
  "retry": {
    "maxRetries": 2,
    "baseDelayMs": 100,
  },
  "shellPath": "/bin/sh",
  "env": { "snake_case": "stays" },
}
`;

test('the file is written with the names of now, and nothing else of it changes', async () => {
  const place = makePlace({ [userFile]: given });
  const before = await place.load();
  expect(before.warnings).toEqual([
    expect.stringMatching(
      /settings\.json:3:3: default_model is now model, retry\.maxRetries is now retry\.retries, .*, shellPath is now shell: tau config migrate writes it so$/,
    ),
  ]);
  const dry = await place.config().migrate('user', { dryRun: true });
  expect(place.read(userFile)).toBe(given);
  expect(dry).not.toHaveProperty('backup');
  const done = await place.config().migrate('user');
  expect(done).toEqual({ ...dry, backup: 'settings.json.bak' });
  expect(done.renamed).toEqual(
    expect.arrayContaining([
      { from: 'default_model', to: 'model' },
      { from: 'limits.read_lines', to: 'limits.readLines' },
      { from: 'retry.baseDelayMs', to: 'retry.baseMs' },
    ]),
  );
  expect(place.read(userFile)).toBe(
    given
      .replace('default_model', 'model')
      .replace('permission_mode', 'permissionMode')
      .replace('read_lines', 'readLines')
      .replace('maxRetries', 'retries')
      .replace('baseDelayMs', 'baseMs')
      .replace('shellPath', 'shell'),
  );
  expect(place.read(`${userFile}.bak`)).toBe(given);
  expect(statSync(place.path(`${userFile}.bak`)).mode & 0o777).toBe(0o600);
  expect(await place.load()).toMatchObject({ warnings: [], settings: before.settings });
  expect(await place.config().migrate('user')).toMatchObject({ renamed: [], removed: [] });
});

test('an old name beside the new one is taken away, and the new one still counts', async () => {
  const place = makePlace({ [userFile]: '{\n  "defaultModel": "a/b",\n  "model": "c/d" // this\n}\n' });
  expect(await place.config().migrate('user')).toMatchObject({ renamed: [], removed: ['defaultModel'] });
  expect(place.read(userFile)).toBe('{\n  "model": "c/d" // this\n}\n');
});

test('a group in another spelling is renamed with what is in it', async () => {
  const place = makePlace({
    [userFile]: '{ "git_context": { "max_diff_lines": 3 }, "git_context": { "enabled": true } }',
  });
  await place.config().migrate('user');
  expect(place.read(userFile)).toContain('{ "gitContext": { ');
  expect(parse(place.read(userFile))).toEqual({ gitContext: { enabled: true } });
});

test.each([
  ['twice', '{ "permission_mode": "dangerously", "permissionMode": "plan" }', /twice/],
  ['wrongly', '{ "default_model": "a/b", "permission_mode": "free" }', /permission_mode/],
  ['nearly', '{ "default_model": "a/b", "permision_mode": "plan" }', /permision_mode: there is no such key/],
])('a file that has a permission setting %s is left alone', async (_, text, why) => {
  const place = makePlace({ [userFile]: text });
  await expect(place.config().migrate('user')).rejects.toThrow(why);
  expect(place.read(userFile)).toBe(text);
  expect(existsSync(place.path(`${userFile}.bak`))).toBe(false);
});

test('what cannot be read or is TOML is not written to, and a backup never leaves the project', async () => {
  const broken = makePlace({ [userFile]: '{ "default_model": ' });
  await expect(broken.config().migrate('user')).rejects.toThrow(/settings\.json/);
  const toml = makePlace({ 'home/.tau/settings.toml': 'default_model = "a/b"\n' });
  await expect(toml.config().migrate('user')).rejects.toThrow(/only reads/);
  const linked = makePlace({ [projectFile]: '{ "default_model": "a/b" }', 'home/victim': 'mine' });
  symlinkSync(linked.path('home/victim'), linked.path(`${projectFile}.bak`));
  await expect(linked.config().migrate('project')).rejects.toThrow(/outside the project/);
  expect(linked.read('home/victim')).toBe('mine');
  expect(linked.read(projectFile)).toBe('{ "default_model": "a/b" }');
});

test("the project's own files are migrated in their own places", async () => {
  const place = makePlace({ [projectFile]: '{ "max_turns": 3 }', [localFile]: '{ "defaultModel": "a/b" }' });
  expect((await place.load()).warnings).toEqual([expect.stringContaining('tau config migrate --local writes it so')]);
  await place.config().migrate('project');
  await place.config().migrate('local');
  expect(place.read(projectFile)).toBe('{ "maxTurns": 3 }');
  expect(place.read(localFile)).toBe('{ "model": "a/b" }');
});
