/** What the sandbox itself tells of a command that failed: hidden files it opened, system calls it made. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { refusedNumber } from '../src/sandbox/bubblewrap/seccomp.ts';
import { type Asked, type Place, runContained, succeeded, tryAll, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});
beforeEach(() => {
  const { root, project } = place;
  for (const folder of ['.ssh', '.aws/sso/cache']) mkdirSync(join(root, folder), { recursive: true });
  for (const [name, text] of Object.entries({
    '.ssh/id_rsa': 'a key',
    '.ssh/config': 'Host x',
    '.netrc': 'a password',
  }))
    writeFileSync(join(root, name), text);
  writeFileSync(join(root, '.aws/sso/cache/token.json'), 'a token');
  writeFileSync(join(project, '.env'), 'PASSWORD=x');
});

const syscall = (name: Parameters<typeof refusedNumber>[0], args: string) =>
  `perl -e 'exit(syscall(${refusedNumber(name, process.arch)}, ${args}) < 0)'`;

describe.each(['own', 'ordinary'] as const)('as %s user', (user) => {
  const run = (asked: readonly (string | Asked)[]) => {
    const { root, project } = place;
    const unreadable = ['.ssh', '.aws', '.netrc', '.kube'].map((name) => join(root, name));
    const policy = { witness: true, unreadable: [...unreadable, join(project, '.env')] };
    return runContained(runner.path, asked, { place, user, policy });
  };

  test('hidden files that a program opened by itself are told when it failed, by their paths, and only then', async () => {
    const { root, project } = place;
    const open = (path: string) => `python3 -c 'print(repr(open("${path}").read()))'`;
    const [keys, nested, own, well, none, other] = await run([
      `${open(`${root}/.ssh/id_rsa`)}; exit 3`,
      `cd ${root}; ${open('.aws/sso/cache/token.json')}; ${open('.netrc')}; exit 1`,
      `${open('.env')} && false`,
      `${open(`${root}/.ssh/id_rsa`)}; ${open(`${root}/.netrc`)}`,
      'cat made 2>/dev/null; exit 1',
      `${open(`${root}/.ssh/none`)}; ls ${root}/.ssh; [ -e ${root}/.netrc ]; exit 1`,
    ]);
    expect(keys).toMatchObject({ output: "''\n", exitCode: 3 });
    expect(keys?.violations).toEqual([{ what: 'read', path: join(root, '.ssh/id_rsa') }]);
    expect(nested?.output).toBe("''\n''\n");
    expect(nested?.violations).toEqual([
      { what: 'read', path: join(root, '.aws/sso/cache/token.json') },
      { what: 'read', path: join(root, '.netrc') },
    ]);
    expect(own?.violations).toEqual([{ what: 'read', path: join(project, '.env') }]);
    expect(well).toMatchObject({ exitCode: 0, violations: [] });
    expect(none?.violations).toEqual([]);
    // A folder cannot be listed, and what is not there is not there.
    expect(other?.output).toMatch(/No such file.*Permission denied/s);
    expect(other?.output).not.toMatch(/id_rsa|config/);
    expect(other?.violations).toEqual([]);
  });

  test('of commands that run at the same time each is told its own', async () => {
    const { root } = place;
    const opens = (name: string, sign: string) =>
      `cat ${root}/${name}; touch ${sign}; while [ ! -e go ]; do sleep 0.01; done; exit 1`;
    const [first, second] = await run([
      { command: opens('.netrc', 'one'), beside: true },
      { command: opens('.ssh/config', 'two'), beside: true },
      'until [ -e one ] && [ -e two ]; do sleep 0.01; done; touch go',
    ]);
    expect(first?.violations).toEqual([{ what: 'read', path: join(root, '.netrc') }]);
    expect(second?.violations).toEqual([{ what: 'read', path: join(root, '.ssh/config') }]);
  });

  test('a name that comes to be is told from the next command on', async () => {
    const { root } = place;
    const [made, opened] = await run([
      { command: `echo new > ${root}/.ssh/id_new`, bare: true },
      `cat ${root}/.ssh/id_new; exit 1`,
    ]);
    expect(made?.exitCode).toBe(0);
    expect(opened).toMatchObject({ output: '', violations: [{ what: 'read', path: join(root, '.ssh/id_new') }] });
  });

  test('refused system calls are told by their names when the command failed', async () => {
    const [traced, spaces, raw, well] = await run([
      syscall('ptrace', '16, 1, 0, 0'),
      `${syscall('unshare', '0x10000000')}; ${syscall('mount', '0, 0, 0, 0, 0')}; exit 1`,
      `python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'`,
      `${syscall('unshare', '0x10000000')}; true`,
    ]);
    expect(traced?.violations).toEqual([{ what: 'call', call: 'ptrace' }]);
    expect(spaces?.violations).toEqual([
      { what: 'call', call: 'mount' },
      { what: 'call', call: 'unshare' },
    ]);
    expect(raw?.violations).toEqual([{ what: 'call', call: 'socket' }]);
    expect(raw?.output).toContain('Operation not permitted');
    expect(well).toMatchObject({ exitCode: 0, violations: [] });
  });

  test('a port of loopback on which nobody listens is told when the command failed, and a lookup of names always', async () => {
    const connect = (port: number) => `socket.socket().connect_ex(("127.0.0.1", ${port}))`;
    const python = (...lines: string[]) => `python3 -c 'import socket; ${lines.join('; ')}'`;
    const serve = 'server = socket.create_server(("127.0.0.1", 7001))';
    const [refused, well, there, later, lookup] = await run([
      python(connect(7001), connect(7002), 'exit(3)'),
      python(connect(7001)),
      python(serve, connect(7001), 'exit(3)'),
      python(connect(7001), serve, connect(7001), 'exit(3)'),
      python('socket.socket(type=socket.SOCK_DGRAM).connect(("127.0.0.1", 53))'),
    ]);
    const nobody = (port: number) => ({ what: 'connect', host: 'localhost', port, nobody: true });
    expect(refused).toMatchObject({ exitCode: 3, violations: [nobody(7001), nobody(7002)] });
    expect(well).toMatchObject({ exitCode: 0, violations: [] });
    expect(there).toMatchObject({ exitCode: 3, violations: [] });
    // Who was waited for has come: that was not it.
    expect(later).toMatchObject({ exitCode: 3, violations: [] });
    expect(lookup).toMatchObject({ exitCode: 0, violations: [{ what: 'connect', host: '127.0.0.1', port: 53 }] });
  });

  test('the witness cannot be looked into, written to or misled, and without it nothing more is allowed', async () => {
    const witness = 'w=$(ps -o ppid= $$ | tr -d " ")';
    const namespace = syscall('unshare', '0x10000000');
    const attacks = [
      `${witness}; cat /proc/$w/environ | grep -q .`,
      `${witness}; head -c 1 /proc/$w/mem`,
      `${witness}; perl -e 'open(my $f, "+<", "/proc/$ARGV[0]/mem") or exit 1' $w`,
      `${witness}; for f in /proc/$w/fd/[0-9]*; do readlink $f && exit 0; cat $f && exit 0; done; exit 1`,
      `${witness}; cat /proc/$w/maps | grep -q .`,
      `${witness}; ${syscall('ptrace', '16, $ARGV[0] + 0, 0, 0').replace(/$/, ' $w')}`,
      `${witness}; ${syscall('pidfd_getfd', 'syscall(434, $ARGV[0] + 0, 0), 3, 0').replace(/$/, ' $w')}`,
      `${witness}; timeout 1 sh -c 'kill -STOP $w; ${namespace.replaceAll("'", '"')}'; s=$?; kill -CONT $w; exit $s`,
    ];
    const [tried, killed, after] = await run([
      tryAll(attacks),
      `${witness}; (sleep 0.1; ${namespace} && echo allowed > ${place.project}/broken) & kill -9 $w; sleep 5`,
      'ls; echo alive',
    ]);
    expect(succeeded(attacks, tried)).toEqual([]);
    expect(killed?.exitCode).toBe(137);
    expect(after?.output).toBe('alive\n');
  });
});

test('nothing of it stays on the disk, by whomever it was made, and however tau ends', async () => {
  const temp = join(place.root, 'tmp');
  mkdirSync(temp);
  const policy = { witness: true, unreadable: ['.ssh', '.aws', '.netrc'].map((name) => join(place.root, name)) };
  const options = { place, user: 'ordinary', temp, policy } as const;
  await runContained(runner.path, ['true', { command: 'exit 1', beside: true }, 'true'], options);
  expect(readdirSync(temp)).toEqual([]);
  const killed = [
    { command: 'touch up; sleep 60', beside: true },
    { command: `until [ -e up ]; do sleep 0.01; done; ls ${temp}/*/masks > seen; kill -9 $PPID`, bare: true },
  ];
  await expect(runContained(runner.path, killed, options)).rejects.toThrow('the runner ended with null');
  expect(readFileSync(join(place.project, 'seen'), 'utf8')).toBe('0\n');
  await expect.poll(() => readdirSync(temp)).toEqual([]);
});
