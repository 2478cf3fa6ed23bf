/** The parts of a sandbox that decide without a sandbox: mounts, words for the program, filters, environment, reports. */
import { join } from 'node:path/posix';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bubblewrapArguments } from '../src/sandbox/bubblewrap/arguments.ts';
import { assemble, type Step } from '../src/sandbox/bubblewrap/bpf.ts';
import { mountTable } from '../src/sandbox/bubblewrap/mount-table.ts';
import { type Disk, mountsOf } from '../src/sandbox/bubblewrap/places.ts';
import { callFilters, refusedNumber } from '../src/sandbox/bubblewrap/seccomp.ts';
import { isSecretName, withoutSecrets } from '../src/sandbox/environment.ts';
import type { SandboxPolicy } from '../src/sandbox/sandbox.ts';
import { seatbeltProfile } from '../src/sandbox/seatbelt/profile.ts';
import { toolchainPlaces } from '../src/sandbox/toolchains.ts';
import { watchedCalls } from '../src/sandbox/witness/calls.ts';
import { violationOf } from '../src/sandbox/witness/reports.ts';

function policy(more: Partial<SandboxPolicy> = {}): SandboxPolicy {
  return { writable: ['/w/app'], readOnly: [], unreadable: [], network: 'none', ...more };
}

function disk(entries: Record<string, 'file' | 'folder' | 'link'>): Disk {
  return {
    kindOf: (path) => entries[path],
    identityOf: (path) => path,
    isOpen: (path) => path !== '/etc/closed',
    isReachableSocket: (path) => path !== '/srv/closed.sock',
  };
}

const around = { temp: ['/tmp'], hidden: ['/run'], needed: [], sockets: [], stubs: [], unmade: [] };

describe('mounts', () => {
  test('the longest path wins, of equal ones the stricter, and folders on the way cannot be renamed', () => {
    const there = disk({
      '/w/app': 'folder',
      '/w/app/.git': 'folder',
      '/w/app/.git/hooks': 'folder',
      '/w/app/a/b/key': 'file',
      '/home/.ssh': 'folder',
      '/etc/closed': 'file',
    });
    const given = policy({
      readOnly: ['/w/app/.git/hooks', '/w/app/.git', '/w/app/missing', '/elsewhere'],
      unreadable: ['/w/app/a/b/key', '/home/.ssh', '/w/app/.git', '/no', '/etc/closed'],
    });
    expect(mountsOf(given, { ...around, disk: there })).toEqual([
      { kind: 'memory', path: '/run', writable: false },
      { kind: 'temp', path: '/tmp' },
      { kind: 'memory', path: '/home/.ssh', writable: false },
      { kind: 'writable', path: '/w/app' },
      { kind: 'memory', path: '/w/app/.git', writable: false },
      { kind: 'writable', path: '/w/app/a' },
      { kind: 'readOnly', path: '/w/app/.git/hooks' },
      { kind: 'writable', path: '/w/app/a/b' },
      { kind: 'emptied', path: '/w/app/a/b/key' },
    ]);
  });

  test('folders above what is not there yet, and above links, cannot be renamed either, and open nothing that is closed', () => {
    const there = disk({
      '/w/app': 'folder',
      '/w/app/.config': 'folder',
      '/w/app/a': 'folder',
      '/w/app/a/link': 'link',
      '/w/app/.tau': 'folder',
      '/w/app/.tau/x': 'folder',
    });
    const readOnly = ['.config/git/config', 'a/link', '.tau', '.tau/x/y'].map((name) => `/w/app/${name}`);
    const given = policy({ readOnly, unreadable: ['/w/app/none/key'] });
    expect(mountsOf(given, { ...around, hidden: [], temp: [], disk: there })).toEqual([
      { kind: 'writable', path: '/w/app' },
      { kind: 'writable', path: '/w/app/.config' },
      { kind: 'readOnly', path: '/w/app/.tau' },
      { kind: 'writable', path: '/w/app/a' },
    ]);
  });

  test('folders above links and above what does not exist cannot be renamed either', () => {
    const there = disk({
      '/w/app': 'folder',
      '/w/app/.config': 'folder',
      '/w/app/.config/nvim': 'link',
      '/w/app/.envrc': 'link',
      '/w/app/deep': 'folder',
      '/w/app/deep/er': 'folder',
      '/w/app/plain': 'file',
    });
    const unmade = ['deep/er/prod.json', 'deep/er/test.json', '.npmrc', 'plain/x'].map((name) => `/w/app/${name}`);
    const given = policy({ readOnly: ['/w/app/.config/nvim', '/w/app/.envrc', ...unmade] });
    expect(mountsOf(given, { ...around, temp: [], hidden: [], unmade, disk: there })).toEqual([
      { kind: 'writable', path: '/w/app' },
      { kind: 'writable', path: '/w/app/.config' },
      { kind: 'writable', path: '/w/app/deep' },
      { kind: 'writable', path: '/w/app/deep/er' },
    ]);
  });

  test('nothing in a closed folder is opened for the sake of what is closed further down', () => {
    const names = ['.tau', '.tau/a', '.tau/a/b', '.ssh', '.ssh/a', '.ssh/a/b', '.tau/open', '.tau/open/a'];
    const there = disk(Object.fromEntries(['', ...names].map((name) => [join('/w/app', name), 'folder'])));
    const given = policy({
      writable: ['/w/app', '/w/app/.tau/open'],
      readOnly: ['/w/app/.tau', '/w/app/.tau/a/b'],
      unreadable: ['/w/app/.ssh', '/w/app/.ssh/a/b'],
    });
    const unmade = ['/w/app/.tau/a/none', '/w/app/.tau/open/a/none'];
    expect(mountsOf(given, { ...around, temp: [], hidden: [], unmade, disk: there })).toEqual([
      { kind: 'writable', path: '/w/app' },
      { kind: 'memory', path: '/w/app/.ssh', writable: false },
      { kind: 'readOnly', path: '/w/app/.tau' },
      { kind: 'writable', path: '/w/app/.tau/open' },
      { kind: 'memory', path: '/w/app/.ssh/a/b', writable: false },
      { kind: 'readOnly', path: '/w/app/.tau/a/b' },
      { kind: 'writable', path: '/w/app/.tau/open/a' },
    ]);
  });

  test('a project in temp lies over it, and only what is shown there is seen', () => {
    const there = disk({
      '/tmp/p': 'folder',
      '/tmp/out': 'file',
      '/usr/bin': 'folder',
      '/tmp/bin': 'folder',
      '/tmp/p/s': 'file',
    });
    const given = policy({ writable: ['/tmp/p', '/tmp/missing'], shown: ['/tmp/out', '/tmp/none'], temp: 'fresh' });
    const more = {
      needed: ['/usr/bin', '/tmp/bin'],
      sockets: ['/tmp/x11', '/tmp/p/s', '/srv/db.sock', '/srv/closed.sock'],
      stubs: ['/tmp/p/.tau'],
    };
    const stubbed: Disk = { ...there, kindOf: (path) => (path === '/tmp/p/.tau' ? 'folder' : there.kindOf(path)) };
    expect(mountsOf(given, { ...around, ...more, disk: stubbed })).toEqual([
      { kind: 'memory', path: '/run', writable: false },
      { kind: 'memory', path: '/tmp', writable: true },
      { kind: 'emptied', path: '/srv/db.sock' },
      { kind: 'readOnly', path: '/tmp/bin' },
      { kind: 'readOnly', path: '/tmp/out' },
      { kind: 'writable', path: '/tmp/p' },
      { kind: 'readOnly', path: '/tmp/p/.tau' },
      { kind: 'emptied', path: '/tmp/p/s' },
    ]);
  });

  test('whoever works in the temporary folder itself sees it', () => {
    const given = policy({ writable: ['/tmp'] });
    expect(mountsOf(given, { ...around, disk: disk({ '/tmp': 'folder' }) })).toEqual([
      { kind: 'memory', path: '/run', writable: false },
      { kind: 'writable', path: '/tmp' },
    ]);
  });

  test('whatever the lists are, a mount comes before what lies in it, and each path once', () => {
    const name = fc.constantFrom('a', 'b', '.git', 'tmp');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    const paths = fc.array(path, { maxLength: 5 });
    const everything: Disk = {
      kindOf: (one) => (one.endsWith('b') ? 'file' : 'folder'),
      identityOf: (one) => one,
      isOpen: () => true,
      isReachableSocket: () => true,
    };
    fc.assert(
      fc.property(paths, paths, paths, paths, (writable, readOnly, unreadable, shown) => {
        const mounts = mountsOf(policy({ writable, readOnly, unreadable, shown }), { ...around, disk: everything });
        const order = mounts.map((mount) => mount.path);
        expect(new Set(order).size).toBe(order.length);
        for (const [index, one] of order.entries())
          for (const later of order.slice(index + 1)) expect(one.startsWith(`${later}/`)).toBe(false);
        const last = (of: string) => mounts.find((mount) => mount.path === of)?.kind;
        for (const one of unreadable) if (!one.startsWith('/tmp')) expect(['memory', 'emptied']).toContain(last(one));
        for (const one of readOnly)
          if (writable.some((root) => one === root || one.startsWith(`${root}/`)))
            expect(last(one)).not.toBe('writable');
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

test('the program is told everything that contains the command, in this order', () => {
  const launch = { program: '/bin/bash', args: ['-c', 'echo "$x"'], env: {}, cwd: '/w/app' };
  const mounts = [
    { kind: 'memory', path: '/run', writable: false },
    { kind: 'temp', path: '/tmp' },
    { kind: 'writable', path: '/w/app' },
    { kind: 'readOnly', path: '/w/app/.git' },
    { kind: 'emptied', path: '/w/app/key' },
    { kind: 'memory', path: '/w/app/keys', writable: false },
    { kind: 'readOnly', path: '/run/wrappers' },
  ] as const;
  const told = {
    launch,
    mounts,
    network: 'none',
    empty: { file: '/e', folder: '/n' },
    temp: '/t',
    readsOnly: false,
    memoryBytes: 9,
    filter: 3,
    status: 4,
    toClose: [251],
  } as const;
  const words = bubblewrapArguments(told).join(' ');
  expect(words).toBe(
    [
      '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net',
      '--die-with-parent --new-session --cap-drop ALL --seccomp 3 --json-status-fd 4 --args 251',
      '--ro-bind / / --dev /dev --size 9 --tmpfs /dev/shm --remount-ro /dev --proc /proc --remount-ro /proc',
      '--size 1048576 --tmpfs /run --bind /t /tmp --bind /w/app /w/app --ro-bind /w/app/.git /w/app/.git',
      '--ro-bind /e /w/app/key --ro-bind /n /w/app/keys --ro-bind /run/wrappers /run/wrappers --remount-ro /run --chdir /w/app -- /bin/bash -c echo "$x"',
    ].join(' '),
  );
  const joined = { prefix: ['nsenter'], env: {}, binds: [{ from: '/s', to: '/tmp/s' }] };
  const shared = bubblewrapArguments({ ...told, network: joined }).join(' ');
  expect(shared).not.toContain('--unshare-net');
  expect(shared).toContain('--ro-bind /s /tmp/s');
  const reading = bubblewrapArguments({ ...told, readsOnly: true }).join(' ');
  expect(reading).toContain('--size 4096 --perms 0555 --tmpfs /w/app/keys');
  expect(reading).toContain(
    '--ro-bind / / --size 4096 --tmpfs /dev --dev-bind /dev/null /dev/null --dev-bind /dev/zero',
  );
  expect(reading).not.toContain('--dev /dev');
  const { memoryBytes: _, ...old } = told;
  for (const readsOnly of [false, true]) {
    expect(bubblewrapArguments({ ...old, readsOnly })).not.toContain('--size');
    expect(bubblewrapArguments({ ...old, readsOnly }).join(' ')).toContain('--ro-bind /n /w/app/keys');
  }
});

/** Runs a filter as the kernel does. */
function judge(filter: Buffer, call: { machine: number; number: number; args?: readonly number[] }): number {
  const at = (offset: number): number => {
    if (offset === 0) return call.number;
    if (offset === 4) return call.machine;
    return (call.args?.[(offset - 16) / 8] ?? 0) >>> 0;
  };
  let accumulator = 0;
  for (let pc = 0; pc < filter.length / 8; pc++) {
    const code = filter.readUInt16LE(pc * 8);
    const [yes, no] = [filter.readUInt8(pc * 8 + 2), filter.readUInt8(pc * 8 + 3)];
    const value = filter.readUInt32LE(pc * 8 + 4);
    if (code === 0x20) accumulator = at(value);
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x06) return value;
    else if (code === 0x15) pc += accumulator === value ? yes : no;
    else if (code === 0x35) pc += accumulator >= value ? yes : no;
    else if (code === 0x45) pc += (accumulator & value) !== 0 ? yes : no;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

describe('the filter of system calls', () => {
  const go = 0x7fff0000;
  const eperm = 0x00050001;
  const machines = [
    ['x64', 0xc000003e, { clone: 56, clone3: 435, socket: 41, ioctl: 16, personality: 135, read: 0, openat: 257 }],
    ['arm64', 0xc00000b7, { clone: 220, clone3: 435, socket: 198, ioctl: 29, personality: 92, read: 63, openat: 56 }],
  ] as const;

  test.each(machines)('on %s refuses what it says, and lets the rest through', (arch, machine, numbers) => {
    const filter = callFilters(arch)?.all ?? Buffer.alloc(0);
    const ask = (number: number, ...args: number[]) => judge(filter, { machine, number, args });
    for (const name of ['mount', 'unshare', 'ptrace', 'io_uring_setup', 'keyctl', 'bpf', 'reboot', 'setns'] as const)
      expect(ask(refusedNumber(name, arch) ?? -1)).toBe(eperm);
    for (const name of ['read', 'openat'] as const) expect(ask(numbers[name])).toBe(go);
    expect(ask(numbers.clone3)).toBe(0x00050026);
    expect(ask(numbers.clone, 0x01200011)).toBe(go);
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(ask(numbers.clone, flag | 17)).toBe(eperm);
    // Families: unix, internet of both kinds, routes; streams and datagrams, closed on exec or not.
    for (const [family, type, protocol] of [
      [1, 1, 0],
      [2, 1, 6],
      [2, 0x80002, 17],
      [10, 0x80801, 0],
      [16, 0x80003, 0],
    ])
      expect(ask(numbers.socket, family ?? 0, type ?? 0, protocol ?? 0)).toBe(go);
    for (const [family, type, protocol] of [
      [2, 3, 1],
      [10, 0x80003, 58],
      [2, 10, 768],
      [17, 3, 768],
      [16, 3, 9],
      [38, 5, 0],
      [40, 1, 0],
      [3, 1, 0],
    ])
      expect(ask(numbers.socket, family ?? 0, type ?? 0, protocol ?? 0)).toBe(eperm);
    for (const command of [0x5412, 0x541c]) expect(ask(numbers.ioctl, 0, command)).toBe(eperm);
    expect(ask(numbers.ioctl, 0, 0x5401)).toBe(go);
    expect(ask(numbers.personality, 0xffffffff)).toBe(go);
    expect(ask(numbers.personality, 0x0400000)).toBe(eperm);
    // Another machine's calls, and those of x32, mean something else.
    expect(judge(filter, { machine: 0x40000003, number: numbers.read })).toBe(eperm);
    expect(ask(0x40000000 + 1)).toBe(arch === 'x64' ? eperm : go);
  });

  test('for an unknown machine there is none', () => expect(callFilters('mips')).toBeUndefined());

  test('steps are judged in their order, each by all its tests', () => {
    const number = fc.integer({ min: 0, max: 5 });
    const test = fc.record({
      argument: fc.integer({ min: 0, max: 2 }),
      is: fc.constantFrom('equal', 'other', 'some'),
      value: fc.integer({ min: 0, max: 3 }),
    });
    const step = fc.record({
      calls: fc.array(number, { minLength: 1, maxLength: 3 }),
      tests: fc.array(test, { maxLength: 3 }),
      verdict: fc.integer({ min: 100, max: 120 }),
    });
    const args = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 });
    const holds = ({ argument, is, value }: NonNullable<Step['tests']>[number], given: readonly number[]) => {
      const actual = given[argument] ?? 0;
      return is === 'equal' ? actual === value : is === 'other' ? actual !== value : (actual & value) !== 0;
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), number, args, (steps, call, given) => {
        const expected = steps.find(
          ({ calls, tests }) => calls.includes(call) && tests.every((one) => holds(one, given)),
        );
        const filter = assemble({ audit: 1 }, steps, 1, 2);
        expect(judge(filter, { machine: 1, number: call, args: given })).toBe(expected?.verdict ?? 1);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  test('a witness is asked about writes only, and the rest costs nothing', () => {
    const { filter, table } = watchedCalls('x64') ?? { filter: Buffer.alloc(0), table: '' };
    const ask = (number: number, ...args: number[]) => judge(filter, { machine: 0xc000003e, number, args });
    expect(ask(257, 0, 0, 0x80000)).toBe(go);
    expect(ask(257, 0, 0, 0x241)).toBe(0x7fc00000);
    expect(ask(82)).toBe(0x7fc00000);
    expect(ask(0)).toBe(go);
    expect(table).toContain('82:take,-,0,-|put,-,1,-');
    expect(watchedCalls('arm64')?.table).toContain('56:open,0,1,2');
    expect(ask(42)).toBe(0x7fc00000);
    expect(table).toContain('86:share,-,0,-|make,-,1,-');
    expect(watchedCalls('arm64')?.names).toMatch(/\b200:bind\b.*\b117:ptrace\b/);
    expect(watchedCalls('mips')).toBeUndefined();
  });

  test('who is proved to only read connects to nobody', () => {
    const { all, reads } = callFilters('x64') ?? { all: Buffer.alloc(0), reads: Buffer.alloc(0) };
    const connect = { machine: 0xc000003e, number: 42, args: [] };
    expect([judge(all, connect), judge(reads, connect)]).toEqual([go, eperm]);
    expect(judge(reads, { ...connect, number: 0 })).toBe(go);
  });
});

describe('the list of mounts', () => {
  const line = (device: string, root: string, place: string, shares = '') =>
    `30 1 ${device} ${root} ${place} rw,relatime ${shares}${shares && ' '}- ext4 /dev/x rw`;
  const tableOf = (...lines: string[]) => mountTable(`${lines.join('\n')}\n`);

  test('says whether mounts that are made later come in', () => {
    expect(tableOf(line('8:1', '/', '/'), line('0:5', '/', '/shared:1')).shared).toBe(false);
    expect(tableOf(line('8:1', '/', '/'), line('0:5', '/', '/dev', 'shared:3')).shared).toBe(true);
    expect(tableOf(line('8:1', '/', '/', 'master:1 propagate_from:2')).shared).toBe(true);
    expect(tableOf(line('8:1', '/', '/', 'unbindable')).shared).toBe(false);
    expect(mountTable('').shared).toBe(false);
  });

  test('says where else a path is seen, whole or in part, and nothing of what lies under another mount', () => {
    const root = line('8:1', '/', '/');
    const key = '/home/me/.ssh';
    expect(tableOf(root, line('8:2', '/', '/home')).alsoAt(key)).toEqual([]);
    expect(tableOf(root, line('8:1', '/home', '/srv/a\\040b')).alsoAt(key)).toEqual(['/srv/a b/me/.ssh']);
    expect(tableOf(root, line('8:1', '/home/me/.ssh/keys', '/keys')).alsoAt(key)).toEqual(['/keys']);
    expect(tableOf(root, line('8:1', '/home/me/.sshd', '/keys')).alsoAt(key)).toEqual([]);
    expect(tableOf(root, line('8:2', '/', '/home'), line('8:2', '/', '/again')).alsoAt(key)).toEqual([
      '/again/me/.ssh',
    ]);
    // As systems are that start from a snapshot of themselves.
    const deployed = tableOf(
      line('8:1', '/deploy/1', '/'),
      line('8:1', '/', '/sysroot'),
      line('8:1', '/home', '/home'),
    );
    expect(deployed.alsoAt(key)).toEqual(['/sysroot/home/me/.ssh']);
    expect(deployed.alsoAt('/etc/shadow')).toEqual(['/sysroot/deploy/1/etc/shadow']);
    const covered = tableOf(root, line('8:1', '/home', '/again'), line('0:9', '/', '/again'));
    expect(covered.alsoAt(key)).toEqual([]);
  });
});

test('secrets are known by words of their names, and other names are not', () => {
  const secret = [
    ...['GITHUB_TOKEN', 'api_key', 'OPENAI_API_KEY', 'PGPASSWORD', 'MYSQL_PWD', 'AWS_SESSION_TOKEN', 'MY_SECRET_2'],
    ...['npm_config_//registry.example.org/:_authToken', 'SENTRY_DSN', 'clientSecret', 'npm_config_key', 'SMTP_PASS'],
    // Words that are written as one.
    ...[
      'SSHPASS',
      'DBPASS',
      'SMTPPASS',
      'LDAPPASS',
      'DB_PW',
      'MYPW',
      'ROOT_PW',
      'ROOTPW',
      'MYSQLPWD',
      'DBPASSWD',
      'KEYPASSPHRASE',
    ],
    ...[
      'GITHUBTOKEN',
      'APITOKEN',
      'SYSTEM_ACCESSTOKEN',
      'AUTHTOKENS',
      'PRIVATEKEY',
      'SECRETKEY',
      'ACCESSKEY',
      'OPENAIKEY',
    ],
    ...['SSHKEYS', 'AUTHORIZATION', 'HTTP_AUTHORIZATION', 'GCPCREDENTIALS', 'APISECRETS'],
    // With capitals within, or a number at the end.
    ...['githubToken', 'dbPass', 'openAIKey', 'GitHubToken', 'privateKeyPem', 'TOKEN2', 'API_KEY1', 'DBPASS2'],
  ];
  const plain = [
    ...[
      'PATH',
      'HOME',
      'PWD',
      'OLDPWD',
      'INIT_CWD',
      'KEYBOARD',
      'XKB_DEFAULT_LAYOUT',
      'TOKENIZERS_PARALLELISM',
      'AUTHOR',
    ],
    ...['GIT_AUTHOR_NAME', 'AWS_REGION', 'PASSENGER_COUNT', 'PASSIVE', 'SSH_KEYSCAN', 'KEYMAP', 'GPG_KEY', 'SECRETARY'],
    ...['COMPASS_X', 'COMPASS', 'COMPASS_HOME', 'BYPASS', 'HOOK_BYPASS', 'TRESPASS', 'OVERPASS_URL', 'LOWPASS_HZ'],
    ...['MONKEY', 'TURKEY', 'SPIDERMONKEY_HOME', 'HOCKEY_APP', 'WHISKEY', 'HOTKEY', 'HOTKEYS', 'LESSKEY', 'DONKEYS'],
    ...[
      'COMPAT',
      'NODE_COMPAT',
      'MONKEY2',
      'JAVA_HOME',
      'npm_config_registry',
      'npm_lifecycle_event',
      'CMAKE_TOOLCHAIN_FILE',
    ],
    ...[
      'MAKEFLAGS',
      'CFLAGS',
      'NODE_OPTIONS',
      'GOFLAGS',
      'CARGO_HOME',
      'VIRTUAL_ENV',
      'NuGetPackageRoot',
      'DOTNET_ROOT',
    ],
  ];
  expect(secret.filter((name) => !isSecretName(name))).toEqual([]);
  expect(plain.filter(isSecretName)).toEqual([]);
});

test('secrets are known by their values where those have a form of their own', () => {
  const secret = {
    URL: 'https://me:pw@h/',
    MYSQL: 'u:pw@tcp(db)/x',
    MYSQL_LOCAL: 'u:p@w/@unix(/run/mysql.sock)/x?charset=utf8',
    PG: 'host=db user=me password=pw',
    ODBC: 'Server=db;Uid=me;Pwd=pw;',
    NPM: '//registry.npmjs.org/:_authToken=npm_abc',
    NPM_OLD: '//registry.example.org/:_password=cHc=',
    CHAT: 'https://hooks.slack.com/services/T000/B000/abc',
    ROOM: 'https://discord.com/api/webhooks/1/abc',
    TEAM: 'https://contoso.webhook.office.com/webhookb2/abc',
  };
  const plain = {
    PLAIN: 'https://h/a:b@c',
    // A store of certificates that all may read: without these options Java's builds find no server.
    MAVEN_OPTS: '-Xmx1g -Djavax.net.ssl.trustStorePassword=changeit',
    CFLAGS: '-DPASSWORD=1 -DPWD=2',
    REMOTE: 'git@github.com:a/b',
    IMAGE: 'app:1@sha256:abc',
    CALL: 'a:b@f(x)',
    SITE: 'https://slack.com/services/x',
    NPM_REGISTRY: '//registry.npmjs.org/',
  };
  expect(withoutSecrets({ ...secret, ...plain, NONE: undefined })).toEqual(plain);
});

test('caches are private, what the user can write stays, and what is fetched already is read where it is', () => {
  const exists = (path: string) =>
    [
      ...['/h', '/h/.cargo', '/h/.cache/ms-playwright', '/h/go/pkg/mod/cache/download', '/h/.m2/repository'],
      '/h/.gradle/caches',
    ].includes(path);
  const places = toolchainPlaces({ HOME: '/h', GOCACHE: '/w/app/.gocache', CCACHE_DIR: '/h/ccache' }, '/tmp/c', {
    exists,
    isWritable: (path) => path.startsWith('/w/app/'),
  });
  expect(places).toMatchObject({
    npm_config_cache: '/tmp/c/npm',
    XDG_CACHE_HOME: '/tmp/c/xdg',
    CCACHE_DIR: '/tmp/c/ccache',
    PYTHONPYCACHEPREFIX: '/tmp/c/python',
    RUSTUP_HOME: '/tmp/c/rustup',
    PLAYWRIGHT_BROWSERS_PATH: '/h/.cache/ms-playwright',
    GOMODCACHE: '/tmp/c/go-mod',
    GOPROXY: 'file:///h/go/pkg/mod/cache/download,https://proxy.golang.org,direct',
    GRADLE_RO_DEP_CACHE: '/h/.gradle/caches',
    MAVEN_ARGS: '-Dmaven.repo.local=/tmp/c/maven -Dmaven.repo.local.tail=/h/.m2/repository',
  });
  for (const name of ['GOCACHE', 'CARGO_HOME', 'npm_config_store_dir']) expect(places).not.toHaveProperty(name);
  expect(toolchainPlaces({}, '/tmp/c', { exists, isWritable: () => false })).not.toHaveProperty('GOMODCACHE');
});

test('a line of the witness is a violation, or nothing', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex');
  expect(violationOf(`write ${hex('/no/such/ü\n')}`)).toEqual({ what: 'write', path: '/no/such/ü\n' });
  expect(violationOf(`socket ${hex('/a b')}`)).toEqual({ what: 'connect', host: '/a b' });
  expect(violationOf('connect 192.0.2.1 80')).toEqual({ what: 'connect', host: '192.0.2.1', port: 80 });
  expect(violationOf('nobody 3000')).toEqual({ what: 'connect', host: 'localhost', port: 3000, nobody: true });
  for (const line of [
    '',
    'left',
    'nobody x',
    'many',
    'off',
    'write zz',
    'entry 00',
    'connect a',
    'connect x;y 1',
    'what 00',
  ])
    expect(violationOf(line)).toBeUndefined();
});

describe('the profile for macOS (read, not run)', () => {
  const lines = (more: Partial<SandboxPolicy>, port?: number) =>
    seatbeltProfile(policy(more), { temp: '/private/t', ...(port !== undefined && { proxyPort: port }) }).split('\n');

  test('denies by default, lets read, and lets write in the project and the private temp only', () => {
    const profile = lines({});
    expect(profile.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(profile).toContain('(allow file-read*)');
    const writes = profile.filter((line) => line.startsWith('(allow file-write*') && line.includes('subpath'));
    expect(writes).toEqual(['(allow file-write* (subpath "/w/app"))', '(allow file-write* (subpath "/private/t"))']);
    expect(profile.filter((line) => /network/.test(line) && !line.includes('unix-socket'))).toEqual([]);
  });

  test('what is protected or secret is denied after it was allowed, with the folders above it', () => {
    const profile = lines({ readOnly: ['/w/app/a/.git'], unreadable: ['/Users/me/.ssh'] });
    const at = (line: string) => profile.indexOf(line);
    expect(at('(deny file-write* (subpath "/w/app/a/.git"))')).toBeGreaterThan(
      at('(allow file-write* (subpath "/w/app"))'),
    );
    expect(profile).toContain('(deny file-write-unlink (literal "/w/app/a"))');
    expect(profile).not.toContain('(deny file-write-unlink (literal "/w/app"))');
    expect(at('(deny file-read* file-write* (subpath "/Users/me/.ssh"))')).toBeGreaterThan(at('(allow file-read*)'));
  });

  test('with a proxy one port is open, and with the network of the machine all of it', () => {
    const network = { prefix: [], env: {}, binds: [], port: 4711 };
    expect(lines({ network }, 4711)).toContain('(allow network-outbound (remote ip "localhost:4711"))');
    expect(lines({ network: 'host' })).toContain('(allow network*)');
  });

  test('quotes and backslashes in a path stay in it', () => {
    expect(lines({ writable: ['/w/a"b\\c'] })).toContain('(allow file-write* (subpath "/w/a\\"b\\\\c"))');
  });
});
