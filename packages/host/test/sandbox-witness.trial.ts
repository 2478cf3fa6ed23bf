/** What the witness refuses itself, by whatever way a program goes there: names that must not come to be, sockets outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Asked, type Place, runContained, succeeded, tryAll, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});

const isArm = process.arch === 'arm64';
const number = { prctl: isArm ? 167 : 157, renameat2: isArm ? 276 : 316 };
const undumpable = `syscall(${number.prctl}, 4, 0, 0, 0, 0)`;
const bound = (path: string) => `socket(my $s, 1, 1, 0) or exit 1; bind($s, pack_sockaddr_un("${path}")) or exit 1`;
const connect = (path: string) =>
  `perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die; connect($s, pack_sockaddr_un("${path}")) or die "no: $!\\n"; print <$s>'`;

/** Each in a shell of its own, at the top of the project, with its folder as descriptor 9. */
const ways = [
  'echo evil > /dev/fd/9/.envrc',
  'echo evil > //proc/self/fd/9/.npmrc',
  'echo evil > /./proc/self/fd/9/.npmrc',
  'echo evil > /proc//./self/fd/9/.npmrc',
  'echo evil > /proc/thread-self/fd/9/.npmrc',
  'echo evil > /proc/$BASHPID/fd/9/.npmrc',
  'echo evil > /proc/$BASHPID/task/$BASHPID/cwd/.npmrc',
  'echo evil > /proc/self/cwd/.envrc',
  'echo evil > /proc/../proc/self/cwd/.envrc',
  'echo evil > /proc/self/root$PWD/.envrc',
  'echo evil > /proc/1/root$PWD/.envrc',
  'cd /proc && echo evil > self/root$OLDPWD/.envrc',
  'cd /dev && echo evil > fd/9/.envrc',
  'exec 8</proc; echo evil > /dev/fd/8/self/cwd/.envrc',
  'ln -s /proc/self/fd/9/.mcp.json lnk; echo evil > lnk',
  'ln -s .mcp.json plain; echo evil > /dev/fd/9/plain',
  'ln -s /proc/self/cwd up; echo evil > up/.mcp.json',
  'ln -s /dev/fd fds; echo evil > fds/9/.mcp.json',
  'ln -s .mcp.json l0; for i in $(seq 30); do ln -s l$((i-1)) l$i; done; echo evil > l30',
  'mkdir deep; ln -s ../.mcp.json deep/er; echo evil > deep/./er',
  'mkdir /dev/fd/9/.vscode/',
  'mkdir -p /proc/self/cwd/.vscode/deep',
  'mkfifo /proc/self/cwd/.vscode',
  'ln -s /tmp /dev/fd/9/.vscode',
  'mkdir e1; mv -T e1 /dev/fd/9/.vscode/',
  'echo evil > f1; ln f1 /dev/fd/9/HEAD',
  'echo ref > f2; mv f2 /proc/self/cwd/HEAD',
  'cp "$(command -v mkdir)" m; chmod 111 m; ./m .vscode',
  'cp "$(command -v perl)" p; chmod 111 p; ./p -e \'open(my $f, ">", ".envrc") or exit 1\'',
  `perl -e '${undumpable}; open(my $f, ">", ".envrc") or exit 1'`,
  `perl -e '${undumpable}; mkdir ".vscode" or exit 1'`,
  `perl -MSocket -e '${bound('.envrc')}'`,
  `perl -MSocket -e '${bound('/proc/self/cwd/.envrc')}'`,
  'python3 -c \'import os; os.open("self/cwd/.envrc", os.O_CREAT | os.O_WRONLY, dir_fd=os.open("/proc", os.O_RDONLY))\'',
  'python3 -c \'import os; os.rename(os.mkdir("e2") or "e2", ".vscode", dst_dir_fd=os.open(".", os.O_RDONLY))\'',
  'python3 -c \'import os; f = os.open(".", os.O_TMPFILE | os.O_WRONLY); os.link(f"/proc/self/fd/{f}", "/dev/fd/9/HEAD", follow_symlinks=True)\'',
  'python3 -c \'import threading as t; a = t.Thread(target=lambda: open("/proc/thread-self/cwd/.envrc", "w")); a.start(); a.join(); open(".envrc")\'',
  'mkdir -p other/git; mv .config old && mv other .config',
  'mkdir -p third/git; rmdir .config && ln -s third .config',
  `mkdir -p fourth/git; perl -e 'exit !(syscall(${number.renameat2}, -100, ".config", -100, "fourth", 2) == 0)'`,
].map((way) => `exec 9<.; ${way}`);

describe.each(['own', 'ordinary'] as const)('as %s user', (user) => {
  const run = (asked: readonly (string | Asked)[]) => runContained(runner.path, asked, { place, user });
  const at = (name: string) => join(place.project, name);
  const guarded = (...names: string[]) => ({ witness: true, readOnly: names.map(at) });

  test('what is protected and not there is not made by any way that leads to its folder, in the background either', async () => {
    mkdirSync(at('.config'));
    const names = ['.envrc', '.npmrc', '.mcp.json', '.vscode', 'HEAD'];
    const policy = guarded(...names, '.config/git');
    const [tried] = await run([{ command: tryAll(ways), policy, background: true }]);
    expect(succeeded(ways, tried)).toEqual([]);
    expect(tried?.violations).toEqual(expect.arrayContaining(names.map((name) => ({ what: 'write', path: at(name) }))));
    expect(tried?.violations.filter((one) => 'happened' in one)).toEqual([]);
    const made = readdirSync(place.project);
    expect(names.filter((name) => made.includes(name))).toEqual([]);
    expect(lstatSync(at('.config')).isDirectory()).toBe(true);
    expect(readdirSync(at('.config'))).toEqual([]);
  });

  test('what may be written is written by the same ways, and nothing is told', async () => {
    const commands = [
      'exec 9<.; echo 1 > /dev/fd/9/one; echo 2 > //proc/self/cwd/./two; echo 3 > /proc/thread-self/fd/9/three',
      'ln -s /proc/self/cwd up; mkdir up/four; (echo out > /dev/stdout; echo x | tee /dev/fd/1) | sort',
      `perl -MSocket -e '${bound('five')}'; mkdir .vscode.d; echo x > .vscode.d/HEAD; rm up`,
      'cp "$(command -v cat)" c; chmod 111 c; ./c one; rm -f c; ls -A',
    ];
    const [answer] = await run([{ command: commands.join('\n'), policy: guarded('.envrc', '.vscode', 'HEAD') }]);
    expect(answer).toMatchObject({
      exitCode: 0,
      output: 'out\nx\nx\n1\n.vscode.d\nfive\nfour\none\nthree\ntwo\n',
      violations: [],
    });
  });

  test('who cannot be looked into changes nothing, and a command that failed for that is told the call', async () => {
    const command = 'cp "$(command -v perl)" p; chmod 111 p; ./p -e \'mkdir "made" or exit 3\'; s=$?; rm -f p; exit $s';
    const hides = `perl -e '${undumpable} == 0 or exit 3; mkdir "agent" or exit 3'`;
    const [refused, free, agent] = await run([
      { command, policy: guarded('.envrc') },
      { command, policy: { witness: true } },
      { command: hides, policy: guarded('.envrc') },
    ]);
    expect(refused).toMatchObject({ exitCode: 3, violations: [{ what: 'call', call: isArm ? 'mkdirat' : 'mkdir' }] });
    expect(free).toMatchObject({ exitCode: 0, violations: [] });
    // An agent that holds keys wants to be closed; it is not, and works.
    expect(agent).toMatchObject({ exitCode: 0, violations: [] });
    expect(readdirSync(place.project).sort()).toEqual(['agent', 'made']);
  });

  test('a protected file that was replaced is changed through no link and no second name', async () => {
    writeFileSync(at('config'), 'old');
    const attacks = [
      'ln -s config l1; truncate -s 0 l1',
      'ln config second && echo evil > second',
      'exec 8<config; ln -L /dev/fd/8 third && echo evil > third',
      'exec 8<config; echo evil > /dev/fd/8',
      'echo evil > /proc/self/cwd/config',
    ];
    const begun = run([
      {
        command: `touch up; until grep -q new config; do sleep 0.02; done; ${tryAll(attacks)}`,
        policy: guarded('config'),
      },
    ]);
    await expect.poll(() => readdirSync(place.project)).toContain('up');
    writeFileSync(at('lock'), 'new');
    chmodSync(at('lock'), 0o666);
    renameSync(at('lock'), at('config'));
    const [tried] = await begun;
    expect(succeeded(attacks, tried)).toEqual([]);
    expect(readFileSync(at('config'), 'utf8')).toBe('new');
  });

  test('a protected link is not taken away, and while it is missing what it leads to stays protected', async () => {
    mkdirSync(at('tools'));
    writeFileSync(at('tools/envrc'), 'mine');
    symlinkSync('tools/envrc', at('.envrc'));
    const policy = { readOnly: [at('.envrc'), at('tools/envrc')] };
    const attacks = ['rm .envrc', 'mv .envrc away', 'ln -sf /tmp .envrc', 'echo x > f; mv f .envrc', 'unlink .envrc'];
    // As whoever makes the policy finds them: what a link leads to is known while it is there.
    const missing = { readOnly: [at('.envrc')] };
    const [tried, , evil, after] = await run([
      { command: tryAll(attacks), policy: { ...policy, witness: true } },
      {
        command: 'rm .envrc; touch gone; until [ -e go ]; do sleep 0.02; done',
        policy,
        background: true,
        beside: true,
      },
      {
        command: 'until [ -e gone ]; do sleep 0.02; done',
        policy: { writable: [] },
      },
      { command: 'echo evil > tools/envrc; touch go; until [ -L .envrc ]; do sleep 0.02; done', policy: missing },
    ]);
    expect(succeeded(attacks, tried)).toEqual([]);
    expect(tried?.violations).toContainEqual({ what: 'write', path: at('.envrc') });
    expect(evil?.exitCode).toBe(0);
    expect(after?.output).toContain('Read-only file system');
    expect(readFileSync(at('tools/envrc'), 'utf8')).toBe('mine');
    expect(readlinkSync(at('.envrc'))).toBe('tools/envrc');
    expect(readdirSync(place.project).filter((name) => name.includes('refused'))).toEqual([]);
  });

  test('no socket outside is reached, under whatever name it was bound and however late', async () => {
    const { outside, project } = place;
    mkdirSync(join(outside, 'real'));
    symlinkSync('real', join(outside, 'link'));
    const listen = async (path: string) => {
      const server = createServer((socket) => socket.end('signed\n')).listen(path);
      await once(server, 'listening');
      onTestFinished(() => void server.close());
    };
    const names = ['link/linked', '/twice', 'moved', 'late'];
    for (const name of names.slice(0, 3)) await listen(`${outside}/${name}`);
    renameSync(join(outside, 'moved'), join(outside, 'renamed'));
    const sockets = ['real/linked', 'twice', 'renamed', 'late'].map((name) => join(outside, name));
    symlinkSync(join(outside, 'renamed'), join(project, 'near'));
    const serve = `${bound('relative')}; chmod 0777, "relative"; listen $s, 1; syswrite STDOUT, "up"; while (accept my $c, $s) { print $c "signed\\n" }`;
    const relative = spawn('perl', ['-MSocket', '-e', serve], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void relative.kill('SIGKILL'));
    await once(relative.stdout, 'data');
    const tries = [...sockets, 'relative', 'near', `/proc/self/root${outside}/renamed`, '../outside/renamed'].map(
      connect,
    );
    const own = `perl -MSocket -e '${bound('own')}; listen($s, 1); ${'fork or do { accept(my $c, $s); print $c "own\\n"; exit }; exec @ARGV'}' sh -c '${connect('own').replaceAll("'", `'\\''`)}'`;
    const begun = run([
      { command: `touch up; until [ -e go ]; do sleep 0.02; done; ${tries.join('; ')}`, policy: { witness: true } },
      { command: own, policy: { witness: true } },
      // Without a witness the list of sockets helps; who only reads connects to nobody.
      [...sockets.slice(0, 2), 'relative'].map(connect).join('; '),
      { command: sockets.map(connect).join('; '), policy: { writable: [] } },
      { command: [...sockets, 'relative'].map(connect).join('; '), bare: true },
    ]);
    await expect.poll(() => readdirSync(project)).toContain('up');
    await listen(`${outside}/late`);
    for (const path of sockets) chmodSync(path, 0o777);
    writeFileSync(join(project, 'go'), '');
    const [late, mine, unseen, reads, bare] = await begun;
    expect(bare?.output).toBe('signed\n'.repeat(5));
    expect(late?.output).toMatch(/^(?:no: .*\n){8}$/);
    expect(late?.violations).toEqual(
      ['renamed', 'late'].map((name) => ({ what: 'connect', host: join(outside, name) })),
    );
    expect(mine).toMatchObject({ output: 'own\n', violations: [] });
    expect(unseen?.output).toMatch(/^(?:no: .*\n){3}$/);
    expect(reads?.output).toMatch(/^(?:no: .*\n){4}$/);
  });
});
