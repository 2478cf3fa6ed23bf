/** Programs that change the machine itself: disks, users, the kernel, what starts by itself. */
import type { Invocation, Judge } from '../invocation.ts';
import { alwaysDangerous, forEach, risky, wordSet } from './danger.ts';
import { looksAt, notKnown } from './findings.ts';
import { gives, operandsOf } from './loose.ts';

const disks =
  'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.exfat mkfs.ntfs mkfs.f2fs ' +
  'mkfs.minix mke2fs mkswap mkntfs mkdosfs newfs fdisk gdisk sgdisk cfdisk sfdisk parted partprobe wipefs blkdiscard ' +
  'cryptsetup lvremove vgremove pvremove lvreduce mdadm zpool zfs hdparm badblocks fstrim tune2fs resize2fs';
const accounts =
  'useradd adduser userdel deluser usermod groupadd groupdel groupmod gpasswd passwd chpasswd chsh chfn visudo vipw vigr ' +
  'pwconv newusers';
const firewall = 'iptables ip6tables iptables-restore nft ufw firewall-cmd pfctl';
const kernel = 'modprobe insmod rmmod kexec efibootmgr grub-install update-grub setenforce nvram csrutil spctl';

export const systemPrograms: ReadonlyMap<string, Judge> = new Map([
  ...alwaysDangerous(disks, 'it changes disks or file systems'),
  ...alwaysDangerous('umount swapoff swapon losetup chroot pivot_root', 'it changes which file systems are in use'),
  ...alwaysDangerous(accounts, 'it changes the users of this machine or what they may do'),
  ...alwaysDangerous(firewall, 'it changes which connections this machine lets through'),
  ...alwaysDangerous(kernel, 'it changes the kernel or how the machine starts'),
  ...alwaysDangerous('runuser gosu su-exec s6-setuidgid', 'it runs with the rights of another user'),
  ...alwaysDangerous('setcap', 'it gives a program rights that its callers do not have'),
  ['mount', mount],
  ['sysctl', sysctl],
  ['hostnamectl', ({ words }) => machine(words, /^(set-|hostname$)/)],
  ['timedatectl', ({ words }) => machine(words, /^set-/)],
  ['defaults', ({ words }) => machine(words, /^(write|delete|import|rename)$/)],
  ['scutil', ({ words }) => machine(words, /^/, gives(words, 'set'))],
  ['tau', tau],
  ['gpg', gpg],
  ['gpg2', gpg],
  ...forEach('ssh-keygen ssh-add ssh-agent', () => notKnown('unknown', 'it deals with keys')),
  ...forEach('open xdg-open', () => notKnown('unknown', 'it starts a program that only the machine knows')),
]);

/** Alone it prints what is mounted. */
function mount({ words, open }: Invocation) {
  return words.length === 1 && !open
    ? looksAt([])
    : risky('unknown', 'it changes which file systems are in use', 'it changes which file systems are in use');
}

function sysctl({ words: [, ...words] }: Invocation) {
  const sets = gives(words, 'w', 'write', 'p', 'load', 'system') || words.some((word) => word?.includes('='));
  return risky('unknown', 'it deals with the kernel', sets ? 'it changes how the kernel works' : undefined);
}

function machine(words: Invocation['words'], verb: RegExp, sets = verb.test(operandsOf(words.slice(1))[0] ?? '')) {
  return risky(
    'unknown',
    'it deals with settings of the machine',
    sets ? 'it changes settings of the machine' : undefined,
  );
}

const tauLooks = wordSet('list get explain status test audit');

/** What tau may do is the user's to say, not of whom it runs commands for. */
function tau({ words: [, ...words], open }: Invocation) {
  const [command = '', verb = 'list'] = operandsOf(words);
  const hidden = open || words.includes(undefined);
  const settles = command === 'init' || (/^(?:trust|config|permissions|auth)$/.test(command) && !tauLooks.has(verb));
  const frees = words.some(
    (word) => word !== undefined && /^--(?:permission-mode|approve|allow|add-dir|config)\b/.test(word),
  );
  const danger = hidden || settles || frees ? 'it changes what tau itself may do' : undefined;
  return risky('unknown', 'it starts tau once more', danger);
}

function gpg({ words }: Invocation) {
  const deletes = words.some((word) => word !== undefined && /^--delete-/.test(word));
  return risky('unknown', 'it deals with keys', deletes ? 'it deletes keys' : undefined);
}
