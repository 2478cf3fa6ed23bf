/** Real attacks on the kernel and on other processes from inside a sandbox, by the own user and by one without rights. */
import { execFileSync, spawn } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { knownMachine, refusedNumber } from '../src/sandbox/bubblewrap/seccomp.ts';
import {
  type Asked,
  type Place,
  processesOf,
  runContained,
  succeeded,
  tryAll,
  usePlace,
  useRunner,
} from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});

/** Says the error of a call whose arguments make no sense: harmless where it is let through. */
const attempt = (name: Parameters<typeof refusedNumber>[0], args: string) =>
  `perl -e '$! = 0; my $r = syscall(${refusedNumber(name, process.arch)}, ${args}); print "${name} ", ($r < 0 ? $! + 0 : "let through"), "\\n"'`;

const EPERM = 1;
/** Of this run alone. */
const sharedKey = 0x7a00_0000 + process.pid;

describe.each([
  ['own', false],
  ['own', true],
  ['ordinary', false],
  ['ordinary', true],
] as const)('as %s user, with a witness: %s', (user, witness) => {
  const run = (asked: readonly (string | Asked)[], env = {}) =>
    runContained(runner.path, asked, { place, user, env, policy: { witness } });

  test('calls that nobody needs rights for are refused inside, and let through outside', async () => {
    const calls = [
      attempt('unshare', '0'),
      attempt('setns', '-1, 0'),
      attempt('ptrace', '-1, -1, 0, 0'),
      attempt('process_vm_readv', '-1, 0, 0, 0, 0, 0'),
      attempt('io_uring_setup', '0, 0'),
      attempt('io_uring_enter', '-1, 0, 0, 0, 0, 0'),
      attempt('keyctl', '0, -3, 0'),
      attempt('add_key', '0, 0, 0, 0, 0'),
      attempt('pidfd_getfd', '-1, 0, 0'),
    ].join('; ');
    const [outside, inside] = await run([{ command: calls, bare: true }, calls]);
    expect(outside?.output).not.toMatch(new RegExp(` ${EPERM}$`, 'm'));
    expect(outside?.output.split('\n')).toHaveLength(10);
    expect(inside?.output.replace(/\w+/, '').match(new RegExp(` ${EPERM}$`, 'gm'))).toHaveLength(9);
  });

  test('mounts cannot be made, undone or moved, and no new namespace can be entered', async () => {
    const { project, outside } = place;
    const policy = { readOnly: [`${project}/.git`], unreadable: [`${place.root}/.netrc`] };
    const attacks = [
      `mount --bind ${project} ${outside}`,
      `mount -o remount,rw,bind ${outside}`,
      'mount -t tmpfs none /mnt',
      `umount ${project}/.git`,
      `umount -l ${project}`,
      'umount -l /proc',
      'umount -l /tmp',
      'unshare -r true',
      'unshare -m true',
      'unshare --user --map-root-user --mount mount -o remount,rw /',
      'nsenter -t 1 -m true',
      'nsenter -t 1 -a true',
      'chroot / true',
      'bwrap --dev-bind / / true',
      'pivot_root . .',
      'mknod -m 666 disk b 8 0',
    ];
    const [answer] = await run([{ command: tryAll(attacks), policy }]);
    expect(succeeded(attacks, answer)).toEqual([]);
  });

  test('the machine cannot be changed through /proc and /sys', async () => {
    // Each writes back what is there: where it succeeds, nothing has changed.
    const files = [
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/hostname',
      '/proc/sys/vm/swappiness',
      '/proc/sys/kernel/printk',
    ];
    const attacks = [
      ...files.map((file) => `v=$(cat ${file}) && echo "$v" > ${file}`),
      '[ -w /proc/sysrq-trigger ]',
      '[ -w /sys/power/state ]',
      'for f in /proc/sys/*/*; do [ -w $f ] && exit 0; done; exit 1',
      'for f in /sys/kernel/*; do [ -w $f ] && [ -f $f ] && exit 0; done; exit 1',
      'dmesg',
      'head -c 1 /proc/kcore',
      'head -c 1 /dev/mem',
      'ls /dev/sd* /dev/vd* /dev/nvme* /dev/kmsg /dev/kvm /dev/fuse 2>/dev/null | grep .',
    ];
    const [answer] = await run([tryAll(attacks)]);
    expect(succeeded(attacks, answer)).toEqual([]);
  });

  test("the machine's devices stay as they are, whatever a command does to what it takes for them", async () => {
    const devices = ['null', 'full', 'urandom'].map((name) => `/dev/${name}`);
    const stateOf = ({ mode, uid, mtimeMs }: Stats) => ({ mode, uid, mtimeMs });
    const states = () => devices.map((path) => stateOf(statSync(path)));
    const before = states();
    const attack = [
      'for d in null full urandom; do chmod 0677 /dev/$d; touch -d @1 /dev/$d; chown 1 /dev/$d; done 2>/dev/null',
      `perl -e 'chmod 0767, *STDIN or print "not permitted\\n"'`,
      'stat -c %a /dev/null',
    ].join('; ');
    const use =
      'cat; echo gone > /dev/null; head -c 4 /dev/urandom | wc -c; head -c 4 /dev/zero | wc -c; stat -c %a /dev/null';
    const reads = { writable: [], witness: false };
    const answers = await run([attack, use, { command: attack, policy: reads }, { command: use, policy: reads }]);
    expect(states()).toEqual(before);
    const isOwner = statSync('/dev/null').uid === (user === 'own' ? process.getuid?.() : undefined);
    const [wrote, used, read, usedToRead] = answers.map(({ output }) => output);
    for (const output of [wrote, read]) expect(output).toMatch(isOwner ? /^767$/m : /^not permitted$/m);
    for (const output of [used, usedToRead]) expect(output?.trim()).toBe('4\n4\n666');
    expect(answers.flatMap(({ violations }) => violations.filter(({ what }) => what === 'write'))).toEqual([]);
  });

  test('a process outside is not seen, not read, not signalled', async () => {
    const victim = spawn('sleep', ['60'], { env: { MARK: 'a mark of the outside' } });
    onTestFinished(() => void victim.kill('SIGKILL'));
    const pid = victim.pid ?? 0;
    const perl = (script: string) => execFileSync('perl', ['-e', script], { encoding: 'utf8' });
    const shared = perl(`print shmget(${sharedKey}, 100, 01666) // die "$!"`);
    onTestFinished(() => void perl(`shmctl(${shared}, 0, 0) or die "$!"`));
    const attacks = [
      `kill -9 ${pid}`,
      `kill -9 ${process.pid}`,
      `cat /proc/${pid}/environ`,
      `ls /proc/${pid}/root`,
      `perl -e 'exit !kill("KILL", ${pid})'`,
      'grep -l "a mark of the outside" /proc/[0-9]*/environ',
      `strace -p ${pid}`,
      // Memory that everybody on the machine may share.
      `perl -e 'exit !defined shmget(${sharedKey}, 0, 0)'`,
    ];
    const answers = await run([
      tryAll(attacks),
      'kill -9 -1',
      'ls -d /proc/[0-9]* | wc -l',
      'kill -KILL 0',
      'echo alive',
    ]);
    expect(succeeded(attacks, answers[0])).toEqual([]);
    expect(perl(`print defined shmget(${sharedKey}, 0, 0) ? 'there' : 'gone'`)).toBe('there');
    expect(Number(answers.at(-3)?.output)).toBeLessThan(10);
    expect(answers.at(-1)?.output).toBe('alive\n');
    expect(victim.exitCode ?? victim.signalCode).toBeNull();
  });

  test('no descriptor of tau is open inside but the three usual ones', async () => {
    const [plain, watched] = await run([
      'ls /proc/$$/fd; true',
      { command: 'ls /proc/$$/fd; true', policy: { witness: true } },
    ]);
    // 255 is bash's own copy of its script, where it has one.
    expect(plain?.output.replace('255\n', '')).toBe('0\n1\n2\n');
    expect(watched?.output.replace('255\n', '')).toBe('0\n1\n2\n');
  });

  test('what tau was started with is closed inside, so that no folder is left open that leads out', async () => {
    // Node closes the lower ones to its children by itself.
    const numbers = [60, 61, 300];
    const out = numbers.map((number) => `ls /proc/$$/fd/${number}/. && echo out`).join('; ');
    const command = `ls /proc/$$/fd; ${out}; true`;
    const asked = [{ command, bare: true }, { command }, { command, policy: { witness: true } }];
    const [bare, ...inside] = await runContained(runner.path, asked, { place, user, inherited: numbers });
    expect(bare?.output.match(/^out$/gm)).toHaveLength(3);
    for (const { output } of inside) {
      const open = output.split('\n').filter((line) => /^\d+$/.test(line) && line !== '255');
      expect(open).toEqual(['0', '1', '2']);
      expect(output).not.toMatch(/^out$/m);
    }
  });

  test('no rights can be had: not by sets, not by programs with a set user, not by raw and odd sockets', async () => {
    const perl = (call: string) => `perl -MSocket -e '${call}'`;
    const sockets = [
      perl('socket(my $s, AF_INET, SOCK_RAW, 1) and exit 0; exit 1'),
      perl('socket(my $s, 17, SOCK_RAW, 768) and exit 0; exit 1'),
      perl('socket(my $s, 17, SOCK_DGRAM, 768) and exit 0; exit 1'),
      perl('socket(my $s, 40, SOCK_STREAM, 0) and exit 0; exit 1'),
      perl('socket(my $s, 38, 5, 0) and exit 0; exit 1'),
      perl('socket(my $s, 16, SOCK_RAW, 9) and exit 0; exit 1'),
      'su -c true nobody',
    ];
    const answers = await run([
      tryAll(sockets),
      'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status',
      `${perl('socket(my $s, AF_INET, SOCK_STREAM, 0) or exit 1; socket($s, AF_UNIX, SOCK_STREAM, 0) or exit 1; socket($s, 16, SOCK_RAW, 0) or exit 1')} && echo fine`,
    ]);
    expect(succeeded(sockets, answers[0])).toEqual([]);
    const status = answers.at(-2)?.output ?? '';
    expect(status.match(/^Cap(Inh|Prm|Eff|Bnd|Amb):\t0+$/gm)).toHaveLength(5);
    expect(status).toMatch(/NoNewPrivs:\t1\nSeccomp:\t2/);
    expect(answers.at(-1)?.output).toBe('fine\n');
  });

  test('there is no network: no address, no name, no abstract socket of the machine', async () => {
    const name = `tau-abstract-${process.pid}-${user}`;
    const listener = spawn('perl', [
      '-MSocket',
      '-e',
      `$|=1; socket(S,PF_UNIX,SOCK_STREAM,0); bind(S,pack_sockaddr_un("\\0${name}")) or die; listen S,5; print "on\\n"; while(accept(C,S)){close C}`,
    ]);
    onTestFinished(() => void listener.kill('SIGKILL'));
    await new Promise((resolve) => listener.stdout.once('data', resolve));
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const abstract = `perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); connect(S,pack_sockaddr_un("\\0${name}")) or exit 1'`;
    const loopback = `(exec 9<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null`;
    const [reached, connected, ...inside] = await run([
      { command: abstract, bare: true },
      { command: loopback, bare: true },
      abstract,
      loopback,
      '(exec 9<>/dev/tcp/192.0.2.1/80)',
      'perl -e \'exit !gethostbyname("example.org")\'',
      'perl -MSocket -e \'socket(S,AF_INET,SOCK_DGRAM,0); exit !send(S, "x", 0, pack_sockaddr_in(53, inet_aton("192.0.2.1")))\'',
      '[ "$(grep -c : /proc/net/dev)" != 1 ]',
    ]);
    expect([reached?.exitCode, connected?.exitCode]).toEqual([0, 0]);
    expect(inside.map(({ exitCode }) => exitCode !== 0)).toEqual(inside.map(() => true));
  });

  test('nobody types into a terminal from inside', async () => {
    const type = `script -qec "perl -e 'exit !ioctl(STDIN, 0x5412, my \\$c = \\"x\\")'" /dev/null </dev/null`;
    const [inside] = await run([`${type}; echo "said $?"`]);
    expect(inside?.output).toMatch(/said [1-9]/);
  });

  test('who forks more and more is stopped with all of theirs, and the next command runs', async () => {
    // Root is bound by no limit of processes, so this one ends by itself: seven times twice as many.
    const bomb = 'f() { [ "$1" = 0 ] || { f $(($1 - 1)) & f $(($1 - 1)) & }; sleep 60; }; f 7';
    const marked = { TAU_PLACE: place.root };
    const [stopped, next] = await run([{ command: bomb, timeoutMs: 500 }, 'ls -d /proc/[0-9]* | wc -l'], marked);
    expect(stopped?.killedBy).toBe('timeout');
    expect(Number(next?.output)).toBeLessThan(10);
    await expect.poll(() => processesOf(place)).toEqual([]);
  });

  // Where a limit of processes binds at all; see docs/sandbox.md.
  if (user === 'ordinary')
    test('nobody but root has more processes than the limit', async () => {
      const many =
        'my $n = 0; for (1 .. 60) { my $p = fork; last if !defined $p; if (!$p) { sleep 20; exit } $n++ } print $n';
      const [free, bound] = await run([`perl -e '${many}'`, `ulimit -u 40; perl -e '${many}'`]);
      expect(free?.output).toBe('60');
      expect(Number(bound?.output)).toBeLessThan(40);
    });
});

test('the machine of the tests is one whose calls are known', () => {
  expect(knownMachine(process.arch)).toBeDefined();
  expect(knownMachine('mips')).toBeUndefined();
});
