/** Real attacks on files from inside a sandbox, by the user who runs the tests and by one without rights. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Asked, type Place, runContained, succeeded, tryAll, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});

/** Everything below a folder, with its content: what an attack would have changed. */
function picture(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    const found = lstatSync(path);
    const what = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path, 'utf8') : 'folder';
    seen[name] = `${(found.mode & 0o7777).toString(8)} ${what}`;
  }
  return seen;
}

describe.each([
  ['own', false],
  ['own', true],
  ['ordinary', false],
  ['ordinary', true],
] as const)('as %s user, with a witness: %s', (user, witness) => {
  const run = (asked: readonly (string | Asked)[], env = {}) =>
    runContained(runner.path, asked, { place, user, env, policy: { witness } });

  test('nothing outside the project can be changed, whatever way leads there', async () => {
    const { outside, project, root } = place;
    writeFileSync(join(outside, 'file'), 'untouched');
    mkdirSync(join(outside, 'folder'));
    symlinkSync(outside, join(project, 'link'));
    symlinkSync(join(outside, 'file'), join(project, 'file-link'));
    linkSync(join(outside, 'file'), join(outside, 'second'));
    const before = picture(outside);
    const attacks = [
      `echo x > ${outside}/new`,
      `echo x > ${outside}/file`,
      'echo x > ../outside/file',
      'echo x > link/file',
      'echo x > file-link',
      `echo x > /proc/self/root${outside}/file`,
      `echo x > /proc/1/root${outside}/file`,
      'echo x > /proc/self/cwd/../outside/file',
      `cd ${outside} && echo x > here`,
      `rm -f ${outside}/file`,
      `rmdir ${outside}/folder`,
      `mv ${outside}/file ${outside}/moved`,
      `mv ${outside}/file stolen`,
      'echo x > mine; mv -f mine ../outside/file',
      `ln mine ${outside}/hard`,
      `ln ${outside}/file hard && echo x > hard`,
      `ln -s / ${outside}/soft`,
      `mkdir ${outside}/made`,
      `chmod 777 ${outside}/file`,
      `touch -d 2001-01-01 ${outside}/file`,
      `truncate -s 0 ${outside}/file`,
      `mknod ${outside}/pipe p`,
      `python3 -c 'import os; os.rename("mine", "${outside}/file")'`,
      `mv ${project} ${root}/elsewhere`,
      `rm -rf ${project}`,
      `perl -e 'open(my $f, "+<", "${outside}/file") or exit 1; print $f "x"; close $f or exit 1'`,
      'touch /etc/tau-attack',
      'touch /usr/tau-attack',
      'touch /dev/tau-attack',
      'touch /tau-attack',
      'touch /run/tau-attack',
      'touch /sys/tau-attack',
    ];
    const [answer] = await run([tryAll(attacks)]);
    expect(succeeded(attacks, answer)).toEqual([]);
    expect(picture(outside)).toEqual(before);
    expect(existsSync(join(root, 'elsewhere'))).toBe(false);
    for (const path of ['/etc', '/usr', '/dev', '/', '/run']) expect(existsSync(join(path, 'tau-attack'))).toBe(false);
  });

  test('the project and the private temp can be written, and the temp of the machine is not seen', async () => {
    const sign = join('/tmp', `tau-outside-${process.pid}-${user}`);
    writeFileSync(sign, 'of the machine');
    try {
      const [written, again, fresh, cleared] = await run([
        `echo a > made && mkdir -p deep/er && mv made deep/er && cat deep/er/made; ls ${sign}; echo kept > /tmp/mine; echo $TMPDIR`,
        'cat /tmp/mine /var/tmp/mine',
        { command: 'ls -A /tmp; echo x > /tmp/x && cat /tmp/x', policy: { temp: 'fresh' } },
        { command: 'ls -A /tmp', policy: { temp: 'fresh' } },
      ]);
      expect(written?.output).toBe(`a\nls: cannot access '${sign}': No such file or directory\n/tmp\n`);
      expect(again?.output).toBe('kept\nkept\n');
      // The checkout is there all the same, where it lies in the temp folder itself.
      const [, own] = /^\/tmp\/([^/]+)/.exec(import.meta.dirname) ?? [];
      const seen = own === undefined ? '' : `${own}\n`;
      expect(fresh?.output).toBe(`${seen}x\n`);
      expect(cleared?.output).toBe(seen);
      expect(readFileSync(join(place.project, 'deep/er/made'), 'utf8')).toBe('a\n');
      expect(existsSync('/tmp/mine')).toBe(false);
    } finally {
      rmSync(sign);
    }
  });

  test('a protected path stays as it is, and neither it nor a folder above it can be renamed away', async () => {
    const { project } = place;
    mkdirSync(join(project, '.git/hooks'), { recursive: true });
    writeFileSync(join(project, '.git/config'), '[core]\n');
    writeFileSync(join(project, '.git/hooks/pre-commit'), '#!/bin/sh\n');
    writeFileSync(join(project, '.git/index'), 'index');
    mkdirSync(join(project, 'a/b/kept'), { recursive: true });
    const readOnly = ['.git/hooks', '.git/config', 'a/b/kept'].map((name) => join(project, name));
    const before = picture(join(project, '.git'));
    const attacks = [
      'echo evil > .git/hooks/post-checkout',
      'echo evil >> .git/hooks/pre-commit',
      'rm -rf .git/hooks',
      'rm -f .git/config',
      'mv .git/hooks .git/old',
      'mv .git .git-old',
      'rm -rf .git/hooks; ln -s /tmp .git/hooks',
      'echo evil > .git/new && mv -f .git/new .git/config',
      'ln .git/config second && echo evil >> second',
      'mv a a-old',
      'mv a/b a/c',
      'git config core.fsmonitor evil',
      'perl -e \'exit !(syscall(316, -100, ".git", -100, "a", 2) == 0)\'',
    ];
    const [tried, allowed] = await run([
      { command: tryAll(attacks), policy: { readOnly } },
      { command: 'echo new > .git/index && echo x > a/b/beside && echo fine', policy: { readOnly } },
    ]);
    expect(succeeded(attacks, tried)).toEqual([]);
    expect(allowed?.output).toBe('fine\n');
    const after = picture(join(project, '.git'));
    delete after.new;
    expect(after).toEqual({ ...before, index: before.index?.replace('index', 'new\n') });
    expect(existsSync(join(project, 'a/b/kept'))).toBe(true);
  });

  test('with nothing writable, nothing but the private temp can be written', async () => {
    writeFileSync(join(place.project, 'file'), 'as it was');
    const policy = { writable: [] };
    const [refused, read] = await run([
      { command: 'echo x > file || echo x > new || mkdir d || rm file', policy },
      { command: 'cat file; echo t > /tmp/t && cat /tmp/t', policy },
    ]);
    expect(refused?.exitCode).not.toBe(0);
    expect(read?.output).toBe('as it wast\n');
    expect(picture(place.project)).toEqual({ file: '644 as it was' });
  });

  test('credentials are neither read, listed nor changed, and the file behind a link is not either', async () => {
    const { root, project } = place;
    mkdirSync(join(root, '.ssh'));
    writeFileSync(join(root, '.ssh/id_ed25519'), 'a private key');
    writeFileSync(join(root, '.netrc'), 'a password');
    writeFileSync(join(project, '.env'), 'a token');
    symlinkSync(join(root, '.netrc'), join(project, 'innocent'));
    const unreadable = [join(root, '.ssh'), join(root, '.netrc'), join(project, '.env'), join(root, 'missing')];
    const answers = await run(
      [
        'cat ~/.ssh/id_ed25519 ~/.netrc .env innocent; ls -A ~/.ssh; grep -r "private\\|password\\|token" ~',
        'cat /proc/self/root$HOME/.netrc; cd ~ && cat ./.netrc; tar cf - ~/.ssh | grep -a private',
        'mv .env .env-old; ln .env hard; cat .env-old hard; rm -f .env; echo mine > .env',
        'cp -r ~/.ssh copy; cat copy/*; echo key >> ~/.ssh/authorized_keys; mkdir ~/.ssh/x',
      ].map((command) => ({ command, policy: { unreadable } })),
    );
    for (const { output } of answers) expect(output).not.toMatch(/a private key|a password|a token/);
    expect(answers.at(-1)?.exitCode).not.toBe(0);
    expect(picture(join(root, '.ssh'))).toMatchObject({ id_ed25519: expect.stringMatching('a private key') });
    expect(readFileSync(join(project, '.env'), 'utf8')).toBe('a token');
    expect(existsSync(join(root, 'missing'))).toBe(false);
  });

  test('a socket outside is not reached, by its path or through the temp of the machine', async () => {
    const path = join(place.outside, 'agent.sock');
    const server = createServer((socket) => socket.end('signed\n'));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    chmodSync(path, 0o777);
    const connect = `perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die; connect($s, pack_sockaddr_un("${path}")) or die "no: $!\\n"; print <$s>'`;
    try {
      const [outside, inside] = await run([{ command: connect, bare: true }, connect]);
      expect(outside?.output).toBe('signed\n');
      expect(inside?.output).toMatch(/^no: /);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('a folder in memory is bounded, and so is shared memory', async () => {
    const fill = 'head -c 30000000 /dev/zero > $1/big; wc -c < $1/big; rm $1/big';
    const [temp, shared] = await run([
      { command: `f() { ${fill}; }; f /tmp`, policy: { temp: 'fresh' } },
      `f() { ${fill}; }; f /dev/shm`,
    ]);
    for (const answer of [temp, shared]) {
      expect(answer?.output).toMatch(/No space left on device/);
      expect(Number(answer?.output.trim().split('\n').at(-1))).toBeLessThan(21_000_000);
    }
  });
});
