/** What the model works with: a machine, the tools on it, and which of them it is offered. */
import { type Effect, type ExtensionApi, type ResolvedEffect, type RunEvent, wordEntry } from '@tau/core';
import { loadExtensions } from '@tau/extend';
import { type Host, localHost } from '@tau/host';
import type { ShellReader } from '@tau/policy';
import type { Session } from '@tau/session';
import { builtinTools, type Containment, createJobs, type Jobs } from '@tau/tools';
import { type Background, createBackground } from './background.ts';
import type { Settings } from './config/settings.ts';
import type { Desk } from './desk.ts';
import type { AgentOptions } from './options.ts';
import type { Permission } from './permission.ts';
import { without } from './place.ts';
import { createPlan, type Plan } from './plan.ts';
import { familyOf } from './prompt/family.ts';
import { type SandboxUse, sandboxOf } from './sandbox/use.ts';
import { createToolbox, refuseUnknown, type Toolbox, toolNames } from './toolbox.ts';

export interface Workshop {
  host: Host;
  jobs: Jobs;
  /** The same for whoever uses the agent. */
  background: Background;
  plan: Plan;
  toolbox: Toolbox;
  registry: Awaited<ReturnType<typeof loadExtensions>>;
}

export interface WorkshopPlace {
  options: AgentOptions;
  settings: Settings;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Of the project. */
  root: string;
  shell: ShellReader;
  desk: Desk;
  permission: Permission;
  resolve(effects: readonly Effect[], host: Host): Promise<ResolvedEffect[]>;
  session: Session;
  /** To the model. `origin`: who says it. */
  say(text: string, origin: string, deliverAs?: 'steer' | 'followUp'): void;
  status: ExtensionApi['status'];
  emit(event: RunEvent): void;
  warnings: string[];
  sandbox: Pick<SandboxUse, 'facts'>;
  containment: Containment;
}

export async function openWorkshop(place: WorkshopPlace): Promise<Workshop> {
  const { options, settings, env, cwd, root, shell: reader, desk, permission, session, say, warnings } = place;
  const { shell, commandPrefix, env: commandEnv, webFetch } = settings;
  const host = localHost({
    cwd,
    project: root,
    env: without(env, desk.keyVariables),
    ...(shell !== undefined && { shell }),
    ...(commandPrefix !== undefined && { commandPrefix }),
    ...(commandEnv && { commandEnv }),
    ...(webFetch?.privateHosts && { privateHosts: webFetch.privateHosts }),
    ...sandboxOf(place.sandbox.facts, env),
  });
  const background = createBackground({ jobs: () => jobs, say, emit: place.emit });
  const jobs = createJobs(host, { onBackground: () => offer(['jobs']), onJobEnd: background.ended });
  const plan = createPlan({
    permission,
    offer: (names) => offer(names),
    weigh: async (rules) => {
      const { weighPlanRules } = await import('./plan-rules.ts');
      const resolve = (effects: readonly Effect[]) => place.resolve(effects, host);
      return weighPlanRules(rules, { cwd, findTool: toolbox.find, resolve, foresee: permission.foresee });
    },
  });
  const builtin = builtinTools(host, {
    ...settings.limits,
    shell: reader,
    containment: place.containment,
    jobs,
    plan,
    images: () => desk.next(plan.active()).model.images,
    mayRead: permission.mayRead,
    deniesBelow: permission.deniesBelow,
    respectGitignore: settings.respectGitignore ?? true,
    onDemand: {
      // A plan can be approved only in plan mode.
      list: () =>
        toolbox
          .waiting()
          .filter(({ tool }) => tool.name !== 'plan_exit' || plan.active())
          .map(({ tool }) => ({ name: tool.name, snippet: tool.snippet ?? firstSentence(tool.description) })),
      offer: (names) => offer(names),
    },
  });
  const registry = await loadExtensions(
    [
      { extension: builtin, source: 'builtin' },
      ...(options.extensions ?? []).map((extension) => ({ extension, source: 'extension' as const })),
    ],
    { say: (text, deliverAs) => say(text, wordEntry, deliverAs), status: place.status },
  );
  const toolbox = createToolbox(registry.tools(), {
    only: toolNames(options.tools ?? settings.tools),
    exclude: [
      ...(options.excludeTools ?? settings.excludeTools ?? []),
      ...(webFetch?.enabled === false ? ['web_fetch'] : []),
    ],
    builtin: options.builtinTools,
    offered: [
      ...(familyOf(desk.model()) === 'gpt' ? ['apply_patch'] : []),
      ...(plan.active() ? ['plan_exit'] : []),
      ...(session.activeTools() ?? []),
    ],
  });
  if (options.tools || options.excludeTools) refuseUnknown(toolbox.problems);
  else warnings.push(...toolbox.problems);
  function offer(names: readonly string[]): void {
    if (toolbox.offer(names).length > 0) session.setActiveTools(toolbox.names());
  }
  return { host, jobs, background, plan, toolbox, registry };
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}
