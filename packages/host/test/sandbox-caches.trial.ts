/** What tools have fetched before is used inside, what they fetch is kept for the session, and the user's own stays as it is. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { plantFarm } from '../src/sandbox/bubblewrap/link-farm.ts';
import { type Asked, type Place, runContained, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});

/** Below home. */
function write(files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(place.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Each file below home, with what is in it. */
function filesIn(folder: string): Record<string, string> {
  const found = readdirSync(join(place.root, folder), { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(path, 'latin1')]));
}

const run = (asked: readonly (string | Asked)[], env: NodeJS.ProcessEnv = {}) =>
  runContained(runner.path, asked, { place, user: 'ordinary', policy: { witness: true }, env });

const index = 'index.crates.io-0';

/** As cargo leaves it. */
function writeCargo(): void {
  write({
    '.cargo/config.toml': '[net]\n',
    '.cargo/credentials.toml': 'token = "secret"\n',
    '.cargo/bin/cargo-x': '#!/bin/sh\necho x\n',
    [`.cargo/registry/index/${index}/config.json`]: '{}',
    [`.cargo/registry/index/${index}/.cache/3/a/aaa`]: 'old\n',
    [`.cargo/registry/cache/${index}/aaa-1.0.0.crate`]: 'packed a\n',
    [`.cargo/registry/src/${index}/aaa-1.0.0/.cargo-ok`]: 'unpacked a\n',
    '.cargo/git/db/dep-0/HEAD': 'ref: refs/heads/main\n',
    '.cargo/git/db/dep-0/objects/ab/cdef': 'object\n',
    '.cargo/git/checkouts/dep-0/1234567/.cargo-ok': 'checked out\n',
  });
}

/** As cargo does: a download, an unpacked crate, the update of an index, a fetch, a lock. */
const fetches = `cd ~/.cargo && echo packed b > registry/cache/${index}/bbb-1.0.0.crate && mkdir registry/src/${index}/bbb-1.0.0 &&
  echo new > registry/index/${index}/.cache/3/a/aaa && mkdir git/checkouts/dep-0/7654321 && touch git/db/dep-0/FETCH_HEAD .package-cache`;

test("what cargo has fetched is read, what it fetches comes beside it, and the user's folder is not written", async () => {
  writeCargo();
  write({ 'project/Cargo.toml': '' });
  const before = filesIn('.cargo');
  const reads = [
    `cd ~/.cargo && cat config.toml registry/cache/${index}/aaa* registry/cache/${index}/bbb* registry/index/${index}/.cache/3/a/aaa`,
    `cat registry/src/${index}/aaa-1.0.0/.cargo-ok "$(cat git/db/dep-0/objects/info/alternates)/ab/cdef"`,
    'cat git/checkouts/dep-0/1234567/.cargo-ok && ls git/checkouts/dep-0 && sh bin/cargo-x',
  ];
  const [first, second] = await run([fetches, reads.join(' && ')]);
  expect(first).toMatchObject({ exitCode: 0, output: '', violations: [] });
  const shown = [
    '[net]',
    'packed a',
    'packed b',
    'new',
    'unpacked a',
    'object',
    'checked out',
    '1234567',
    '7654321',
    'x',
  ];
  expect(second).toMatchObject({ exitCode: 0, output: `${shown.join('\n')}\n`, violations: [] });
  expect(filesIn('.cargo')).toEqual(before);
});

test("cargo's credentials are not there, and its programs cannot be changed", async () => {
  writeCargo();
  const credentials = join(place.root, '.cargo/credentials.toml');
  const [, hidden, rest] = await run([
    'cargo --version; true',
    { command: 'cat ~/.cargo/credentials.toml', policy: { unreadable: [credentials] } },
    'grep -r secret ~/.cargo; touch ~/.cargo/bin/cargo-y ~/.cargo/.outside/registry/x',
  ]);
  expect(hidden).toMatchObject({ exitCode: 0, output: '' });
  expect(rest?.output).not.toContain('secret');
  expect(rest?.violations).toEqual(
    ['bin/cargo-y', '.outside/registry/x'].map((name) => ({ what: 'write', path: join(place.root, '.cargo', name) })),
  );
});

test('what the user fetches meanwhile is there for the next command, and what is hidden stays so', async () => {
  writeCargo();
  write({ 'project/Cargo.toml': '' });
  const list = `ls ~/.cargo/registry/cache/${index} ~/.cargo/registry/src/${index} 2>/dev/null | grep -v :`;
  const [, , after, without] = await run([
    list,
    { command: `echo packed c > ~/.cargo/registry/cache/${index}/ccc-1.0.0.crate`, bare: true },
    list,
    {
      command: 'grep -r . ~/.cargo',
      policy: { unreadable: [join(place.root, '.cargo/registry/cache')] },
    },
  ]);
  expect(after?.output).toBe('aaa-1.0.0.crate\nccc-1.0.0.crate\n\naaa-1.0.0\n');
  expect(without?.output).toMatch(/checked out/);
  expect(without?.output).not.toMatch(/packed c/);
});

test('where nothing says that cargo is used its folder is as it was, and a write is refused and told', async () => {
  writeCargo();
  const [answer] = await run([`cat ~/.carg[o]/registry/cache/${index}/aaa*; cd ~/.carg[o] && touch new`]);
  expect(answer?.output).toMatch(/^packed a\ntouch: .*Read-only/);
  expect(answer?.violations).toEqual([{ what: 'write', path: join(place.root, '.cargo/new') }]);
});

test('what is too much is left out, folder by folder', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `f${index}`);
  write(
    Object.fromEntries(
      names.flatMap((name) => [
        [`from/a/${name}`, ''],
        [`from/b/c/${name}`, ''],
      ]),
    ),
  );
  const [from, to] = [join(place.root, 'from'), join(place.root, 'to')];
  const farm = { from, seenAt: '/seen', to, linked: { a: 0, b: 1 }, copied: [], files: [], isHidden: () => false };
  await plantFarm(farm, 30);
  expect(readlinkSync(join(to, 'a/f3'))).toBe('/seen/a/f3');
  expect(readdirSync(join(to, 'a'))).toHaveLength(25);
  expect(readdirSync(join(to, 'b'))).toEqual([]);
});

test("a warm cache of npm's installs without a network, new things come beside it, and npm has no complaints", async () => {
  const manifest = (name: string) => JSON.stringify({ name, version: '1.0.0' });
  write({
    'outside/dep/package.json': manifest('dep'),
    'outside/new/package.json': manifest('new'),
    'project/package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { dep: '1.0.0' } }),
  });
  const lock = `const { integrity } = JSON.parse(require("fs").readFileSync(0, "utf8"))[0];
    const dep = { version: "1.0.0", resolved: "https://registry.npmjs.org/dep/-/dep-1.0.0.tgz", integrity };
    const app = { name: "app", version: "1.0.0", dependencies: { dep: "1.0.0" } };
    require("fs").writeFileSync("package-lock.json", JSON.stringify({ ...app, lockfileVersion: 3, packages: { "": app, "node_modules/dep": dep } }));`;
  const quiet = { npm_config_update_notifier: 'false', npm_config_audit: 'false' };
  const [warmed, before, installed, added, after] = await run(
    [
      { command: `npm pack --json ../outside/dep | node -e '${lock}' && npm cache add ./dep-1.0.0.tgz`, bare: true },
      { command: 'find ~/.npm/_cacache -type f | sort | xargs cksum', bare: true },
      'npm ci --offline 2>&1 && node -p \'require("dep/package.json").name\'',
      'npm pack --silent ../outside/new && npm cache add ./new-1.0.0.tgz 2>&1 && npm cache ls',
      { command: 'find ~/.npm/_cacache -type f | sort | xargs cksum', bare: true },
    ],
    quiet,
  );
  expect(warmed).toMatchObject({ exitCode: 0 });
  expect(installed?.output).toMatch(/added 1 package[\s\S]*\ndep\n$/);
  expect(installed?.output).not.toMatch(/warn/i);
  expect(added?.output).toMatch(/dep-1\.0\.0\.tgz[\s\S]*new-1\.0\.0\.tgz|new-1\.0\.0\.tgz[\s\S]*dep-1\.0\.0\.tgz/);
  expect([installed, added].flatMap((answer) => answer?.violations)).toEqual([]);
  expect(before?.output).not.toBe('');
  expect(after?.output).toBe(before?.output);
});

test('wheels that pip has built are read, and new ones come beside them', async () => {
  write({ '.cache/pip/wheels/aa/bb/cc/dd/old.whl': 'old\n', 'project/requirements.txt': '' });
  const [answer] = await run([
    'cd "$PIP_CACHE_DIR/wheels/aa/bb" && echo new > cc/dd/new.whl && mkdir ee && cat cc/dd/old.whl cc/dd/new.whl',
  ]);
  expect(answer).toMatchObject({ exitCode: 0, output: 'old\nnew\n', violations: [] });
  expect(readdirSync(join(place.root, '.cache/pip/wheels/aa/bb/cc/dd'))).toEqual(['old.whl']);
});

test("the store of pnpm's is named where pnpm is used", async () => {
  const says = 'echo "$npm_config_store_dir $pnpm_config_store_dir"';
  const [plain, said, marked] = await run([says, `${says} # pnpm`, `touch pnpm-lock.yaml; ${says}`, says]).then(
    ([one, two, , four]) => [one, two, four],
  );
  expect(plain?.output).toBe(' /tmp/tau-cache/pnpm\n');
  for (const answer of [said, marked]) expect(answer?.output).toBe('/tmp/tau-cache/pnpm /tmp/tau-cache/pnpm\n');
});

test('python compiles what it finds in read-only places to the cache of the session', async () => {
  write({
    'outside/library.py': 'def double(x):\n    return 2 * x\n',
    'project/test_small.py':
      'import unittest, library\nclass Small(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(library.double(2), 4)\n',
  });
  const env = { PYTHONPATH: place.outside };
  const [answer, again] = await run(
    ['/usr/bin/python3 -m unittest 2>&1', 'find /tmp/tau-cache/python -name "library*.pyc" | wc -l; ls'],
    env,
  );
  expect(answer?.output).toMatch(/Ran 1 test[\s\S]*OK/);
  expect(answer?.violations).toEqual([]);
  expect(again?.output).toBe('1\ntest_small.py\n');
  const [never] = await run(['echo "[$PYTHONPYCACHEPREFIX]"'], { ...env, PYTHONDONTWRITEBYTECODE: '1' });
  expect(never?.output).toBe('[]\n');
});

test('rust without a folder of its own makes one in the session', async () => {
  const [answer] = await run(['mkdir -p "$CARGO_HOME" "$RUSTUP_HOME" && echo $CARGO_HOME $RUSTUP_HOME']);
  expect(answer).toMatchObject({ output: '/tmp/tau-cache/cargo /tmp/tau-cache/rustup\n', violations: [] });
});
