/**
 * Git that only looks. A repository's own configuration can name programs to run, and even a look may write: what is
 * listed here turns that off for commands that are proved to only read, and for what tau asks git itself.
 */

/** Set above every configuration file. What a repository names freely (filters, drivers) cannot be turned off here. */
export const calmGitSettings: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.sshCommand', 'false'],
  ['core.untrackedCache', 'false'],
  ['diff.autoRefreshIndex', 'false'],
  ['diff.submodule', 'short'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
];

const calmVariables = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
};

/** The environment with all of that in it; settings that the user gave the same way stay, below these. */
export function withCalmGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => name !== 'GIT_EXTERNAL_DIFF' && !name.startsWith('GIT_TRACE'));
  const given = Number(env.GIT_CONFIG_COUNT ?? 0);
  const first = Number.isInteger(given) && given >= 0 ? given : 0;
  const settings = calmGitSettings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key] as const,
    [`GIT_CONFIG_VALUE_${first + index}`, value] as const,
  ]);
  return {
    ...Object.fromEntries(kept),
    ...calmVariables,
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(first + calmGitSettings.length),
  };
}
