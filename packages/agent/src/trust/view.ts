/** A project's trust for whoever looks at it or decides: what it would enable, what was said, and saying it. */
import { TauError } from '@tau/core';
import { findHome, type Home } from '../config/home.ts';
import { type LoadedSettings, loadSettings } from '../config/settings.ts';
import { realFolder } from '../place.ts';
import { hasContent } from './content.ts';
import { type Enabled, previewTrust } from './preview.ts';
import type { ContentChange, ProjectTrust, TrustState } from './project-trust.ts';
import { readTrust, recordTrust, trustRoot } from './trust.ts';

export interface TrustStatus {
  /** Absent where there is no project. */
  root?: string;
  state: TrustState;
  /** What was said last. When something changed since, it does not count any more. */
  decision?: 'yes' | 'no';
  changed: readonly ContentChange[];
  enables: readonly Enabled[];
  /** Why nothing is trusted whatever was said, or what cannot be looked at. */
  problems: readonly string[];
  /** Whether somebody should be asked: it would enable something, and nobody said anything about this content. */
  open: boolean;
  /** Says it about exactly what was looked at. */
  record(decision: 'yes' | 'no'): Promise<void>;
}

interface Where {
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** Two looks: whether it is worth to ask for the status at all. */
export function mayNeedTrust({ env, cwd }: Where): boolean {
  const root = trustRoot(findHome(env), realFolder(cwd));
  return root !== undefined && hasContent(root);
}

/** Never throws for what stands in the project: a file that cannot be read is one of the problems. */
export async function trustStatus(where: Where): Promise<TrustStatus> {
  const home = findHome(where.env);
  const cwd = realFolder(where.cwd);
  const trust = readTrust(home, cwd);
  const { root, decision, problem } = trust;
  const looked = await lookAt(home, { ...where, cwd }, trust);
  const newRules = trust.trusted ? unseenRules(trust, looked.enables) : [];
  const changed = [...trust.changed, ...newRules];
  const state = newRules.length > 0 ? 'untrusted' : trustState(trust, looked.enables);
  const said = decision !== undefined && changed.length === 0;
  return {
    ...(root !== undefined && { root }),
    ...(decision !== undefined && { decision }),
    ...{ state, changed, enables: looked.enables },
    problems: [...(problem === undefined ? [] : [problem]), ...looked.problems],
    open: state === 'untrusted' && !said && trust.content.problem === undefined,
    async record(next) {
      if (root === undefined) throw new TauError('usage', 'There is no project here', { remedy: 'Run it inside one' });
      if (next === 'yes' && trust.content.problem !== undefined) {
        throw new TauError('configuration', `${root} cannot be trusted: ${trust.content.problem}`);
      }
      if (next === 'yes' && looked.problems.length > 0) {
        throw new TauError('configuration', `${root} cannot be trusted unseen: ${looked.problems.join('; ')}`, {
          remedy: 'Mend that first',
        });
      }
      await recordTrust(home, trust, next);
    },
  };
}

/** Claude Code's rules that would count and are not those that were looked at then. The rest stays trusted meanwhile. */
function unseenRules({ content, coversRules }: ProjectTrust, enables: readonly Enabled[]): ContentChange[] {
  const wanted = enables.filter(
    ({ counts, name, place }) =>
      counts &&
      name === 'permissions.allow' &&
      content.rules.has(place) &&
      !coversRules(place, content.rules.get(place)),
  );
  return [...new Set(wanted.map(({ place }) => place))].map((path) => ({ path, change: 'changed' }));
}

function trustState({ trusted }: ProjectTrust, enables: readonly Enabled[]): TrustState {
  if (trusted) return 'trusted';
  return enables.some(({ counts }) => counts) ? 'untrusted' : 'nothing to trust';
}

async function lookAt(
  home: Home,
  { env, cwd }: Where,
  trust: ProjectTrust,
): Promise<{ enables: Enabled[]; problems: string[] }> {
  if (trust.content.files.size + trust.content.rules.size === 0) return { enables: [], problems: [] };
  try {
    return { enables: await previewTrust(trust, await asUntrusted(home, { env, cwd }, trust)), problems: [] };
  } catch (error) {
    return { enables: [], problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** What is refused without trust is what trust enables. */
function asUntrusted(home: Home, { env, cwd }: Where, trust: ProjectTrust): Promise<LoadedSettings> {
  return loadSettings(home, {
    env,
    cwd,
    trust: () => ({ ...trust, trusted: false, covers: () => false, coversRules: () => false }),
  });
}
