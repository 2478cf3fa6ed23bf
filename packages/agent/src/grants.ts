/**
 * What the user allowed and denied on the way: in the session, where it is found again when the session goes on, and for
 * good in a file of tau's home. What a session allows counts only where its file is the user's own.
 */
import { statSync } from 'node:fs';
import { describeError, type Grant, grantEntry, type Outcome } from '@tau/core';
import type { PathScope } from '@tau/policy';
import type { Session } from '@tau/session';
import { type Grants as GrantsFile, grantsPrint, type SavedRules } from './config/grants-file.ts';
import { realPath } from './config/layers.ts';
import type { Permission } from './permission.ts';
import { isBelow } from './place.ts';

export interface SessionGrants {
  /** What the user should know about them. */
  problems: readonly string[];
  /** For the rest of the session. Throws nothing: a rule that means nothing must have been refused before. */
  add(outcome: 'allow' | 'deny', rules: readonly string[]): void;
  /** A run begins, so there is a session to write to: an agent that is never asked leaves no file. */
  begin(): void;
  /** The conversation goes on from elsewhere: what counted before counts there too. */
  moved(before: readonly Grant[]): void;
}

export interface SessionGrantsPlace {
  session: Session;
  permission: Permission;
  cwd: string;
  /** Whether what the session allowed was allowed by the user, see `isUsersOwn`. */
  believed: boolean;
}

export function openSessionGrants({ session, permission, cwd, believed }: SessionGrantsPlace): SessionGrants {
  const problems: string[] = [];
  const waiting: Grant[] = [];
  let begun = false;
  const write = (grant: Grant) => {
    if (begun) session.append({ type: 'custom', customType: grantEntry, data: grant });
    else waiting.push(grant);
  };

  const all = session.grants();
  const last = all.findLastIndex(({ reset }) => reset);
  const allowed = all.slice(last + 1).filter(({ rules }) => rules.length > 0);
  const here = allowed.filter((grant) => grant.cwd === cwd);
  const elsewhere = allowed.length - here.length;
  // A denial takes nothing from anybody, whoever wrote it.
  for (const rule of all.filter((grant) => grant.cwd === cwd).flatMap(({ deny = [] }) => deny)) {
    permission.addRule('deny', rule);
  }
  if (believed) for (const rule of here.flatMap(({ rules }) => rules)) permission.addRule('allow', rule);
  else if (here.length > 0) {
    problems.push(`${whatIt(here)} does not count: its file may have been written by somebody else than you`);
    // A copy is in the user's own folder, and would be believed the next time.
    waiting.push({ cwd, rules: [], reset: true });
  }
  if (elsewhere > 0) problems.push('What this session allowed in another folder does not count in this one');

  return {
    problems,
    add(outcome, rules) {
      for (const rule of rules) permission.addRule(outcome, rule);
      write(outcome === 'allow' ? { cwd, rules } : { cwd, rules: [], deny: rules });
    },
    begin() {
      begun = true;
      for (const grant of waiting.splice(0)) write(grant);
    },
    moved(before) {
      const there = session.grants();
      for (const rule of there.filter((grant) => grant.cwd === cwd).flatMap(({ deny = [] }) => deny)) {
        permission.addRule('deny', rule);
      }
      const known = new Set(there.map((grant) => JSON.stringify(grant)));
      for (const grant of before.filter((one) => !known.has(JSON.stringify(one)))) {
        session.append({ type: 'custom', customType: grantEntry, data: grant });
      }
    },
  };
}

const maxNamed = 5;

function whatIt(grants: readonly Grant[]): string {
  const rules = [...new Set(grants.flatMap((grant) => grant.rules))];
  const more = rules.length > maxNamed ? ` and ${rules.length - maxNamed} more` : '';
  return `What this session allowed before (${rules.slice(0, maxNamed).join(', ')}${more})`;
}

/**
 * True when nobody but the user can have written the file: it lies in the folder of sessions, belongs to the user alone,
 * and no tool may write there unasked.
 */
export function isUsersOwn(path: string, folders: readonly string[], scope: PathScope): boolean {
  const real = realPath(path);
  if (!folders.some((folder) => isBelow(real, realPath(folder)))) return false;
  const found = statSync(real, { throwIfNoEntry: false });
  if (!found?.isFile() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) return false;
  return isBelow(real, scope.tauHome) || ![...scope.roots, ...scope.temp].some((folder) => isBelow(real, folder));
}

export interface SavedGrants {
  rules(): SavedRules;
  problems: readonly string[];
  /** Reads the file again if it is another one. What to say about it; undefined when nothing changed. */
  reload(): { warnings: readonly string[] } | undefined;
  add(outcome: Outcome, rules: readonly string[]): Promise<void>;
}

/** Throws when the file cannot be understood: it may deny something. Later that leaves everything as it was. */
export function openSavedGrants(file: GrantsFile): SavedGrants {
  let print = grantsPrint(file.path);
  const first = file.load();
  let { rules } = first;
  return {
    rules: () => rules,
    problems: first.warnings,
    reload() {
      const now = grantsPrint(file.path);
      if (now === print) return undefined;
      print = now;
      try {
        const loaded = file.load();
        rules = loaded.rules;
        return { warnings: loaded.warnings };
      } catch (error) {
        return { warnings: [`What was allowed and denied before stays, because ${describeError(error)}`] };
      }
    },
    async add(outcome, given) {
      await file.add(outcome, given);
      ({ rules } = file.load());
      print = grantsPrint(file.path);
    },
  };
}
