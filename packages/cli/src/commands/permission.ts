/** Commands about what may happen: mode, rules, standing answers, hooks, trust. */
import {
  type Agent,
  approvalWords,
  describeApproval,
  type PermissionMode,
  parseApproval,
  permissionModes,
  TauError,
  trustStatus,
} from '@tau/agent';
import { sandboxText } from '../render/sandbox.ts';
import { visibleLine } from '../render/visible.ts';
import { type Command, type CommandWorld, oneOf } from './command.ts';
import { modeMeanings } from './modes.ts';

export function permissionCommands(): readonly Command[] {
  return [modeCommand, planCommand(), ...others];
}

const modeCommand: Command = {
  ...{
    name: 'mode',
    argument: '[MODE]',
    help: 'what may happen without asking: default, plan, auto …',
    panel: 'mode',
    whileAsked: true,
  },
  choices: () => permissionModes,
  run: mode,
};

const others: readonly Command[] = [
  {
    ...{ name: 'approve', argument: '[WORD]', help: 'answer beforehand: ask, all, none, or all for a time as 10m' },
    ...{ whileAsked: true, choices: () => ['ask', 'all', 'none', '10m', '1h'], run: approve },
  },
  {
    ...{ name: 'permissions', help: 'the rules that count, and where they come from', panel: 'permissions' },
    whileAsked: true,
    run: (_, { agent }) => rules(agent),
  },
  {
    name: 'allow',
    argument: 'RULE',
    help: 'allow it for this session: bash(npm test:*)',
    whileAsked: true,
    run: allow,
  },
  {
    name: 'deny',
    argument: 'RULE',
    help: 'deny it for this session; beats every other rule',
    whileAsked: true,
    run: deny,
  },
  {
    ...{ name: 'add-dir', argument: '[FOLDER]', help: 'another folder to work in, for this sitting' },
    run: addDir,
  },
  {
    ...{ name: 'sandbox', argument: '[on|off]', help: 'whether commands run in a sandbox; switch it' },
    ...{ choices: () => ['on', 'off'], run: sandbox },
  },
  { name: 'hooks', help: 'what runs at which event, and where it is declared', run: (_, { agent }) => hooks(agent) },
  {
    ...{ name: 'trust', argument: '[yes|no]', help: 'what this project would enable; trust it or not' },
    choices: () => ['yes', 'no'],
    run: trust,
  },
];

function mode(argument: string, { agent }: CommandWorld): string {
  if (argument !== '') agent.setPermissionMode(oneOf(permissionModes, argument, 'mode'));
  return modeText(agent);
}

/** A standing answer is told where there is one. */
function modeText({ permissionMode, approval }: Agent): string {
  const standing = approval.policy === 'ask' ? '' : `\napprove: ${describeApproval(approval)}`;
  return `mode: ${permissionMode} (${modeMeanings[permissionMode]})${standing}`;
}

function addDir(argument: string, { agent }: CommandWorld): string {
  if (argument !== '') agent.addFolder(argument);
  return `What counts as inside:\n${agent
    .folders()
    .map((folder) => `  ${visibleLine(folder)}`)
    .join('\n')}`;
}

function sandbox(argument: string, { agent }: CommandWorld): string {
  if (argument !== '') agent.setSandbox(oneOf(['on', 'off'], argument, 'state') === 'on');
  return `sandbox: ${sandboxText(agent)}`;
}

/** Once more: back to the mode in which it was said. */
function planCommand(): Command {
  let before: PermissionMode = 'default';
  return {
    ...{ name: 'plan', help: 'only look and plan from now on; once more: back' },
    run(argument, world) {
      if (argument !== '') throw new TauError('usage', '/plan takes no argument', { remedy: 'Say it as a prompt' });
      const { permissionMode } = world.agent;
      if (permissionMode !== 'plan') before = permissionMode;
      return mode(permissionMode === 'plan' ? before : 'plan', world);
    },
  };
}

function approve(argument: string, { agent }: CommandWorld): string {
  const window = argument === '' ? undefined : parseApproval(argument);
  if (argument !== '' && window === undefined) {
    throw new TauError('usage', `"${argument}" cannot be approved with`, { remedy: `Use ${approvalWords}` });
  }
  if (window !== undefined) agent.setApproval(window);
  return `approve: ${describeApproval(agent.approval)}`;
}

function rules(agent: Agent): string {
  const rows = agent.rules().map(({ outcome, rule, origin, file }) => {
    return `  ${outcome.padEnd(5)}  ${visibleLine(rule)}  (${visibleLine(file ?? origin)})`;
  });
  return [
    modeText(agent),
    ...(rows.length > 0 ? ['Deny beats ask beats allow:', ...rows] : ['There are no rules.']),
  ].join('\n');
}

function hooks(agent: Agent): string {
  const rows = agent.hooks().map(({ event, what, only, source }) => {
    return `  ${event.padEnd(16)}  ${what}${only === undefined ? '' : `  for ${only}`}  (${source})`;
  });
  return rows.length > 0 ? rows.join('\n') : 'There are no hooks.';
}

function allow(argument: string, { agent }: CommandWorld): string {
  agent.allow(needRule(argument));
  return `Allowed for this session: ${argument}`;
}

function deny(argument: string, { agent }: CommandWorld): string {
  agent.deny(needRule(argument));
  return `Denied for this session: ${argument}`;
}

async function trust(argument: string): Promise<string> {
  const status = await trustStatus({ env: process.env, cwd: process.cwd() });
  const shown = (await import('../trust/lines.ts')).statusLines(status).join('\n');
  if (argument === '') return shown;
  const decision = oneOf(['yes', 'no'], argument, 'answer');
  await status.record(decision);
  if (decision === 'no') return 'This project is not trusted. What the session was made of stays until the next.';
  if (status.state === 'nothing to trust') {
    return 'This project is trusted: it enables nothing by itself, and from the next prompt on its mode is that of a trusted one.';
  }
  // It may not be what was shown before.
  return `${shown}\n\nThis project is trusted as it is now: rules, mode and hooks count from the next prompt on, the rest in the next session.`;
}

function needRule(argument: string): string {
  if (argument !== '') return argument;
  throw new TauError('usage', 'Which rule?', { remedy: 'Write it behind: /allow bash(npm test:*)' });
}
