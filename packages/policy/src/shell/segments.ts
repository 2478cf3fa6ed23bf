/**
 * Finds everything in a command line that might run, for rules that forbid or ask. It errs towards finding too much:
 * quotes do not protect, wrappers are looked through, and nothing is too long or too deep.
 */

import { launcherOf } from './launchers.ts';

/** Words that run, or may run, what follows them; `>` is a redirection written before its command. */
const runners =
  'sudo doas su pkexec env command nohup time timeout exec builtin nice ionice chrt taskset stdbuf setsid xargs find fd ' +
  'fdfind parallel watch flock script strace unshare nsenter chroot busybox toybox eval trap source . runuser setpriv ' +
  'numactl systemd-run systemd-inhibit dbus-run-session ssh-agent xvfb-run fakeroot faketime firejail eatmydata chronic ' +
  'proxychains proxychains4 torsocks ltrace valgrind perf hyperfine entr direnv ' +
  'sh bash dash ash zsh ksh fish';
const keywords = 'if then elif else while until do coproc ! >';
const leaders: ReadonlySet<string> = new Set(`${runners} ${keywords}`.split(' '));

export interface Segment {
  words: readonly string[];
  /** Something leads the command, an assignment or a wrapper, so it may begin at any word. */
  anywhere: boolean;
}

export function looseSegments(line: string): Segment[] {
  const joined = line.replaceAll('\\\n', '').replace(/\$\{?IFS\}?/g, ' ');
  const segments: Segment[] = [];
  for (const part of joined.split(/[;&|\n(){}`]/)) {
    const words = looseWords(part);
    const [first] = words;
    if (first !== undefined) segments.push({ words, anywhere: isAssignment(first) || leads(words) });
  }
  return segments;
}

/** The first word, with those after it, starts what follows. */
function leads(words: readonly string[]): boolean {
  const name = baseName(words[0] ?? '');
  return leaders.has(name) || launcherOf(name, words) !== undefined;
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(word);
}

/** The words of a text with quotes and backslashes gone, and each redirection as a `>` of its own. */
function looseWords(text: string): string[] {
  const spaced = text.replace(/(^|\s)[0-9]+(?=[<>])/g, '$1').replace(/[<>]+/g, ' > ');
  const words: string[] = [];
  for (const raw of spaced.split(/\s+/)) {
    const word = raw.replace(/\$(?=['"])|['"\\]/g, '');
    if (word !== '') words.push(word);
  }
  return words;
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
