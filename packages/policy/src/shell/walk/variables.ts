/** Which variables may be set without changing what commands do. */

const harmless: ReadonlySet<string> = new Set(
  (
    'LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CI NODE_ENV TERM COLUMNS LINES RUST_BACKTRACE RUST_LOG ' +
    'PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GOOS GOARCH CGO_ENABLED DEBUG'
  ).split(' '),
);

/** True for a variable that changes how a program speaks, not what it does. */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name) || /^LC_[A-Z]+$/.test(name);
}

/** Some of them take the name of a file too. */
export function isHarmlessAssignment({ name, value }: { name: string; value: string | undefined }): boolean {
  return isHarmlessVariable(name) && value !== undefined && /^[\w.@:,+= *-]*$/.test(value);
}

const noSecrets: ReadonlySet<string> = new Set(
  (
    'PATH PWD OLDPWD HOME SHELL USER LOGNAME HOSTNAME TMPDIR BASH_VERSION OSTYPE HOSTTYPE MACHTYPE UID EUID PPID BASHPID ' +
    'RANDOM SECONDS EPOCHSECONDS LINENO SHLVL VIRTUAL_ENV'
  ).split(' '),
);

/** True for a variable that anybody may see. */
export function isNoSecret(name: string): boolean {
  return noSecrets.has(name) || isHarmlessVariable(name);
}

/** A name that no program looks at: a line may use it for itself. */
export function isOwnName(name: string): boolean {
  return /^[a-z][a-z0-9]{0,11}$/.test(name) && !name.includes('proxy') && name !== 'histchars';
}

/** How often each name stands in a text without being read by `$`: whoever sets it must name it. */
export function countMentions(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, read, name] of text.matchAll(/(\$\{?[#!]?)?([A-Za-z_]\w*)/g)) {
    if (read === undefined && name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
