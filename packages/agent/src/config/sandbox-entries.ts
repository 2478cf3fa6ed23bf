/** Entries of the sandbox's lists that would silently mean nothing: paths that are none, hosts that are none. */
import { normalize } from 'node:path/posix';
import { isRecord, type Problem } from '@tau/core';
import { parseRules } from '@tau/policy';

const checks: Readonly<Record<string, (entry: string) => string | undefined>> = {
  writable: pathProblem,
  unreadable: (entry) =>
    normalize(entry) === '/' ? 'would hide everything: name the folders that are meant' : pathProblem(entry),
  hosts: hostProblem,
};

/** In what a settings file says. */
export function entryProblems({ sandbox, permissions }: Record<string, unknown>): Problem[] {
  const rules: readonly unknown[] = isRecord(permissions) && Array.isArray(permissions.allow) ? permissions.allow : [];
  return [
    ...problemsIn(sandbox, ['sandbox']),
    ...rules.flatMap((rule, index) => problemsIn(rule, ['permissions', 'allow', String(index)])),
  ];
}

function problemsIn(lists: unknown, at: readonly string[]): Problem[] {
  if (!isRecord(lists)) return [];
  return Object.keys(checks).flatMap((key) => {
    const problems = listProblems(`sandbox.${key}`, lists[key]);
    return problems.map((one) => ({ ...one, path: [...at, key, ...one.path] }));
  });
}

/** In one setting, by its name. */
export function listProblems(name: string, value: unknown): Problem[] {
  const [, key = ''] = /^sandbox\.(\w+)$/.exec(name) ?? [];
  const check = checks[key];
  if (check === undefined || !Array.isArray(value)) return [];
  return value.flatMap((entry: unknown, index): Problem[] => {
    const why = typeof entry === 'string' ? check(entry) : undefined;
    return why === undefined
      ? []
      : [{ path: [String(index)], message: `${JSON.stringify(entry)} ${why}`, unknownKey: false }];
  });
}

/** Square brackets are in the names of many folders; of those it is told when there is no such folder. */
function pathProblem(entry: string): string | undefined {
  if (/[*?]|\{[^{}]*,[^{}]*\}/.test(entry)) {
    return 'is a pattern, which is not understood here: name the file itself, or the folder that holds it';
  }
  if (/(?:^|\/)\$(?:\{|[A-Z_][A-Z0-9_]*(?:\/|$))/.test(entry)) {
    return 'has a variable in it, which is not understood here: write the whole path, or ~/ for what is in your home';
  }
  if (/^~[^/]/.test(entry)) {
    return 'is not understood: write the whole path of what is in another home, or ./~ for a name that begins so';
  }
  return undefined;
}

function hostProblem(entry: string): string | undefined {
  const [, name = entry, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry.trim()) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    return 'is no host: a port is a number from 1 to 65535';
  }
  if (name === '*' || parseRules({ allow: [`network(domain:${name})`] }).problems.length === 0) return undefined;
  return `is no host: write ${hostIn(entry)}`;
}

/** What was likely meant. */
function hostIn(entry: string): string {
  const host = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry) && URL.canParse(entry) ? new URL(entry).host : '';
  return host === '' ? 'example.org, *.example.org or example.org:443' : JSON.stringify(host);
}
