/** What is shipped: the packed command, installed into an empty home without a registry, does its work there. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pdfOf } from '../../tools/test/documents.ts';
import { call, calls, converse, says } from './conversation.ts';
import { at, list, textAt } from './json.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-pack-')));
const home = join(root, 'home');
const prefix = join(root, 'prefix');
const run = promisify(execFile);
/** Nothing of the caller's, and nowhere to fetch anything from. */
const env = {
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: home,
  TMPDIR: root,
  npm_config_cache: join(root, 'cache'),
  npm_config_userconfig: join(root, 'npmrc'),
  npm_config_update_notifier: 'false',
};
let packed: unknown;

beforeAll(async () => {
  for (const folder of [home, prefix]) mkdirSync(folder);
  writeFileSync(join(root, 'npmrc'), '');
  const cli = join(import.meta.dirname, '..');
  const pack = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', root];
  const { stdout } = await run('npm', pack, { cwd: cli, env });
  packed = at(JSON.parse(stdout), 0);
  const install = [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--offline',
    '--omit=optional',
    '--no-audit',
    '--no-fund',
  ];
  await run('npm', [...install, join(root, textAt(packed, 'filename'))], { cwd: root, env });
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));

function tau(args: string[], cwd = home) {
  const started = run(join(prefix, 'bin/tau'), args, { cwd, env });
  started.child.stdin?.end();
  return started;
}

test('the package holds what a run needs and nothing else, and is small', () => {
  const paths = list(at(packed, 'files')).map((file) => textAt(file, 'path'));
  for (const needed of ['package.json', 'README.md', 'bin/tau.cjs', 'dist/start.cjs', 'dist/demo/recording.jsonl']) {
    expect(paths).toContain(needed);
  }
  for (const thread of ['photon_rs_bg.wasm', 'photon-worker.cjs', 'pdf-worker.cjs']) {
    expect(paths).toContain(`dist/${thread}`);
  }
  expect(paths).toContain('dist/THIRD_PARTY_LICENSES.txt');
  expect(paths).toContain('settings.schema.json');
  expect(paths.filter((path) => /\.map$|\.ts$|\btest\b|\bsrc\//.test(path))).toEqual([]);
  expect(Number(at(packed, 'unpackedSize'))).toBeLessThan(40e6);
  expect(sizeOf(prefix)).toBeLessThan(40e6);
});

test('the installed command says its version and shows its demo', async () => {
  expect((await tau(['--version'])).stdout).toBe(`${textAt(packed, 'version')}\n`);
  const { stdout } = await tau(['demo']);
  expect(stdout).toContain('median');
});

test('the installed command reads, searches, edits and runs, and keeps its session in the empty home', async () => {
  const { model } = await converse([
    calls(call('read', { path: 'a.txt' }), call('grep', { pattern: 'wor.d' }), call('glob', { pattern: '*.txt' })),
    calls(call('edit', { path: 'a.txt', old_string: 'world', new_string: 'tau' })),
    calls(call('bash', { command: 'cat a.txt' }), call('read', { path: 'a.pdf' })),
    says('done'),
  ]);
  const project = join(root, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'hello world\n');
  writeFileSync(join(project, 'a.pdf'), pdfOf(['words of a PDF']));
  const where = ['--model', 'anthropic/claude-sonnet-4-5', '--base-url', model.url, '--api-key', 'test-key'];
  const { stdout, stderr } = await tau(['-p', 'go', ...where, '--permission-mode', 'acceptEdits'], project);
  expect([stdout, stderr]).toEqual(['done\n', '']);
  expect(model.requests.at(-1)?.raw).toContain('hello tau');
  expect(model.requests.at(-1)?.raw).toContain('words of a PDF');
  expect(model.requests[1]?.raw).toContain('a.txt:1');
  expect(readdirSync(join(home, '.tau/sessions'))).toHaveLength(1);
});

function sizeOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
