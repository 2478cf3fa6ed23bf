/** Links that a command puts where the sandbox of the next one is made lead nowhere. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testBubblewrap } from '../src/sandbox/bubblewrap/self-test.ts';
import { openSandbox } from '../src/sandbox/open.ts';
import { type Asked, type Place, runContained, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});
let shared: string;
beforeEach(() => {
  shared = realpathSync(mkdtempSync('/tmp/tau-shared-'));
  chmodSync(shared, 0o755);
});
afterEach(() => {
  rmSync(shared, { recursive: true, force: true });
});

describe.each(['own', 'ordinary'] as const)('as %s user', (user) => {
  const run = (asked: readonly (string | Asked)[], options: Partial<Parameters<typeof runContained>[2]> = {}) =>
    runContained(runner.path, asked, { place, user, policy: { witness: true }, ...options });

  test('a file of the machine’s temporary folder is shown at no place that a link leads to', async () => {
    mkdirSync(join(shared, 'd'));
    writeFileSync(join(shared, 'd/.made'), 'shown');
    const file = join(shared, 'd/.made');
    const [seen, folder, name] = await run([
      { command: `cat ${file}`, policy: { shown: [file] } },
      `rm -rf ${shared}/d; ln -s /oldroot${place.outside} ${shared}/d; ls -l ${shared}`,
      { command: `cat ${file}; echo on`, policy: { shown: [file] } },
      `rm ${shared}/d; mkdir ${shared}/d; ln -s /oldroot${place.outside}/.made ${file}`,
      { command: `cat ${file}; echo on`, policy: { shown: [file] } },
    ]).then(([first, , third, , fifth]) => [first, third, fifth]);
    expect(seen?.output).toBe('shown');
    expect(folder?.output).toMatch(/on\n$/);
    expect(name?.output).toMatch(/on\n$/);
    expect(readdirSync(place.outside)).toEqual([]);
  });

  test('the folders above a project in the temporary folder are not the command’s own', async () => {
    const inTemp: Place = { ...place, root: shared, project: join(shared, 'x/project') };
    mkdirSync(inTemp.project, { recursive: true });
    const readOnly = ['.envrc', '.npmrc'].map((name) => join(inTemp.project, name));
    const attack = `mv ${shared}/x ${shared}/y && cd ${shared}/y/project; mv ${shared} /tmp/z; echo evil > .envrc; echo x > ordinary`;
    const [tried] = await run([{ command: attack, background: true, policy: { readOnly } }], {
      place: inTemp,
      env: { HOME: place.root },
    });
    expect(tried?.output).toMatch(/busy/);
    expect(existsSync(join(inTemp.project, '.envrc'))).toBe(false);
    expect(existsSync(join(inTemp.project, 'ordinary'))).toBe(true);
  });

  test('the folder behind the links of a cache cannot be exchanged', async () => {
    const { root, project } = place;
    mkdirSync(join(root, '.cargo/registry/cache/i'), { recursive: true });
    writeFileSync(join(project, 'Cargo.toml'), '[package]\n');
    const [moved, after] = await run([
      `cd ${root}/.cargo; mv .outside o2 && ln -s /oldroot${place.outside} .outside; ls -A`,
      `ls -A ${root}/.cargo`,
    ]);
    expect(moved?.output).toMatch(/busy[\s\S]*\.outside/);
    expect(after?.output).toContain('.outside');
    expect(readdirSync(place.outside)).toEqual([]);
  });
});

test.each(['kept', 'open'] as const)(
  'where bubblewrap was led elsewhere than tau had looked, the command does not run (%s)',
  async (what) => {
    const { project, outside } = place;
    const env = { PATH: process.env.PATH };
    const found = await testBubblewrap(env, '/nowhere');
    if (!found.works) throw new Error(found.reason);
    writeFileSync(join(outside, 'key'), 'a key');
    mkdirSync(join(project, 'sub'));
    const sandbox = openSandbox(found.facts, { env });
    const sub = join(project, 'sub');
    const policy = what === 'kept' ? { writable: [project], readOnly: [sub] } : { writable: [sub], readOnly: [] };
    const launch = { program: '/bin/bash', args: ['-c', 'cat sub/key; echo x > sub/x; echo ran'], env, cwd: project };
    const wrapped = await sandbox.wrap(launch, { ...policy, unreadable: [], network: 'none', witness: true });
    // As it would be if a link to it lay there when bubblewrap looked, and the folder again when it mounted.
    const args = wrapped.args.map((arg, at, all) => (arg === sub && all[at + 1] === sub ? outside : arg));
    expect(args).not.toEqual(wrapped.args);
    const child = spawn(wrapped.program, args, {
      cwd: project,
      env: wrapped.env,
      stdio: ['ignore', 'pipe', 'pipe', ...wrapped.descriptors],
    });
    wrapped.started(child.stdio.slice(3).map((pipe) => (pipe && 'read' in pipe ? pipe : undefined)));
    let output = '';
    for (const pipe of [child.stdout, child.stderr]) pipe?.on('data', (chunk) => (output += chunk));
    await once(child, 'close');
    await wrapped.release();
    await sandbox.close();
    expect(output).toContain(`something else was put at ${sub}`);
    expect(output).not.toMatch(/a key|ran$/m);
    expect(child.exitCode).toBe(126);
    expect(readdirSync(outside)).toEqual(['key']);
  },
);
