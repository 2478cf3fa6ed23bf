/**
 * The profile that macOS's sandbox reads: a list of rules in which the last one that matches wins. Made as text for one
 * command. Not run by our tests, which have no macOS: they read the text.
 */
import type { SandboxPolicy } from '../sandbox.ts';

export interface ProfilePlaces {
  /** The private temporary folder of the session. */
  temp: string;
  /** The one port on this machine that may be connected to; the proxy listens there. */
  proxyPort?: number;
}

/** Programs need them to start at all: who they are, what time it is, what the machine can do. */
const services: readonly string[] = [
  'com.apple.system.notification_center',
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.system.logger',
  'com.apple.logd',
  'com.apple.cfprefsd.agent',
  'com.apple.cfprefsd.daemon',
  'com.apple.trustd.agent',
  'com.apple.FSEvents',
];

/** Written by nearly every program, and harmless. */
const devices: readonly string[] = [
  '/dev/null',
  '/dev/zero',
  '/dev/tty',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/dtracehelper',
];

export function seatbeltProfile(policy: SandboxPolicy, { temp, proxyPort }: ProfilePlaces): string {
  const writable = [...policy.writable, temp];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow user-preference-read)',
    '(allow ipc-posix-sem)',
    '(allow pseudo-tty)',
    `(allow mach-lookup ${services.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
    '(allow file-read*)',
    '(allow file-ioctl (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    `(allow file-write* ${devices.map((path) => `(literal ${quoted(path)})`).join(' ')})`,
    ...writable.map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...policy.readOnly.flatMap((path) => keptAsItIs(path, writable)),
    ...policy.unreadable.flatMap((path) => [
      `(deny file-read* file-write* (subpath ${quoted(path)}))`,
      ...keptAsItIs(path, writable),
    ]),
    // Sockets in the file system lead to whoever listens there.
    ...network(policy, writable, proxyPort),
    '',
  ].join('\n');
}

/** Neither it nor a folder above it can be renamed away and replaced. It need not exist. */
function keptAsItIs(path: string, writable: readonly string[]): string[] {
  const parents: string[] = [];
  for (let at = parentOf(path); writable.some((root) => at.startsWith(`${root}/`)); at = parentOf(at)) parents.push(at);
  return [
    `(deny file-write* (subpath ${quoted(path)}))`,
    ...parents.map((parent) => `(deny file-write-unlink (literal ${quoted(parent)}))`),
  ];
}

function network(policy: SandboxPolicy, writable: readonly string[], proxyPort: number | undefined): string[] {
  if (policy.network === 'host') return ['(allow network*)'];
  const own = writable.flatMap((path) => [
    `(allow network-bind (local unix-socket (subpath ${quoted(path)})))`,
    `(allow network-outbound (remote unix-socket (subpath ${quoted(path)})))`,
  ]);
  const loopback = [
    '(allow network-bind (local ip "localhost:*"))',
    '(allow network-inbound (local ip "localhost:*"))',
  ];
  if (policy.network === 'none' || proxyPort === undefined) return own;
  return [...own, ...loopback, `(allow network-outbound (remote ip "localhost:${proxyPort}"))`];
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** A string as the profile's language writes it. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
