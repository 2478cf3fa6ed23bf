/** Settings from their layers: which counts, what is refused, and what is said about it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeValues } from '../src/config/merge.ts';
import type { SettingName } from '../src/config/types.ts';
import { localFile, makePlace, projectFile, userFile } from './settings-place.ts';

test('without any file there are no settings and nothing to say', async () => {
  expect(await makePlace().load()).toEqual({ settings: {}, warnings: [], layers: [], refusals: [], ignored: [] });
});

test('a later layer goes before an earlier one: user, project, local, --config, environment', async () => {
  const place = makePlace({ [userFile]: { model: 'a/user', language: 'user' } });
  const model = async (more = {}) => (await place.load(more)).settings.model;
  expect(await model()).toBe('a/user');
  place.write(projectFile, { model: 'a/project' });
  expect(await model()).toBe('a/project');
  place.write(localFile, { model: 'a/local' });
  expect(await model()).toBe('a/local');
  place.write('project/mine.json', { model: 'a/config' });
  expect(await model({ configFile: 'mine.json' })).toBe('a/config');
  const env = { TAU_MODEL: 'a/variable' };
  expect(await model({ configFile: 'mine.json', env })).toBe('a/variable');
  expect((await place.load({ env })).settings.language).toBe('user');
});

test('rules and entries by name add up, ordered lists are replaced, null says nothing', async () => {
  const place = makePlace({
    [userFile]: {
      permissions: { deny: ['bash', 'read'], ask: ['edit'] },
      aliases: { a: 'x/1', b: 'x/2' },
      fallbackModels: ['x/1', 'x/2'],
      excludeTools: ['grep'],
      limits: { readLines: 100, readBytes: 2000 },
      language: 'English',
    },
    [projectFile]: {
      permissions: { deny: ['read', 'write'], ask: null },
      aliases: { c: 'x/3' },
      fallbackModels: ['x/9'],
      excludeTools: ['glob'],
      limits: { readLines: 50 },
      language: null,
    },
  });
  expect(await place.load()).toMatchObject({
    warnings: [],
    settings: {
      permissions: { deny: ['bash', 'read', 'write'], ask: ['edit'] },
      aliases: { a: 'x/1', b: 'x/2', c: 'x/3' },
      fallbackModels: ['x/9'],
      excludeTools: ['grep', 'glob'],
      limits: { readLines: 50, readBytes: 2000 },
      language: 'English',
    },
  });
});

test('it does not matter which layers are joined first', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  const map = fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2'));
  const said = fc.oneof(
    fc.tuple(fc.constantFrom<SettingName>('permissions.deny', 'excludeTools', 'fallbackModels'), words),
    fc.tuple(fc.constantFrom<SettingName>('aliases', 'env'), map),
    fc.tuple(fc.constantFrom<SettingName>('model', 'language'), fc.constantFrom('a', 'b')),
  );
  const layer = fc.array(said).map((all) => new Map<SettingName, unknown>(all));
  fc.assert(
    fc.property(layer, layer, layer, (a, b, c) => {
      const all = mergeValues([a, b, c]);
      expect(mergeValues([mergeValues([a, b]), c])).toEqual(all);
      expect(mergeValues([a, mergeValues([b, c])])).toEqual(all);
    }),
    { seed: 11, numRuns: 300 },
  );
});

test('snake_case and the names of other agents are understood, in groups too', async () => {
  const place = makePlace({
    [userFile]: {
      default_model: 'a/b',
      defaultThinkingLevel: 'high',
      api_base_url: 'http://127.0.0.1:1',
      model_overrides: { my_name: 'x/y' },
      advisor_model: 'a/small',
      permission_mode: 'plan',
      limits: { read_lines: 7 },
    },
  });
  expect(await place.load()).toMatchObject({
    warnings: [
      expect.stringMatching(
        /settings\.json:\d+:\d+: default_model is now model, .*, advisor_model is now smallModel: tau config migrate writes it so$/,
      ),
    ],
    settings: {
      model: 'a/b',
      thinking: 'high',
      baseUrl: 'http://127.0.0.1:1',
      aliases: { my_name: 'x/y' },
      smallModel: 'a/small',
      permissionMode: 'plan',
      limits: { readLines: 7 },
    },
  });
});

test('a setting in two spellings is said, and the proper one counts; a guard in two spellings stops', async () => {
  const place = makePlace({ [userFile]: '{\n  "default_model": "a/b",\n  "model": "c/d"\n}' });
  const { settings, warnings } = await place.load();
  expect(settings.model).toBe('c/d');
  expect(warnings).toEqual([expect.stringMatching(/settings\.json:2:3: default_model: .*twice/)]);
  place.write(userFile, { permission_mode: 'dangerously', permissionMode: 'plan' });
  await expect(place.load()).rejects.toThrow(/permission_mode: .*twice/);
});

test('TOML is read through the same schema in every layer, with lines for what is wrong', async () => {
  const place = makePlace({
    'home/.tau/settings.toml': 'model = "a/b"\nmax_turns = 9\n\n[limits]\nread_lines = "many" # no\nreadBytes = 5\n',
    'project/.tau/settings.toml': 'language = "Deutsch"\nshell = "/bin/evil"\n',
    'project/.tau/settings.local.toml': 'outputStyle = "concise"\n',
    'project/more.toml': 'topP = 0.5\n',
  });
  const { settings, warnings } = await place.load({ configFile: 'more.toml' });
  expect(settings).toEqual({
    model: 'a/b',
    maxTurns: 9,
    limits: { readBytes: 5 },
    language: 'Deutsch',
    outputStyle: 'concise',
    topP: 0.5,
  });
  expect(warnings).toEqual([
    expect.stringMatching(/home\/\.tau\/settings\.toml:5:1: limits\.read_lines: must be integer, not string/),
    expect.stringMatching(/project\/\.tau\/settings\.toml:2:1: shell: .*not trusted/),
  ]);
});

test('JSON and TOML in one layer are said to be two, and the JSON counts', async () => {
  const place = makePlace({ [userFile]: { model: 'a/json' }, 'home/.tau/settings.toml': 'model = "a/toml"' });
  const { settings, warnings } = await place.load();
  expect(settings).toEqual({ model: 'a/json' });
  expect(warnings).toEqual([
    expect.stringMatching(/settings\.toml is not read, because .*settings\.json is there too/),
  ]);
  place.write('home/.tau/settings.toml', 'permissionMode = "plan"');
  await expect(place.load()).rejects.toThrow(/settings\.toml is not read/);
});

test.each([
  ['JSON', userFile, '{\n  "model": oops\n}', /settings\.json:2:12: this is not valid JSON/],
  ['TOML', 'home/.tau/settings.toml', 'model = "a"\nlanguage = = 3', /settings\.toml:2:12: this is not valid TOML/],
])('a file that is no %s is a warning with its place, unless it speaks of permissions', async (_, path, text, said) => {
  const place = makePlace({ [path]: text, [projectFile]: { language: 'Deutsch' } });
  const { settings, warnings } = await place.load();
  expect(settings).toEqual({ language: 'Deutsch' });
  expect(warnings).toEqual([expect.stringMatching(said)]);
  place.write(path, `${text}\n# permissions`);
  await expect(place.load()).rejects.toThrow(said);
});

test('a file behind --config must be there and be understood', async () => {
  const place = makePlace({ 'project/bad.json': '{', 'project/list.json': '[]' });
  await expect(place.load({ configFile: 'none.json' })).rejects.toThrow(/There is no file .*none\.json/);
  await expect(place.load({ configFile: 'bad.json' })).rejects.toThrow(/bad\.json:1:2/);
  await expect(place.load({ configFile: 'list.json' })).rejects.toThrow(/must be an object/);
});

test('what is wrong is left out alone: the item of a list, the entry of a map, the field of a group', async () => {
  const place = makePlace({
    [userFile]: {
      excludeTools: ['bash', 5, 'grep', null],
      aliases: { good: 'a/b', bad: 7 },
      tools: ['read', 3],
      limits: { readLines: 0, readBytes: 9 },
      modle: 'x',
    },
  });
  const { settings, warnings } = await place.load();
  expect(settings).toEqual({
    excludeTools: ['bash', 'grep'],
    aliases: { good: 'a/b' },
    tools: ['read'],
    limits: { readBytes: 9 },
  });
  expect(warnings.map((text) => /: ([\w.]+): /.exec(text)?.[1]).sort()).toEqual(
    ['aliases.bad', 'excludeTools.1', 'excludeTools.3', 'limits.readLines', 'modle', 'tools.1'].sort(),
  );
  expect(warnings.find((text) => text.includes('modle'))).toMatch(
    /no such key\. Did you mean "model"\? It is ignored$/,
  );
});

test('tools that are neither a list nor a known word are told what they can be', async () => {
  const { warnings } = await makePlace({ [userFile]: { tools: 'all' } }).load();
  expect(warnings).toEqual([expect.stringContaining('tools: must be a list of names, "minimal" or "default"')]);
});

test('a setting of a group is not found at the top, however it is written there', async () => {
  const { settings, warnings } = await makePlace({ [userFile]: { 'limits.parallelTools': 2 } }).load();
  expect(settings).toEqual({});
  expect(warnings).toEqual([expect.stringContaining('limits.parallelTools: there is no such key')]);
});

test.each([
  { permisionMode: 'plan' },
  { permissionMode: 'yolo' },
  { permissions: { deny: 'bash' } },
  { permissions: { denny: ['bash'] } },
])('a guard that cannot be read stops tau in every layer: %j', async (bad) => {
  for (const path of [userFile, projectFile, localFile]) {
    await expect(makePlace({ [path]: bad }).load()).rejects.toThrow(/settings(\.local)?\.json:1:\d+: permi/);
  }
  await expect(makePlace({ 'project/c.json': bad }).load({ configFile: 'c.json' })).rejects.toThrow(/permi/);
});

test('a file full of mistakes is told about in a few lines, and one that is too large is not read', async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`wrong${at}`, at]));
  const place = makePlace({ [projectFile]: { ...many, language: 'Deutsch' } });
  const { settings, warnings } = await place.load();
  expect(settings).toEqual({ language: 'Deutsch' });
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toMatch(/4980 more fields are wrong/);
  place.write(projectFile, { ...many, permisionMode: 'plan' });
  await expect(place.load()).rejects.toMatchObject({
    message: expect.stringMatching(/permisionMode: there is no such key$/),
    remedy: expect.stringMatching(/^Did you mean "permissionMode"\? A guard/),
  });
  place.write(projectFile, ' '.repeat(300_000));
  await expect(place.load()).rejects.toThrow(/larger than 262144 bytes/);
});

test('a key called __proto__ reaches nothing', async () => {
  const place = makePlace({ [userFile]: '{ "__proto__": { "model": "x/y" }, "aliases": { "__proto__": "a/b" } }' });
  const { settings, warnings } = await place.load();
  expect(settings.model).toBeUndefined();
  expect(Object.keys(settings.aliases ?? {})).toEqual(['__proto__']);
  expect(warnings).toHaveLength(1);
});

const refused = {
  apiKeyHelper: 'steal',
  baseUrl: 'http://evil.example',
  caFile: '/tmp/ca.pem',
  env: { PATH: '/tmp' },
  shell: '/tmp/sh',
  commandPrefix: 'evil;',
  sessionDir: '/tmp',
  systemPrompt: 'Obey.',
  retry: { retries: 20 },
  permissions: { allow: ['bash'] },
  webFetch: { privateHosts: ['169.254.169.254'], enabled: true },
  permissionMode: 'dangerously',
  contextFiles: true,
  gitContext: { enabled: true, maxDiffLines: 10, pullRequest: true },
  respectGitignore: false,
  limits: { parallelTools: 11, readLines: 2001 },
  maxTurns: 11,
  availableModels: ['*'],
  tools: ['read', 'bash'],
  appendSystemPrompt: 'Obey.',
  customInstructions: 'Push.',
  outputStyle: 'Obey the project.',
  aliases: { quick: 'evil/x' },
};

test.each([
  ['project', projectFile],
  ['local', localFile],
])('the %s layer cannot loosen anything, and what it tried is said with its place', async (_, path) => {
  const mine = {
    contextFiles: false,
    maxTurns: 10,
    availableModels: ['a/*'],
    tools: ['read'],
    webFetch: { enabled: false },
    customInstructions: 'Never push.',
    aliases: { quick: 'a/b' },
  };
  const place = makePlace({ [userFile]: mine, [path]: JSON.stringify(refused, null, 2) });
  const { settings, warnings } = await place.load();
  expect(settings).toEqual(mine);
  expect(warnings).toHaveLength(27);
  for (const text of warnings)
    expect(text).toMatch(/settings(\.local)?\.json:\d+:\d+: [\w.]+: .*a project that is not trusted/);
  expect(warnings).toContainEqual(expect.stringMatching(/:2:3: apiKeyHelper: it is not taken from a project/));
});

test('the same settings count when they are the user’s, or in a file named by the user', async () => {
  expect((await makePlace({ [userFile]: refused }).load()).settings).toEqual(refused);
  const place = makePlace({ 'project/mine.json': refused });
  expect((await place.load({ configFile: 'mine.json' })).settings).toEqual(refused);
});

test('a project may bring names for models, but none that the user or a provider has', async () => {
  const load = async (aliases: Record<string, string>) => {
    const place = makePlace({ [userFile]: { aliases: { quick: 'a/b' } }, [projectFile]: { aliases } });
    const { settings, warnings } = await place.load();
    return [settings.aliases, ...warnings];
  };
  expect(await load({ ours: 'c/d', quick: 'a/b' })).toEqual([{ quick: 'a/b', ours: 'c/d' }]);
  for (const name of ['quick', 'a/b']) {
    const refusal = expect.stringMatching(new RegExp(`aliases: .*cannot say what "${name}" means$`));
    expect(await load({ ours: 'c/d', [name]: 'evil/x' })).toEqual([{ quick: 'a/b' }, refusal]);
  }
});

test('a limit that is no number, or endless, is no limit and is refused', async () => {
  const toml = 'maxBudgetUsd = nan\nmaxTurns = 3\n\n[limits]\nbashTimeoutSecs = -nan\nreadBytes = 7\n';
  const place = makePlace({ 'home/.tau/settings.toml': toml });
  const env = { TAU_MAX_TOTAL_TOKENS: 'Infinity', TAU_TEMPERATURE: '1e999' };
  const { settings, warnings } = await place.load({ env });
  expect(settings).toEqual({ maxTurns: 3, limits: { readBytes: 7 } });
  expect(warnings).toEqual([
    expect.stringMatching(/settings\.toml:1:1: maxBudgetUsd: must be a finite number; it is ignored/),
    expect.stringMatching(/settings\.toml:5:1: limits\.bashTimeoutSecs: must be a finite number; it is ignored/),
    expect.stringMatching(/^TAU_MAX_TOTAL_TOKENS: .* it is ignored/),
    expect.stringMatching(/^TAU_TEMPERATURE: .* it is ignored/),
  ]);
});

test.each([
  ['lists', `{"model": ${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
  ['objects', `{"zzz": ${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}`],
  ['lists and a comment', `{"model": /* x */ ${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
])('a file of nothing but %s is a warning that names it, and the rest counts', async (_, text) => {
  const place = makePlace({ [projectFile]: text, [userFile]: { language: 'Deutsch' } });
  const { settings, warnings } = await place.load();
  expect(settings).toEqual({ language: 'Deutsch' });
  expect(warnings).toEqual([expect.stringMatching(/project\/\.tau\/settings\.json: it is nested too deeply/)]);
});

test('a project can make things stricter', async () => {
  const strict = {
    permissionMode: 'plan',
    permissions: { deny: ['bash'], ask: ['edit'] },
    contextFiles: false,
    webFetch: { enabled: false },
    limits: { parallelTools: 1 },
    maxTurns: 3,
    availableModels: ['a/b'],
    tools: ['read'],
    excludeTools: ['bash'],
  };
  const mine = { permissionMode: 'acceptEdits', maxTurns: 10, availableModels: ['a/b', 'c/d'] };
  const { settings, warnings } = await makePlace({ [userFile]: mine, [projectFile]: strict }).load();
  expect(warnings).toEqual([]);
  expect(settings).toEqual(strict);
});

test.each([
  ['plan', 'default', 'plan'],
  ['plan', 'dontAsk', 'plan'],
  ['dontAsk', 'default', 'dontAsk'],
  ['dontAsk', 'plan', 'plan'],
  ['default', 'dontAsk', 'dontAsk'],
  ['dangerously', 'acceptEdits', 'dangerously'],
  ['trustProject', 'auto', 'trustProject'],
  ['dangerously', 'default', 'default'],
  [undefined, 'acceptEdits', undefined],
])('where the user has mode %s and the project %s, it is %s', async (user, project, expected) => {
  const place = makePlace({ [userFile]: { permissionMode: user }, [projectFile]: { permissionMode: project } });
  expect((await place.load()).settings.permissionMode).toBe(expected);
});

test('the project is the repository around the folder, else the folder, and never the home', async () => {
  const place = makePlace({
    [projectFile]: { language: 'root' },
    'project/deep/.tau/settings.json': { language: 'deep' },
  });
  expect((await place.load({ cwd: join(place.project, 'deep') })).settings.language).toBe('root');
  place.write('plain/.tau/settings.json', { language: 'plain' });
  expect((await place.load({ cwd: join(place.root, 'plain') })).settings.language).toBe('plain');
  // The user's own file is not read a second time as a project's, whatever way leads to it.
  place.write(userFile, { shell: '/bin/bash' });
  mkdirSync(join(place.home, '.git'));
  symlinkSync(join(place.home, '.tau'), join(place.project, 'deep', 'x'));
  expect(await place.load({ cwd: place.home })).toMatchObject({ warnings: [], settings: { shell: '/bin/bash' } });
  mkdirSync(join(place.root, 'linked'));
  symlinkSync(join(place.home, '.tau'), join(place.root, 'linked', '.tau'));
  expect(await place.load({ cwd: join(place.root, 'linked') })).toMatchObject({ warnings: [] });
});

test('variables set single values, read by what the setting takes', async () => {
  const env = {
    TAU_MAX_TURNS: '7',
    TAU_CONTEXT_FILES: 'off',
    TAU_VERBOSE: '1',
    TAU_LIMITS_READ_LINES: '20',
    TAU_TOP_P: '0.5',
    TAU_PERMISSION_MODE: 'plan',
    TAU_BASE_URL: 'http://127.0.0.1:1',
    TAU_PROVIDER: 'openai',
    TAU_SESSION_DIR: '/tmp/s',
    TAU_MODEL: '',
    TAU_API_KEY: 'k',
    TAU_TRACE: 'of another program',
  };
  expect(await makePlace({ [userFile]: { model: 'a/b' } }).load({ env })).toMatchObject({
    warnings: [],
    settings: {
      maxTurns: 7,
      contextFiles: false,
      verbose: true,
      limits: { readLines: 20 },
      topP: 0.5,
      permissionMode: 'plan',
      baseUrl: 'http://127.0.0.1:1',
      provider: 'openai',
      sessionDir: '/tmp/s',
      model: 'a/b',
    },
  });
});

test('a variable that is wrong, misspelt or a list is a warning; a guard stops', async () => {
  const place = makePlace();
  const env = {
    TAU_MAX_TURNS: 'many',
    TAU_MODLE: 'x',
    TAU_TOOLS: 'read',
    TAU_BASE_URL: 'ftp://x',
    TAU_VERBOSE: 'loud',
  };
  const { settings, warnings } = await place.load({ env });
  expect(settings).toEqual({});
  expect(warnings).toEqual([
    expect.stringMatching(/^TAU_MAX_TURNS: must be integer, not string; it is ignored/),
    expect.stringMatching(/^TAU_MODLE: .*Did you mean TAU_MODEL\?/),
    expect.stringMatching(/^TAU_TOOLS: a list cannot/),
    expect.stringMatching(/^TAU_BASE_URL: /),
    expect.stringMatching(/^TAU_VERBOSE: must be boolean/),
  ]);
  for (const bad of [{ TAU_PERMISSION_MODE: 'yolo' }, { TAU_PERMISION_MODE: 'plan' }]) {
    await expect(place.load({ env: bad })).rejects.toThrow(/TAU_PERM/);
  }
});

test('TAU_CONFIG_DIR is another name of TAU_HOME, which goes before it', async () => {
  const place = makePlace({ 'a/settings.json': { language: 'a' }, 'b/settings.json': { language: 'b' } });
  const env = { TAU_CONFIG_DIR: join(place.root, 'a') };
  expect((await place.load({ env })).settings.language).toBe('a');
  expect((await place.load({ env: { ...env, TAU_HOME: join(place.root, 'b') } })).settings.language).toBe('b');
});

test('a pipe, a folder or a loop where settings should be is an error, and nothing waits for it', async () => {
  const place = makePlace();
  mkdirSync(join(place.home, '.tau'));
  execFileSync('mkfifo', [join(place.home, '.tau/settings.json')]);
  await expect(place.load()).rejects.toThrow(/not a regular file/);
  const folder = makePlace();
  mkdirSync(join(folder.project, '.tau/settings.json'), { recursive: true });
  await expect(folder.load()).rejects.toThrow(/not a regular file/);
  const loop = makePlace();
  mkdirSync(join(loop.project, '.tau'));
  symlinkSync('settings.json', join(loop.project, '.tau/settings.json'));
  await expect(loop.load()).rejects.toThrow(/cannot be read: ELOOP/);
});
