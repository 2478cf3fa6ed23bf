/**
 * The user's word in a session: what was allowed before and where that is kept, who is asked, what was said beforehand,
 * and the record of it all. `permission` decides, this is where its rules of the moment and the answers come from.
 */
import type { Decision, PermissionMode, RunPorts, SandboxViolation } from '@tau/core';
import { TauError } from '@tau/core';
import type { Analysis, RuleSet, ShellReader } from '@tau/policy';
import type { Session } from '@tau/session';
import { type Approvals, type ApprovalsOptions, createApprovals } from './approvals.ts';
import { createAudit } from './audit.ts';
import { auditPath } from './audit-read.ts';
import type { ClaudeRules } from './claude-rules.ts';
import type { Home } from './config/home.ts';
import type { Layer } from './config/settings.ts';
import type { Settings } from './config/types.ts';
import { createDenialTracker } from './denials.ts';
import type { SavedGrants, SessionGrants } from './grants.ts';
import { rulesFrom } from './open-permission.ts';
import type { AgentOptions } from './options.ts';
import type { Permission } from './permission.ts';
import type { SandboxUse } from './sandbox/use.ts';
import type { ApprovalWindow } from './windows.ts';

export interface Consent {
  ports: Required<Pick<RunPorts, 'ask' | 'decided' | 'afterDenial'>>;
  /** The sandbox refused a command something. */
  refused(violation: SandboxViolation, command: string): void;
  /** And it failed. Words for the model, when it was one time too many. */
  insisted(violation: SandboxViolation): string | undefined;
  approvals: Approvals;
  /** Whether there is somebody whom a question would reach. */
  attended(): boolean;
  /** For the rest of the session. Throws when the rule means nothing. */
  addRule(outcome: 'allow' | 'deny', rule: string): void;
  /** The rules of these settings, with what was saved and what others say. Which of them mean nothing, and did not before. */
  useRules(settings: Settings, layers: readonly Layer[]): Promise<readonly string[]>;
  /** A run begins. What to say about rules that were saved or damaged meanwhile. */
  begin(): Promise<readonly string[]>;
  state(): { permissionMode: PermissionMode; rules: RuleSet; approval: ApprovalWindow; sandbox?: boolean };
  close(): void;
}

export interface ConsentPlace {
  options: Pick<AgentOptions, 'ask' | 'approval' | 'rules'>;
  home: Home;
  cwd: string;
  session: Session;
  permission: Permission;
  claude: ClaudeRules;
  shell: ShellReader;
  saved: SavedGrants;
  grants: SessionGrants;
  sandbox: Pick<SandboxUse, 'wish'>;
  /** As they count now. */
  settings(): Settings;
  scrub(text: string): string;
  notice: ApprovalsOptions['notice'];
}

export function openConsent(place: ConsentPlace): Consent {
  const { options, permission, claude, shell, saved, grants, settings, notice } = place;
  let told = new Set(permission.problems);
  /** Which of them mean nothing, if that was not said before. */
  const setRules = (now: Settings) => {
    const rules = rulesFrom(now, { saved: saved.rules(), flags: options.rules, claude: claude.sets() });
    const problems = permission.setRules(rules);
    const fresh = problems.filter((text) => !told.has(text));
    told = new Set(problems);
    return fresh;
  };
  const approvals = createApprovals({
    ask: options.ask,
    shellConfirm: () => settings().shellConfirm !== false,
    grant: {
      session: (rules) => grants.add('allow', rules),
      async always(rules) {
        await saved.add('allow', rules);
        setRules(settings());
      },
    },
    notice,
  });
  if (options.approval !== undefined) approvals.setApproval(options.approval);
  const denials = createDenialTracker({
    programs: (command) => riskyPrograms(shell.analyse(command)),
    notice: (text) => notice('warning', text),
  });
  const audit = createAudit({
    path: auditPath(place.home),
    sessionId: place.session.header.id,
    cwd: place.cwd,
    enabled: () => settings().auditLog !== false,
    scrub: place.scrub,
    warn: (text) => notice('warning', text),
  });
  return {
    ports: { ask: approvals.ask, decided: audit.write, afterDenial: denials.denied },
    refused(violation, command) {
      const effects = [{ kind: 'exec', command, readOnly: false } as const];
      audit.write({ id: '', toolName: 'bash', input: { command } }, { ...refusalOf(violation), effects });
    },
    // The same thing again and again is what counts: programs try much that is none of the model's doing.
    insisted: (violation) => denials.denied({ id: '', toolName: 'bash', input: {} }, refusalOf(violation)),
    approvals,
    attended: () => options.ask !== undefined && approvals.approval().policy !== 'none',
    addRule(outcome, rule) {
      const problem = permission.addRule(outcome, rule);
      if (problem !== undefined) throw new TauError('usage', problem);
      grants.add(outcome, [rule]);
    },
    async useRules(now, layers) {
      const about = await claude.use(layers);
      return [...about, ...setRules(now)];
    },
    async begin() {
      denials.begin();
      const again = saved.reload();
      const about = await claude.reload();
      const problems = again || about ? setRules(settings()) : [];
      return [...(again?.warnings ?? []), ...(about ?? []), ...problems];
    },
    state() {
      const { policy, until } = approvals.approval();
      const walls = place.sandbox.wish(permission.mode());
      return {
        permissionMode: permission.mode(),
        rules: permission.portable(),
        approval: until === undefined ? policy : { forMs: Math.max(1, until - Date.now()) },
        ...(walls !== undefined && { sandbox: walls }),
      };
    },
    close() {
      approvals.close();
      audit.close();
    },
  };
}

/** What a command line starts that is not known to be harmless; if all of it is, the first. */
function riskyPrograms({ parts }: Analysis): string[] {
  const names = (of: typeof parts) => of.flatMap(({ invocation }) => invocation.words[0] ?? []);
  const risky = parts.filter(({ finding }) => !finding.known || finding.danger !== undefined);
  return names(risky.length > 0 ? risky : parts.slice(0, 1));
}

function refusalOf({ what, path, host, call, reason: why, happened }: SandboxViolation): Decision {
  const how = happened ? 'the sandbox could not keep it from making' : `the sandbox refused to ${what}`;
  const reason = `${how} ${path ?? host ?? call}${why === undefined ? '' : `: ${why}`}`;
  return { outcome: 'deny', reason, effects: [], class: 'unknown' };
}
