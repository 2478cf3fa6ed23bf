/** What tau puts right and clears away after commands: links, what must not be there, its own folder. Nothing elsewhere. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { restoreLinks } from '../src/sandbox/bubblewrap/links.ts';
import { clearPlacesOf, putAside } from '../src/sandbox/bubblewrap/missing.ts';
import { type Asked, type Place, runContained, succeeded, tryAll, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});

const renameat2 = process.arch === 'arm64' ? 276 : 316;
const at = (name: string) => join(place.project, name);
const launch = { program: '/bin/true', args: [], env: {}, cwd: '/' };

function write(path: string, text = 'mine'): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What is in the folder beside the project, with its content. */
function outside(): Record<string, string> {
  const names = readdirSync(place.outside).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(place.outside, name), 'utf8')]));
}

describe.each(['own', 'ordinary'] as const)('as %s user', (user) => {
  const run = (asked: readonly (string | Asked)[]) => runContained(runner.path, asked, { place, user });

  test('what took the place of a protected link is kept aside, links in it and what they lead to too', async () => {
    write(at('tools/envrc'));
    symlinkSync('tools/envrc', at('.envrc'));
    write(join(place.outside, 'file'), 'untouched');
    const policy = { readOnly: [at('.envrc'), at('tools/envrc')] };
    const evil = `rm .envrc; mkdir -p .envrc/a; echo evil > .envrc/a/x; ln -s ${place.outside} .envrc/z; exit 7`;
    const [replaced, removed] = await run([
      { command: evil, policy },
      { command: 'rm .envrc', policy },
    ]);
    const path = at('.envrc');
    expect(replaced).toMatchObject({
      exitCode: 7,
      violations: [{ what: 'write', path, happened: true, aside: at('.envrc.refused') }],
    });
    expect(removed).toMatchObject({ exitCode: 0, violations: [{ what: 'write', path }] });
    expect([readlinkSync(path), readFileSync(path, 'utf8')]).toEqual(['tools/envrc', 'mine']);
    expect(readFileSync(at('.envrc.refused/a/x'), 'utf8')).toBe('evil\n');
    expect(readlinkSync(at('.envrc.refused/z'))).toBe(place.outside);
    expect(outside()).toEqual({ file: 'untouched' });
  });

  test('no folder above a protected link, or above what must not come to be, is exchanged for a link', async () => {
    write(at('dotfiles/nvim/init.lua'));
    mkdirSync(at('.config'));
    symlinkSync('../dotfiles/nvim', at('.config/nvim'));
    write(at('config/eu/test.json'));
    for (const name of ['nvim', 'fish', 'gh', 'prod.json']) write(join(place.outside, name), name);
    const before = outside();
    const readOnly = ['.config/nvim', 'dotfiles/nvim', '.config/fish', 'config/eu/prod.json'].map(at);
    const policy = { readOnly, unreadable: [at('.config/gh')] };
    const attacks = [
      `mv .config .c2 && ln -s ${place.outside} .config`,
      `mv config c2 && ln -s ${place.outside} config`,
      `mv config/eu config/e2 && ln -s ${place.outside} config/eu`,
      `mkdir c3 && ln -s ${place.outside} c3/eu && perl -e 'exit !(syscall(${renameat2}, -100, "c3", -100, "config", 2) == 0)'`,
      'rm -rf .config/* && rmdir .config',
    ];
    const [tried, fine] = await run([
      { command: tryAll(attacks), policy },
      { command: 'echo new > config/eu/test.json && echo x > .config/beside && cat config/eu/test.json', policy },
    ]);
    expect(succeeded(attacks, tried)).toEqual([]);
    expect(fine).toMatchObject({ output: 'new\n', violations: [] });
    expect(outside()).toEqual(before);
    expect(readlinkSync(at('.config/nvim'))).toBe('../dotfiles/nvim');
  });
});

describe.each(['own', 'ordinary'] as const)('the folder of a session, as %s user', (user) => {
  const deep = `perl -e 'for (1 .. 500) { mkdir "12345678"; chdir "12345678" }'`;
  const close = () =>
    `cd /tmp; mkdir -p x/y; echo 1 > x/y/z; ln -s ${place.outside} x/y/l; chmod 000 x/y x; touch "$(printf 'a\\377')"; ${deep}`;

  test.each(['ends', 'is killed'])('is gone when the session %s, whatever is closed in it', async (end) => {
    const temp = join(place.root, 'tmp');
    mkdirSync(temp);
    write(join(place.outside, 'file'), 'untouched');
    chmodSync(join(place.outside, 'file'), 0o444);
    const killed = end === 'is killed';
    const asked = [close(), 'ls /tmp', ...(killed ? [{ command: 'kill -9 $PPID', bare: true }] : [])];
    const answers = runContained(runner.path, asked, { place, user, temp });
    if (killed) await expect(answers).rejects.toThrow('the runner ended with null');
    else expect((await answers)[1]?.output).toMatch(/12345678\n.*\nx\n/);
    await expect.poll(() => readdirSync(temp)).toEqual([]);
    expect(outside()).toEqual({ file: 'untouched' });
    expect(statSync(join(place.outside, 'file')).mode & 0o777).toBe(0o444);
  });
});

test('where a folder leads elsewhere all the same, nothing is done there; it is told', () => {
  for (const name of ['nvim', 'fish']) write(join(place.outside, name), name);
  writeFileSync(join(place.outside, 'dev.sock'), '');
  const before = outside();
  symlinkSync(place.outside, at('.config'));
  expect(restoreLinks(new Map([[at('.config/nvim'), '../dotfiles/nvim']]))).toEqual([
    { what: 'write', path: at('.config/nvim'), happened: true },
  ]);
  expect(putAside([at('.config/fish'), at('.config/none')], launch)).toEqual([
    { what: 'write', path: at('.config/fish'), happened: true },
  ]);
  clearPlacesOf([at('.config/dev.sock')]);
  expect(outside()).toEqual(before);
  rmSync(at('.config'));
  writeFileSync(at('.config'), 'a file');
  for (const path of [at('.config/nvim'), at('no/such')])
    expect(restoreLinks(new Map([[path, 'x']]))).toEqual([{ what: 'write', path, happened: true }]);
  rmSync(at('.config'));
  mkdirSync(at('.config'));
  writeFileSync(at('.config/dev.sock'), '');
  clearPlacesOf([at('.config/dev.sock')]);
  expect(readdirSync(at('.config'))).toEqual([]);
});
