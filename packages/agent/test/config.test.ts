/** Looking at settings and changing them: one key at a time, every other byte untouched. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { editJson } from '../src/config/edit-json.ts';
import { keys, settingNames } from '../src/config/keys.ts';
import { publishedSchema } from '../src/config/schema.ts';
import { settingsTable } from '../src/config/table.ts';
import { settingsTemplate } from '../src/config/template.ts';
import { localFile, makePlace, projectFile, userFile } from './settings-place.ts';

const repository = join(import.meta.dirname, '../../..');

test.each([
  ['into nothing', '', ['model'], 'a', '{\n  "model": "a"\n}\n'],
  ['into an empty object', '{}', ['model'], 'a', '{\n  "model": "a"\n}'],
  ['beside a comment alone', '{\n  // mine\n}\n', ['model'], 'a', '{\n  // mine\n  "model": "a"\n}\n'],
  ['on one line', '{ "a": 1 }', ['b'], 2, '{ "a": 1, "b": 2 }'],
  ['behind the comment of the last', '{\n  "a":1 // one\n}', ['b'], 2, '{\n  "a":1, // one\n  "b": 2\n}'],
  ['behind a comma', '{\n\t"a": 1, // one, two\n}', ['b'], 2, '{\n\t"a": 1, // one, two\n\t"b": 2,\n}'],
  ['behind a comment of two lines', '{\n  "a": 1 /* x\n  y */\n}', ['b'], 2, '{\n  "a": 1, /* x\n  y */\n  "b": 2\n}'],
  ['before a comment that ends with it', '{\n  "a": 1 /* x\n  y */}', ['b'], 2, '{\n  "a": 1, "b": 2 /* x\n  y */}'],
  ['with its line ends', '{\r\n  "a": 1\r\n}', ['b'], 2, '{\r\n  "a": 1,\r\n  "b": 2\r\n}'],
  ['instead of another', '{ /* x */ "a" : [1,  2] , "b":2}', ['a'], 5, '{ /* x */ "a" : 5 , "b":2}'],
  ['into a group', '{\n  "l": {\n    "x": 1\n  },\n}', ['l', 'y'], 2, '{\n  "l": {\n    "x": 1,\n    "y": 2\n  },\n}'],
  ['with a new group', '{\n  "a": 1\n}', ['l', 'y'], 2, '{\n  "a": 1,\n  "l": { "y": 2 }\n}'],
  ['away, the last', '{\n  "a": 1, // one\n  "b": 2\n}', ['b'], undefined, '{\n  "a": 1 // one\n}'],
  ['away, the first', '{\n  "a": 1,\n  // two\n  "b": 2\n}', ['a'], undefined, '{\n  // two\n  "b": 2\n}'],
  ['away, the only one', '{\n  "a": 1\n}\n', ['a'], undefined, '{\n}\n'],
  ['away on one line', '{ "a": 1, "b": 2, "c": 3 }', ['b'], undefined, '{ "a": 1, "c": 3 }'],
  ['away before a comma', '{\n  "a": 1 /* , */ ,\n  "b": 2\n}', ['a'], undefined, '{\n  /* , */ \n  "b": 2\n}'],
  ['away, both of two', '{ "a": 1, "b": 2, "a": 3 }', ['a'], undefined, '{ "b": 2 }'],
  ['away, what is not there', '{ "a": 1 }', ['l', 'x'], undefined, '{ "a": 1 }'],
])('a key is written %s', async (_, text, path, value, expected) => {
  expect(await editJson(text, path, value)).toBe(expected);
});

test('whatever is set or taken away, the file holds exactly that, and every comment of before', async () => {
  const blank = fc.constantFrom('', ' ', '\n', '\n  ', ' // c,"}\n', '/* ,{ */', ' /* {\n} */', '\r\n\t');
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const value = fc.oneof(fc.integer(), fc.constantFrom('x', 'a, "b"', [1, 'y'], {}, { k: [] }));
  // A comment inside a property goes with it.
  const inside = fc.constantFrom('', ' ', '\n');
  const member = fc.tuple(blank, name, inside, inside, value, blank);
  const source = fc
    .tuple(fc.uniqueArray(member, { selector: ([, key]) => key }), fc.boolean(), blank, blank)
    .map(([members, trailing, before, after]) => {
      const body = members
        .map(([a, key, b, c, given, d]) => `${a}"${key}"${b}:${c}${JSON.stringify(given)}${d}`)
        .join(',');
      return `${before}{${body}${trailing && members.length > 0 ? ',' : ''}${after}}`;
    });
  const comments = (text: string) => text.match(/\/\/ c,"\}|\/\* ,\{ \*\/|\/\* \{\n\} \*\//g) ?? [];
  const read = (text: string): Record<string, unknown> => {
    const errors: [] = [];
    const found: Record<string, unknown> = parse(text, errors, { allowTrailingComma: true });
    expect(errors).toEqual([]);
    return found;
  };
  await fc.assert(
    fc.asyncProperty(source, name, fc.option(value, { nil: undefined }), async (text, key, given) => {
      const after = await editJson(text, [key], given);
      const { [key]: _, ...others } = read(text);
      expect(read(after)).toEqual(given === undefined ? others : { ...others, [key]: given });
      expect(comments(after)).toEqual(comments(text));
    }),
    { seed: 7, numRuns: 500 },
  );
});

test.each(settingNames())('%s can be set, is what is got, and leaves the rest of the file alone', async (name) => {
  const before = '// top\n{\n  "$schema": "x", // why\n  /* odd */   "language" :"Latin"\n}\n// end\n';
  const place = makePlace({ [userFile]: before });
  const path = join(place.root, userFile);
  const { example } = keys[name];
  expect(await place.config().save('user', name, example)).toEqual({ path, changed: true });
  const loaded = await place.config().load();
  expect(loaded.warnings).toEqual([]);
  expect(loaded.get(name)).toEqual(example);
  expect(loaded.list()).toContainEqual({ key: name, value: example, origins: ['user'] });
  const after = readFileSync(path, 'utf8');
  for (const kept of ['// top\n', '"$schema": "x", // why\n', '  /* odd */   "language" :', '}\n// end\n']) {
    expect(after).toContain(kept);
  }
  if (name === 'language') return;
  await place.config().remove('user', name);
  expect((await place.config().load()).get(name)).toEqual(keys[name].default);
});

test.each(settingNames())('the default of %s is one it could be set to, and its example differs', async (name) => {
  const { default: standard, example } = keys[name];
  expect(example).not.toEqual(standard);
  if (standard === undefined) return;
  await makePlace().config().save('user', name, standard);
});

test.each([
  ['model', 5],
  ['limits.readLines', 0],
  ['thinking', 'very'],
  ['permissions.deny', 'bash'],
  ['aliases.quick', 7],
  ['fallbackModels', ['a', 2]],
  ['tools', 'all'],
])('%s is not set to %j, and no file is made', async (key, value) => {
  const place = makePlace();
  await expect(place.config().save('user', key, value)).rejects.toThrow(new RegExp(`^${key}`));
  expect(existsSync(join(place.root, userFile))).toBe(false);
});

test('a key that is not there is told the nearest, a group what it holds', () => {
  const config = makePlace().config();
  expect(() => config.readValue('modle', 'x')).toThrow('There is no setting "modle"');
  expect(() => config.readValue('limits', '{}')).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('limits.readLines') }),
  );
  expect(() => config.readValue('model.x', 'y')).toThrow('There is no setting "model.x"');
});

test('each layer has its file; new ones are for the user alone, and git ignores the local one', async () => {
  const place = makePlace();
  for (const layer of ['user', 'project', 'local'] as const) await place.config().save(layer, 'language', layer);
  for (const [path, text] of [
    [userFile, 'user'],
    [projectFile, 'project'],
    [localFile, 'local'],
  ] as const) {
    expect(readFileSync(join(place.root, path), 'utf8')).toBe(`{\n  "language": "${text}"\n}\n`);
    expect(statSync(join(place.root, path)).mode & 0o777).toBe(0o600);
  }
  const ignored = join(place.project, '.tau/.gitignore');
  expect(readFileSync(ignored, 'utf8')).toBe('settings.local.json\n');
  await place.config().save('local', 'language', 'again');
  expect(readFileSync(ignored, 'utf8')).toBe('settings.local.json\n');
  expect(await place.config().save('local', 'language', 'again')).toMatchObject({ changed: false });
});

test('a key in another spelling is changed where it stands', async () => {
  const place = makePlace({ [userFile]: '{\n  "default_model": "a/b", // mine\n  "limits": { "read_lines": 5 }\n}' });
  await place.config().save('user', 'model', 'c/d');
  await place.config().save('user', 'limits.readLines', 6);
  expect(readFileSync(join(place.root, userFile), 'utf8')).toBe(
    '{\n  "default_model": "c/d", // mine\n  "limits": { "read_lines": 6 }\n}',
  );
});

test('a file that is not understood, is TOML, or leads out of the project is not written', async () => {
  const broken = makePlace({ [userFile]: '{ "model": ' });
  await expect(broken.config().save('user', 'model', 'a/b')).rejects.toThrow(/not valid JSON/);
  expect(readFileSync(join(broken.root, userFile), 'utf8')).toBe('{ "model": ');
  const toml = makePlace({ 'home/.tau/settings.toml': 'model = "a/b"' });
  await expect(toml.config().save('user', 'model', 'c/d')).rejects.toThrow(/settings\.toml, which tau only reads/);
  const linked = makePlace({ 'elsewhere.json': '{}' });
  mkdirSync(join(linked.project, '.tau'));
  symlinkSync(join(linked.root, 'elsewhere.json'), join(linked.root, projectFile));
  await expect(linked.config().save('project', 'model', 'c/d')).rejects.toThrow(/outside the project/);
  expect(readFileSync(join(linked.root, 'elsewhere.json'), 'utf8')).toBe('{}');
  const ignoring = makePlace({ 'home/.profile': 'mine\n' });
  mkdirSync(join(ignoring.project, '.tau'));
  symlinkSync(join(ignoring.home, '.profile'), join(ignoring.project, '.tau/.gitignore'));
  await expect(ignoring.config().save('local', 'model', 'c/d')).rejects.toThrow(/outside the project/);
  expect(readFileSync(join(ignoring.home, '.profile'), 'utf8')).toBe('mine\n');
  expect(existsSync(join(ignoring.root, localFile))).toBe(false);
});

test('a wrong guard can be mended, and no file with one is written', async () => {
  const place = makePlace({ [userFile]: { permissionMode: 'yolo', language: 'a' } });
  await expect(place.config().save('user', 'language', 'b')).rejects.toThrow(/permissionMode/);
  await place.config().save('user', 'permissionMode', 'plan');
  expect((await place.config().load()).get('permissionMode')).toBe('plan');
});

test('a file keeps its mode, its byte order mark, and stays a link', async () => {
  const place = makePlace({ 'dotfiles/settings.json': '\uFEFF{ "model": "a/b" }' });
  mkdirSync(join(place.home, '.tau'));
  symlinkSync(join(place.root, 'dotfiles/settings.json'), join(place.root, userFile));
  await place.config().save('user', 'model', 'c/d');
  expect(readFileSync(join(place.root, 'dotfiles/settings.json'), 'utf8')).toBe('\uFEFF{ "model": "c/d" }');
  expect(statSync(join(place.root, userFile)).mode & 0o777).toBe(0o644);
});

test('explain tells what each layer says and why it does not count', async () => {
  const place = makePlace({
    [userFile]: { maxTurns: 10, permissions: { deny: ['bash'] } },
    [projectFile]: '{\n  "maxTurns": 20,\n  "permissions": { "deny": ["edit"] }\n}',
    [localFile]: { maxTurns: 5 },
  });
  const loaded = await place.config(place.project, { TAU_MAX_TURNS: '3' }).load();
  expect(await loaded.explain('maxTurns')).toEqual([
    { origin: 'user', place: `${join(place.root, userFile)}:1:2`, value: 10, not: 'environment goes before it' },
    {
      origin: 'project',
      place: `${join(place.root, projectFile)}:2:3`,
      value: 20,
      not: 'a project that is not trusted can only make it stricter',
    },
    { origin: 'local', place: expect.any(String), value: 5, not: 'environment goes before it' },
    { origin: 'environment', place: 'TAU_MAX_TURNS', value: 3 },
  ]);
  const rules = await loaded.explain('permissions.deny');
  expect(rules.map(({ origin, not }) => [origin, not])).toEqual([
    ['user', undefined],
    ['project', undefined],
  ]);
  expect(await loaded.explain('limits.readLines')).toEqual([{ origin: 'default', value: 2000 }]);
});

test('secrets that stand in settings are not shown', async () => {
  const key = 'sk-ant-abcdefgh12345678';
  const place = makePlace({
    [userFile]: {
      env: { TOKEN: 'hunter2', CI: '1', ODD: key, PGPASSWORD: 'hunter2', DB: 'postgres://me:pass@db/x' },
      baseUrl: 'https://me:pass@x.example/v1',
      language: key,
    },
  });
  const loaded = await place.config().load();
  expect(loaded.get('env')).toEqual({
    TOKEN: '[secret]',
    CI: '1',
    ODD: '[secret]',
    PGPASSWORD: '[secret]',
    DB: 'postgres://[secret]@db/x',
  });
  expect(loaded.get('env.TOKEN')).toBe('[secret]');
  const said = JSON.stringify([loaded.list(), await loaded.explain('env'), await loaded.explain('baseUrl')]);
  for (const secret of [key, 'hunter2', 'pass@']) expect(said).not.toContain(secret);
});

test('the template is a valid file that sets nothing and names every key', async () => {
  const place = makePlace({ [userFile]: settingsTemplate() });
  expect(await place.load()).toMatchObject({ settings: {}, warnings: [] });
  for (const name of settingNames()) expect(settingsTemplate()).toContain(`// "${name.split('.').at(-1)}": `);
  const live = settingsTemplate().replace(/^( *)\/\/ (?=["}])/gm, '$1');
  place.write(userFile, live);
  expect((await place.load()).warnings).toEqual([]);
});

test('the published schema and the page in docs are made from the table (node scripts/settings-schema.mjs)', () => {
  const file: unknown = JSON.parse(readFileSync(join(repository, 'packages/cli/settings.schema.json'), 'utf8'));
  expect(file).toEqual(publishedSchema());
  expect(readFileSync(join(repository, 'docs/settings.md'), 'utf8')).toContain(`\n${settingsTable()}\n`);
});
