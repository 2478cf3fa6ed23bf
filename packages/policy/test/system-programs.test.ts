/** Programs that change the machine itself. */
import { describe, expect, test } from 'vitest';
import { judge } from './judging.ts';

describe.each([
  [
    'it changes disks or file systems',
    ['mkfs.ext4 /dev/sda1', 'mkfs -t xfs x', 'fdisk /dev/sda', 'wipefs -a x', '/sbin/mkfs.xfs x', 'zfs destroy x'],
  ],
  ['it changes which file systems are in use', ['mount /dev/sda1 /mnt', 'umount /mnt', 'losetup -d x', 'swapoff -a']],
  [
    'it changes the users of this machine or what they may do',
    ['useradd x', 'passwd root', 'visudo', 'usermod -aG sudo me', 'chsh -s x'],
  ],
  ['it changes which connections this machine lets through', ['iptables -F', 'ufw disable', 'nft flush ruleset']],
  ['it changes the kernel or how the machine starts', ['modprobe x', 'insmod x.ko', 'rmmod x']],
  [
    'it changes what tau itself may do',
    [
      'tau trust yes --yes',
      'tau trust --yes yes',
      'tau config set permissionMode dangerously',
      'tau permissions add bash',
      'tau auth set anthropic',
      'tau init',
      'tau -p x --permission-mode dangerously',
      'tau -p x --approve=all',
      'tau trust $WORD',
    ],
  ],
  ['it changes how the kernel works', ['sysctl -w a.b=1', 'sysctl a.b=1', 'sysctl -p']],
  ['it gives a program rights that its callers do not have', ['setcap cap_net_raw+ep x']],
  [
    'it changes settings of the machine',
    ['defaults write com.x y z', 'hostnamectl set-hostname x', 'timedatectl set-time x'],
  ],
  ['it deletes keys', ['gpg --delete-secret-keys x']],
] as const)('%s', (danger, lines) => {
  test.each(lines)('%s', (line) => {
    expect(judge(line)).toMatchObject({ known: false, danger });
  });
});

test('mount alone prints what is mounted', () => {
  expect(judge('mount')).toEqual({ class: 'read-only', known: true, effects: [] });
});

test.each([
  'tau trust',
  'tau permissions explain x',
  'tau config get model',
  'tau -p hello',
  'sysctl -a',
  'defaults read com.x',
  'hostnamectl',
  'gpg --list-keys',
  'ssh-keygen -t ed25519',
  'open x',
  'xdg-open x',
])('%s is not known, and no danger', (line) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'unknown', known: false });
  expect(finding).not.toHaveProperty('danger');
});

describe('a program called by its path', () => {
  test('has the dangers of its name', () => {
    expect(judge('/usr/bin/git push --force')).toMatchObject({
      class: 'unknown',
      known: false,
      danger: 'it rewrites or deletes what others have',
    });
  });

  test('has none of its proofs', () => {
    expect(judge('/usr/bin/git status').known).toBe(false);
    expect(judge('./git status').known).toBe(false);
  });
});
