/** Protected paths that do not exist: they cannot be made, and no trace of that is left. */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { clearScript, openLedger } from '../src/sandbox/bubblewrap/ledger.ts';
import { locked } from '../src/sandbox/bubblewrap/lock.ts';
import { type Asked, bundleRunner, makePlace, type Place, runContained, succeeded, tryAll } from './contained.ts';

let runner: Awaited<ReturnType<typeof bundleRunner>>;
let place: Place;
let ledgers: string;
beforeAll(async () => {
  runner = await bundleRunner();
});
afterAll(() => runner.dispose());
beforeEach(() => {
  place = makePlace();
  ledgers = mkdtempSync(join(tmpdir(), 'tau-ledger-'));
});
afterEach(() => {
  place.dispose();
  rmSync(ledgers, { recursive: true, force: true });
});

describe.each(['own', 'ordinary'] as const)('as %s user', (user) => {
  const run = (asked: readonly (string | Asked)[]) => runContained(runner.path, asked, { place, user });

  test('what is protected and not there cannot be made in any way, and git sees no difference', async () => {
    const { project, outside } = place;
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'safe.directory=*', ...args], {
        cwd: project,
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      });
    git('init', '-q');
    mkdirSync(join(project, 'sub'));
    writeFileSync(join(project, 'file'), 'x');
    const before = git('status', '--porcelain', '--ignored');
    const names = ['.tau', '.vscode', '.envrc', 'sub/.git', '.github/copilot/x', '.git/commondir'];
    const policy = { witness: true, readOnly: names.map((name) => join(project, name)) };
    const attacks = [
      'mkdir -p .tau/deep',
      'echo {} > .tau/settings.json',
      'rmdir .tau',
      'mv .tau .other',
      'mkdir evil; mv -T evil .tau',
      'git clone -q . .tau',
      'mkdir -p sub/.git/hooks',
      'git init -q sub',
      'mkdir .vscode',
      'cd sub && mkdir ../.vscode/',
      'ln -s /tmp .vscode',
      'mkdir evil2; mv -T evil2 .vscode',
      'mkdir -p .github/copilot',
      'echo evil > .envrc',
      'echo evil >> ./sub/../.envrc',
      'ln -s .envrc dangling; echo evil > dangling',
      'echo evil > other; mv other .envrc',
      'echo evil > other; ln other .envrc',
      'echo evil > other; cp other .envrc',
      'mkfifo .envrc',
      'echo evil > .git/commondir',
      'perl -e \'open(my $f, ">", ".envrc") or exit 1\'',
    ];
    const [tried, seen, fine] = await run([
      { command: tryAll(attacks), policy },
      {
        command: 'rm -rf other evil evil2 dangling; git -c safe.directory="*" status --porcelain --ignored; ls -A',
        policy,
      },
      { command: 'rm -f .envrc; [ -e .envrc ] || echo fine > beside; cat beside; rm beside', policy },
    ]);
    expect(succeeded(attacks, tried)).toEqual([]);
    expect(tried?.violations).toContainEqual({ what: 'write', path: join(project, '.envrc') });
    expect(tried?.violations.filter((one) => 'happened' in one)).toEqual([]);
    expect(seen?.output).toBe(`${before}.git\n.tau\nfile\nsub\n`);
    expect(fine).toMatchObject({ output: 'fine\n', violations: [] });
    expect(git('status', '--porcelain', '--ignored')).toBe(before);
    expect(readdirSync(project).sort()).toEqual(['.git', 'file', 'sub']);
    expect([readdirSync(join(project, 'sub')), readdirSync(outside)]).toEqual([[], []]);
  });

  test('without a witness such a file can be made; it is put aside when the command has ended, and that is told', async () => {
    const at = (name: string) => join(place.project, name);
    const policy = { readOnly: ['.envrc', '.vscode'].map(at) };
    const make = 'echo evil > .envrc; mkdir .vscode; echo evil > .vscode/tasks.json';
    const [first, second, calm, lasting] = await run([
      { command: make, policy },
      { command: 'echo worse > .envrc', policy },
      { command: 'cat .envrc.refused', policy },
      // In so long a time it may be the user who made it.
      { command: 'echo left > .envrc', policy, background: true },
    ]);
    const happened = { what: 'write', happened: true };
    expect(first?.violations).toEqual([
      { ...happened, path: at('.envrc'), aside: at('.envrc.refused') },
      { ...happened, path: at('.vscode'), aside: at('.vscode.refused') },
    ]);
    expect(second?.violations).toEqual([{ ...happened, path: at('.envrc'), aside: at('.envrc.refused-2') }]);
    expect(calm).toMatchObject({ output: 'evil\n', violations: [] });
    expect(lasting?.violations).toEqual([{ ...happened, path: at('.envrc') }]);
    const names = ['.envrc', '.envrc.refused', '.envrc.refused-2', '.vscode.refused'];
    expect(readdirSync(place.project).sort()).toEqual(names);
  });

  test('two taus at once, in one project and in two, get in nobody’s way', async () => {
    const other = makePlace();
    onTestFinished(() => other.dispose());
    const asked = [1, 2, 3, 4, 5, 6].map(() => ({
      command: 'mkdir .git/x .tau/x 2>/dev/null || rmdir .git .tau 2>/dev/null || echo kept',
      policy: {},
    }));
    const runIn = (at: Place) => {
      const readOnly = ['.git', '.tau'].map((name) => join(at.project, name));
      return runContained(
        runner.path,
        asked.map((one) => ({ ...one, policy: { readOnly } })),
        { place: at, user },
      );
    };
    const all = await Promise.all([runIn(place), runIn(place), runIn(other)]);
    expect(new Set(all.flat().map(({ output }) => output))).toEqual(new Set(['kept\n']));
    expect([readdirSync(place.project), readdirSync(other.project)]).toEqual([[], []]);
  });
});

/** The number of one that was there and is not any more. */
async function deadProcess(): Promise<number> {
  const dead = spawn('true');
  await new Promise((resolve) => dead.once('close', resolve));
  return dead.pid ?? 0;
}

const space = readlinkSync('/proc/self/ns/pid');
const heldBy = (pid: number, where = space) => `${pid} ${where}\n`;
const entryOf = (pid: number, name: string, where = space) => `${pid}.${where.match(/\d+/)}-${name}-1`;

test('several who need the same stub share it, and the last one removes it', async () => {
  const path = join(place.project, '.tau');
  const [one, other] = [openLedger(ledgers), openLedger(ledgers)];
  const [first, second] = await Promise.all([one.claim([path]), other.claim([path])]);
  const third = await one.claim([path]);
  expect([first, second, third].map(({ stubs }) => stubs)).toEqual([[path], [path], [path]]);
  await first.release();
  await third.release();
  await third.release();
  expect(existsSync(path)).toBe(true);
  await second.release();
  expect(existsSync(path)).toBe(false);
  // Its folder stays: another tau may have looked at it this very moment.
  expect(readdirSync(ledgers)).toEqual([]);
});

test('a stub in the stub of somebody else is no reason to leave either, whoever goes first', async () => {
  const [outer, inner] = [join(place.project, '.git'), join(place.project, '.git/hooks')];
  for (const isFirst of [true, false]) {
    const [one, other] = [openLedger(ledgers), openLedger(ledgers)];
    const [around, within] = [await one.claim([outer]), await other.claim([inner])];
    expect([around.stubs, within.stubs]).toEqual([[outer], [inner]]);
    await (isFirst ? around : within).release();
    expect([existsSync(outer), existsSync(inner)]).toEqual([true, isFirst]);
    await (isFirst ? within : around).release();
    expect(readdirSync(place.project)).toEqual([]);
  }
  const both = await openLedger(ledgers).claim([outer]);
  await (await openLedger(ledgers).claim([outer, inner])).release();
  await both.release();
  expect([readdirSync(place.project), readdirSync(ledgers)]).toEqual([[], []]);
});

test('stubs of the dead in one another are cleared too, in whatever order they were made, and none through a link', async () => {
  const dead = await deadProcess();
  const at = (name: string) => join(place.project, name);
  const scene = () => {
    mkdirSync(at('.git/hooks'), { recursive: true });
    mkdirSync(join(place.outside, '.ssh'), { recursive: true });
    rmSync(at('home'), { force: true });
    symlinkSync(place.outside, at('home'));
    writeFileSync(join(ledgers, `${entryOf(dead, 'x').slice(0, -1)}1`), `${at('.git')}\n`);
    writeFileSync(join(ledgers, `${entryOf(dead, 'x').slice(0, -1)}2`), `${at('.git/hooks')}\n${at('home/.ssh')}\n`);
  };
  const left = () => [readdirSync(place.project), readdirSync(place.outside), readdirSync(ledgers)];
  scene();
  execFileSync('/bin/sh', ['-c', clearScript, 'sh', ledgers, entryOf(dead, 'x').slice(0, -1)]);
  expect(left()).toEqual([['home'], ['.ssh'], []]);
  scene();
  await (await openLedger(ledgers).claim([at('.tau')])).release();
  expect(left()).toEqual([['home'], ['.ssh'], []]);
});

test('a folder of entries that vanishes is made again', async () => {
  const path = join(place.project, '.tau');
  const ledger = openLedger(ledgers);
  for (let round = 0; round < 3; round++) {
    rmSync(ledgers, { recursive: true });
    const claim = await ledger.claim([path]);
    expect(claim.stubs).toEqual([path]);
    await claim.release();
  }
});

test('a helper waits for the lock before it clears, and breaks that of the dead', async () => {
  const [stub, gone] = [join(place.project, 'stub'), await deadProcess()];
  mkdirSync(stub);
  writeFileSync(join(ledgers, entryOf(gone, 'x')), `${stub}\n`);
  writeFileSync(join(ledgers, 'lock'), heldBy(process.pid));
  const helper = spawn('/bin/sh', ['-c', clearScript, 'sh', ledgers, entryOf(gone, 'x').slice(0, -1)]);
  const ended = new Promise((resolve) => helper.once('close', resolve));
  onTestFinished(() => void helper.kill('SIGKILL'));
  // Long enough for it to have looked more than once; what it finds is the same whenever it looks.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(existsSync(stub)).toBe(true);
  writeFileSync(join(ledgers, 'lock'), heldBy(gone));
  await ended;
  expect(existsSync(stub)).toBe(false);
  expect(readdirSync(ledgers)).toEqual([]);
});

test('all who wait for the lock of a dead holder get it in the end', async () => {
  writeFileSync(join(ledgers, 'lock'), heldBy(await deadProcess()));
  const all = await Promise.all([1, 2, 3, 4, 5].map((number) => locked(ledgers, () => number)));
  expect(all).toEqual([1, 2, 3, 4, 5]);
  expect(readdirSync(ledgers)).toEqual([]);
});

test('no lock lasts for ever: of another container, with a number that somebody else has now, with none at all', async () => {
  const texts = [heldBy(1, 'pid:[1]'), heldBy(process.pid), ''];
  const folders = texts.map((text, at) => {
    const folder = join(ledgers, `${at}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'lock'), text);
    return folder;
  });
  expect(await Promise.all(folders.map((folder) => locked(folder, () => 'mine')))).toEqual(['mine', 'mine', 'mine']);
  const helpers = folders.map(async (folder, at) => {
    const stub = join(place.project, `stub-${at}`);
    mkdirSync(stub);
    writeFileSync(join(folder, 'lock'), texts[at] ?? '');
    writeFileSync(join(folder, entryOf(1, 'z')), `${stub}\n`);
    const helper = spawn('/bin/sh', ['-c', clearScript, 'sh', folder, entryOf(1, 'z').slice(0, -1)]);
    await new Promise((resolve) => helper.once('close', resolve));
    return readdirSync(folder);
  });
  expect(await Promise.all(helpers)).toEqual([[], [], []]);
  expect(readdirSync(place.project)).toEqual([]);
});

test('a stub that somebody in another container needs stays, and for a day only', async () => {
  const path = join(place.project, '.tau');
  mkdirSync(path);
  const entry = join(ledgers, entryOf(2 ** 22, 'x', 'pid:[1]'));
  writeFileSync(entry, `${path}\n`);
  await (await openLedger(ledgers).claim([path])).release();
  expect(existsSync(path)).toBe(true);
  utimesSync(entry, 1, 1);
  await (await openLedger(ledgers).claim([path])).release();
  expect(existsSync(path)).toBe(false);
});

test('what the user has, or makes meanwhile, is never removed', async () => {
  const at = (name: string) => join(place.project, name);
  mkdirSync(at('empty'));
  writeFileSync(at('file'), '');
  const { stubs, release } = await openLedger(ledgers).claim(['empty', 'file', 'stub', 'filled', 'no/such'].map(at));
  expect(stubs).toEqual([at('stub'), at('filled')]);
  writeFileSync(at('filled/mine'), '');
  await release();
  expect(readdirSync(place.project).sort()).toEqual(['empty', 'file', 'filled']);
  const again = await openLedger(ledgers).claim([at('filled')]);
  expect(again.stubs).toEqual([]);
  await again.release();
});

test('the stubs of a tau that is dead are cleared by the next one, and by its helper at once', async () => {
  const at = (name: string) => join(place.project, name);
  const dead = await deadProcess();
  for (const name of ['gone', 'shared']) mkdirSync(at(name));
  writeFileSync(join(ledgers, entryOf(dead, 'x')), `${at('gone')}\n${at('shared')}\n`);
  writeFileSync(join(ledgers, 'lock'), heldBy(dead));
  const live = await openLedger(ledgers).claim([at('shared')]);
  expect(live.stubs).toEqual([at('shared')]);
  expect(readdirSync(place.project)).toEqual(['shared']);
  mkdirSync(at('gone'));
  writeFileSync(join(ledgers, entryOf(dead, 'y')), `${at('gone')}\n${at('shared')}\n`);
  execFileSync('/bin/sh', ['-c', clearScript, 'sh', ledgers, entryOf(dead, 'y').slice(0, -1)]);
  expect(readdirSync(place.project)).toEqual(['shared']);
  await live.release();
  expect(readdirSync(place.project)).toEqual([]);
});

test('a lock that is held is waited for', async () => {
  const path = join(place.project, '.tau');
  mkdirSync(ledgers, { recursive: true });
  writeFileSync(join(ledgers, 'lock'), heldBy(process.pid));
  const timer = setTimeout(() => rmSync(join(ledgers, 'lock')), 30);
  onTestFinished(() => clearTimeout(timer));
  const claim = await openLedger(ledgers).claim([path]);
  expect(claim.stubs).toEqual([path]);
  await claim.release();
});

test('a list that somebody else could change is refused, and so is a name that it cannot hold', async () => {
  rmSync(ledgers, { recursive: true });
  mkdirSync(ledgers, { mode: 0o777 });
  execFileSync('chmod', ['777', ledgers]);
  const claim = (path: string) => openLedger(ledgers).claim([join(place.project, path)]);
  await expect(claim('.tau')).rejects.toThrow('belongs to somebody else');
  await expect(claim('a\nb')).rejects.toThrow('line break');
});
