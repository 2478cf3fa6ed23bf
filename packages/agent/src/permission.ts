/** What may happen: the mode of the moment and the rules, for the gate and for whoever shows search results. */
import type { Decision, GateCall, Outcome, PermissionMode, ResolvedEffect, ToolSource } from '@tau/core';
import {
  checkExamples,
  type Dialect,
  decide,
  deniesBelow,
  exampleLines,
  type GuardedPlaces,
  guardedPlaces,
  inOurWords,
  type Opens,
  opensFor,
  type PathScope,
  parseAll,
  parseRules,
  type Rule,
  type RuleSet,
  type ShellReader,
  unreadablePlaces,
  withPlaces,
} from '@tau/policy';
import { realPlace } from './place.ts';

/** Where a rule comes from: `always` is what the user allowed for good, `claude` a file of Claude Code. */
type RuleOrigin = 'settings' | 'flag' | 'session' | 'always' | 'claude';

export type RulesFrom = RuleSet & Dialect & { origin?: RuleOrigin };

export interface RuleInForce {
  outcome: Outcome;
  rule: string;
  origin: RuleOrigin;
  /** Of Claude Code. */
  file?: string;
}

interface Disk {
  /** With something in it. */
  isRepository(path: string): boolean;
  isFolder(path: string): boolean;
}

export interface Permission {
  mode(): PermissionMode;
  setMode(mode: PermissionMode): void;
  decide(call: GateCall, source: ToolSource, effects: readonly ResolvedEffect[]): Decision;
  /** The same, as if the mode were the usual one. */
  foresee(call: GateCall, source: ToolSource, effects: readonly ResolvedEffect[]): Decision;
  /**
   * May a search that began at `root` show the file? Not what no answer of the user's would let the model read, and what
   * a rule asks about only where it asked about the whole search. Both paths are where things really are.
   */
  mayRead(path: string, root: string): boolean;
  /** Why a file is kept from the model even when the user hands it over: a rule denies it, or it holds credentials. */
  refusal(path: string, resolved: string): string | undefined;
  /** False when nothing below the folder can be kept from the model: then nobody has to count. */
  deniesBelow(folder: string): boolean;
  /** What a sandbox keeps from commands, by path. `opened`: by a rule, to this one. */
  guarded(disk: Disk, opened?: readonly string[]): GuardedPlaces;
  /** The same for commands that cannot write. */
  unreadable(): string[];
  /** What rules that allow the whole line open to it in the sandbox, as real paths. */
  opens(line: string): Opens;
  /** These instead of those it was made with. Says which of them mean nothing. */
  setRules(rules: readonly (RulesFrom | undefined)[]): readonly string[];
  /** Other folders count as inside now: rules about what is inside mean these, too. */
  setFolders(): void;
  /** Beside the others, whatever becomes of them. What is wrong with the rule, if anything. */
  addRule(outcome: Outcome, text: string): string | undefined;
  /** Deny first, as they are asked. */
  rules(): RuleInForce[];
  /** The same for another agent, which finds what Claude Code's files allow by itself. */
  portable(): Record<Outcome, string[]>;
  /** Rules that mean nothing. */
  problems: readonly string[];
}

export function createPermission(options: {
  mode: PermissionMode;
  rules: readonly (RulesFrom | undefined)[];
  scope: PathScope;
  shell: ShellReader;
  /** Whether commands run in a sandbox in this mode. Without it they do not. */
  contained?: (mode: PermissionMode) => boolean;
  /** Where the paths of a rule lead, see `setting-places.ts`. Without it nowhere. */
  openedBy?: (rule: readonly string[]) => readonly string[];
  /** Why no command in it reaches a host. */
  unreachable?: (host: string) => string | undefined;
}): Permission {
  const { scope, shell, contained = () => false, openedBy = () => [], unreachable = () => undefined } = options;
  let { mode } = options;
  let given = options.rules;
  const added: RulesFrom[] = [];
  const policyOf = (sets: readonly (RulesFrom | undefined)[]) => {
    const { rules, problems } = parseAll([...sets, ...added]);
    const checked = checkExamples(rules, { scope, analyse: shell.analyse });
    return {
      rules: withPlaces(checked.rules, scope, realPlace),
      problems: [...new Set([...problems, ...checked.problems])],
      scope,
    };
  };
  let policy = policyOf(given);
  const policyIn = (now: PermissionMode) => ({
    ...{ ...policy, analyse: shell.analyse, mode: now },
    ...(contained(now) && { contained: true, unreachable }),
  });
  // A mode that denies what would ask has judged the search as a whole already.
  const readingOf = (path: string, resolved = path) =>
    decide({ id: '', toolName: 'read', input: { path } }, 'builtin', [{ kind: 'read', path, resolved }], {
      ...policy,
      analyse: shell.analyse,
      mode: mode === 'dangerously' ? mode : 'default',
    });
  return {
    mode: () => mode,
    setMode(next) {
      mode = next;
    },
    decide: (call, source, effects) => decide(call, source, effects, policyIn(mode)),
    foresee: (call, source, effects) => decide(call, source, effects, policyIn('default')),
    mayRead(path, root) {
      const { outcome, rule } = readingOf(path);
      if (outcome !== 'ask' || rule === undefined) return outcome !== 'deny';
      return readingOf(root).rule === rule;
    },
    refusal(path, resolved) {
      const { outcome, reason } = readingOf(path, resolved);
      return outcome === 'deny' ? reason : undefined;
    },
    deniesBelow: (folder) => deniesBelow(folder, policy.rules, scope),
    guarded({ isRepository, isFolder }, opened = []) {
      const open = { ...scope, writable: [...(scope.writable ?? []), ...opened] };
      return guardedPlaces(open, policy.rules, isRepository, isFolder);
    },
    unreadable: () => unreadablePlaces(scope, policy.rules),
    opens(line) {
      const { writable, hosts } = opensFor(policy.rules, line, { scope, analyse: shell.analyse });
      return { writable: openedBy(writable), hosts };
    },
    setRules(sets) {
      given = sets;
      policy = policyOf(sets);
      return policy.problems;
    },
    setFolders() {
      policy = policyOf(given);
    },
    addRule(outcome, text) {
      const rule: RulesFrom = { [outcome]: [text], origin: 'session' };
      const [problem] = parseRules(rule).problems;
      if (problem !== undefined) return problem;
      if (added.some((one) => one[outcome]?.includes(text))) return undefined;
      added.push(rule);
      policy = policyOf(given);
      return undefined;
    },
    rules() {
      const all = [...given, ...added].flatMap((set = {}) =>
        parseAll([set]).rules.map(({ outcome, text: rule, file }) => ({
          ...{ outcome, rule, origin: set.origin ?? 'settings' },
          ...(file !== undefined && { file }),
        })),
      );
      // One of Claude Code's may stand for several.
      const once = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
      return (['deny', 'ask', 'allow'] as const).flatMap((outcome) => once.filter((one) => one.outcome === outcome));
    },
    portable() {
      const sets = [...given, ...added];
      const { rules } = parseAll(sets.map((set) => (set?.origin === 'claude' ? { ...set, allow: [] } : set)));
      const of = (outcome: Outcome) => rules.filter((rule) => rule.outcome === outcome).map(portableText);
      return { allow: of('allow'), ask: of('ask'), deny: of('deny') };
    },
    problems: policy.problems,
  };
}

function portableText(rule: Rule): string {
  return rule.file === undefined ? rule.text : inOurWords(rule);
}

/** Resolves when the examples that rules carry can be checked: see `checkExamples`. */
export async function readyForExamples(sets: readonly (RuleSet | undefined)[], shell: ShellReader): Promise<void> {
  const carries = ({ allow = [], ask = [], deny = [] }: RuleSet = {}) =>
    [...allow, ...ask, ...deny].some((entry) => typeof entry !== 'string');
  if (!sets.some(carries)) return;
  await Promise.all(exampleLines(parseAll(sets).rules).map((line) => shell.ready(line)));
}
