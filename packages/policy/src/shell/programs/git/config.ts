/** Settings of git: which of them name a program, and what a call of `git config` does. */
import type { Effect } from '@tau/core';
import type { Finding, ShellFacts, Word } from '../../invocation.ts';
import { risky } from '../danger.ts';
import { defined, writes } from '../findings.ts';
import { gives, operandsOf, valuesGiven } from '../loose.ts';

export const changesWhatRuns = 'it changes what git runs';

/** Keys in lower letters: programs, files with more settings, and what decides whom git trusts. */
const steering: readonly RegExp[] = [
  /^core\.(pager|editor|sshcommand|fsmonitor|hookspath|gitproxy|askpass|alternaterefscommand|attributesfile|worktree)$/,
  /^(alias|pager|filter|include|includeif|credential|protocol|url|browser|safe|mergetool|difftool|guitool)\./,
  /^(sequence\.editor|diff\.external|gpg\.program|interactive\.difffilter|init\.templatedir|web\.browser)$/,
  /^(diff\..*\.(command|textconv)|merge\..*\.driver|gpg\..*\.program|gpg\.ssh\.defaultkeycommand)$/,
  /^(remote\..*\.(uploadpack|receivepack|vcs|proxy)|submodule\..*\.update|uploadpack\.packobjectshook)$/,
  /^(tar\..*\.command|trailer\..*\.(command|cmd)|man\..*\.(cmd|path)|sendemail\..*(cmd|command)|uploadpack\..*)$/,
];

/** They print or do nothing. */
const tame: ReadonlySet<string> = new Set(['', 'cat', 'less', 'true', 'false', ':', '/dev/null']);

/** True when this setting decides what git starts or believes. */
function isSteering(key: string, value: Word): boolean {
  const folded = key.toLowerCase();
  if (!steering.some((pattern) => pattern.test(folded))) return false;
  return value === undefined || !/^(core|pager|sequence|diff|credential)\.[a-z]+$/.test(folded) || !tame.has(value);
}

/** `key=value`, as `-c` takes it. */
export function isSteeringPair(pair: Word): boolean {
  if (pair === undefined) return true;
  const equals = pair.indexOf('=');
  return equals === -1 ? isSteering(pair, undefined) : isSteering(pair.slice(0, equals), pair.slice(equals + 1));
}

const withValue = '-f --file --blob --type -t --default --comment --value';

export function judgeConfig(words: readonly Word[], facts: ShellFacts): Finding {
  const [first, ...others] = operandsOf(words, withValue);
  const setting = first === 'set' ? others : [first, ...others];
  const [key, value] = setting;
  const unsets = first === 'unset' || gives(words, 'unset', 'unset-all', 'remove-section');
  if (setting.length < 2 && !unsets && !gives(words, 'edit', 'e', 'add', 'replace-all')) {
    return risky('git', 'it prints settings, which may hold passwords', undefined);
  }
  if (unsets) return risky('git', 'it changes a setting of git', undefined, written(words, facts));
  const danger = key === undefined || isSteering(key, value) ? changesWhatRuns : undefined;
  return risky('git', 'it changes a setting of git', danger, written(words, facts));
}

/** Which files it writes, but for the repository's own. */
function written(words: readonly Word[], { home }: ShellFacts): Effect[] {
  const files: Word[] = [...valuesGiven(words, 'file', 'f')];
  if (gives(words, 'global')) files.push(`${home}/.gitconfig`);
  if (gives(words, 'system')) files.push('/etc/gitconfig');
  return defined(writes(files));
}
