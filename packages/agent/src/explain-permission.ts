/**
 * What a run would be allowed to do here. The call goes through the same gate with the same settings, rules and facts as in
 * a run, up to the decision: there is no model, no key, no session, and nothing runs.
 */
import { resolve } from 'node:path';
import {
  type Decision,
  nearest,
  type PermissionMode,
  type RegisteredTool,
  type SandboxState,
  TauError,
  type ToolInput,
  type ToolResult,
} from '@tau/core';
import { createGate } from '@tau/engine';
import { loadExtensions } from '@tau/extend';
import { localHost } from '@tau/host';
import { type Analysis, checkExamples, exampleLines, parseAll, summarise, toolName } from '@tau/policy';
import { builtinTools } from '@tau/tools';
import { openGrants } from './config/grants-file.ts';
import { findHome } from './config/home.ts';
import { type LoadedSettings, loadSettings } from './config/settings.ts';
import { type OpenPermission, openPermission, rulesFrom } from './open-permission.ts';
import type { AgentOptions } from './options.ts';
import { type ListedRule, listRules, modeOrigin } from './permission-list.ts';
import { realFolder } from './place.ts';
import { createPlan } from './plan.ts';
import { openSandbox, type SandboxUse } from './sandbox/use.ts';
import { openTrust } from './trust/trust.ts';

export type PermissionViewOptions = Pick<
  AgentOptions,
  'cwd' | 'env' | 'configFile' | 'projectSettings' | 'permissionMode' | 'rules' | 'addDirs' | 'sandbox'
>;

export interface PermissionView {
  mode: PermissionMode;
  /** What chose the mode: a layer and its place, the command line, or nothing. */
  modeFrom: string;
  sandbox: SandboxState;
  /** Whether commands run in it in this mode. */
  contains: boolean;
  /** Every rule that is written down for this folder, also those that do not count. */
  rules: readonly ListedRule[];
  /** What is wrong with the settings. */
  warnings: readonly string[];
  /** What is wrong with the rules: they mean nothing, too much, or not what their examples say. */
  problems: readonly string[];
  /** How many examples rules carry, and a sentence for each that does not hold. */
  examples: { count: number; problems: readonly string[] };
  /** An error when there is no such tool, or when the tool does not take the input. */
  explain(tool: string, input: ToolInput): Promise<CallAccount>;
  explainCommand(command: string): Promise<CommandAccount>;
}

export interface CallAccount {
  tool: string;
  input: ToolInput;
  decision: Decision;
}

export interface CommandAccount extends CallAccount {
  command: string;
  /** The names of all that is started, each once, in order. */
  programs: readonly string[];
  /** The line taken apart. */
  analysis: Analysis;
}

export async function openPermissionView(options: PermissionViewOptions): Promise<PermissionView> {
  const env = options.env ?? process.env;
  const home = findHome(env);
  const cwd = realFolder(options.cwd);
  const loaded = await loadSettings(home, {
    env,
    cwd: options.projectSettings === false ? undefined : cwd,
    configFile: options.configFile === undefined ? undefined : resolve(cwd, options.configFile),
  });
  const { settings } = loaded;
  const grants = openGrants({ env, cwd });
  const saved = grants.load();
  const sandbox = await openSandbox({ cwd, env, home, settings, wanted: options.sandbox, keep: false });
  const trust = openTrust(home, cwd);
  const usualMode = sandbox.usualMode(trust().trusted);
  const opened = await openPermission({
    ...{ cwd, env, home, settings, layers: loaded.layers, trust, options, saved: saved.rules, usualMode },
    contained: sandbox.holds,
  });
  const { permission, claude, shell, scope } = opened;
  const sets = rulesFrom(settings, { saved: saved.rules, flags: options.rules, claude: claude.sets() });
  const written = parseAll(sets);
  await Promise.all(exampleLines(written.rules).map((line) => shell.ready(line)));
  const examples = checkExamples(written.rules, { scope, analyse: shell.analyse });
  const judge = await createJudge({ cwd, env, loaded, opened, sandbox });
  return {
    mode: permission.mode(),
    modeFrom: await modeOrigin(loaded, options.permissionMode, usualMode),
    sandbox: sandbox.state(),
    contains: sandbox.holds(permission.mode()),
    rules: await listRules(loaded, { rules: saved.rules, path: grants.path }, options.rules, await claude.list()),
    warnings: [...loaded.warnings, ...saved.warnings, ...opened.problems],
    problems: [
      ...new Set([
        ...[...permission.problems, ...written.problems, ...written.warnings],
        ...[...opened.doubtful, ...examples.problems],
      ]),
    ],
    examples: { count: exampleCount(written.rules), problems: examples.problems },
    explain: judge,
    async explainCommand(command) {
      const account = await judge('bash', { command });
      const analysis = shell.analyse(command);
      return { ...account, command, analysis, programs: summarise(analysis).programs };
    },
  };
}

async function createJudge(place: {
  cwd: string;
  env: NodeJS.ProcessEnv;
  loaded: LoadedSettings;
  opened: OpenPermission;
  sandbox: SandboxUse;
}): Promise<PermissionView['explain']> {
  const { cwd, env, loaded, opened, sandbox } = place;
  const { permission, shell } = opened;
  const { settings } = loaded;
  const host = localHost({ cwd, env });
  const builtin = builtinTools(host, {
    ...settings.limits,
    shell,
    containment: { on: sandbox.on, hold: never },
    plan: createPlan({ permission, offer() {}, weigh: async (rules) => ({ allowed: [], ignored: [...rules] }) }),
    mayRead: permission.mayRead,
    deniesBelow: permission.deniesBelow,
    respectGitignore: settings.respectGitignore ?? true,
  });
  const { tools } = await loadExtensions([{ extension: builtin, source: 'builtin' }]);
  const found = new Map<string, RegisteredTool>(tools().map((one) => [one.tool.name, one]));
  const findTool = (name: string) => found.get(name) ?? found.get(toolName(name));
  return async (tool, input) => {
    let denied: Decision | undefined;
    const gate = createGate(
      {
        findTool,
        resolve: (effects) => opened.resolve(effects, host),
        beforeTool: () => undefined,
        decide: permission.decide,
        decided: (_call, decision) => {
          denied = decision;
        },
        emit() {},
        // What comes after a decision, which nothing here gets to.
        ask: never,
        question: never,
        checkpoint: never,
        journal: never,
        afterTool: never,
        keep: never,
      },
      { cwd, resultChars: 1 },
    );
    const registered = findTool(tool);
    if (!registered) throw unknownTool(tool, [...found.keys()]);
    const call = { type: 'toolCall' as const, id: 'explained', name: tool, arguments: input };
    const checked = await gate.check(call, new AbortController().signal);
    const decision = checked.status === 'ready' ? checked.decision : denied;
    if (decision) return { tool: registered.tool.name, input: checked.call.input, decision };
    throw new TauError('usage', refusalOf(checked.status === 'refused' ? checked.result : undefined));
  };
}

function exampleCount(
  rules: readonly { examples?: { match: readonly string[]; notMatch: readonly string[] } }[],
): number {
  return rules.reduce(
    (sum, { examples }) => sum + (examples ? examples.match.length + examples.notMatch.length : 0),
    0,
  );
}

async function never(): Promise<never> {
  throw new Error('a call that is only explained was about to be made');
}

function unknownTool(name: string, known: readonly string[]): TauError {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : `Did you mean ${near}? `;
  return new TauError('usage', `There is no tool "${name}"`, { remedy: `${hint}There are: ${known.join(', ')}` });
}

/** The words a model would get. */
function refusalOf(result: ToolResult | undefined): string {
  const texts = result?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) ?? [];
  return texts.join('\n') || 'The call could not be judged';
}
