/** `tau permissions list`: the mode, the rules and where they come from, and what always holds. */
import type { ListedRule, PermissionView } from '@tau/agent';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { clip } from '../render/clip.ts';
import { none, openView, say, sayJson, tell, viewOptions } from './view.ts';

/** What needs no rule, and no rule takes away. */
const builtin: readonly string[] = [
  'deny  files that hold credentials (~/.ssh, ~/.aws, keys of tau and of other tools)',
  "ask   writes to what steers tools (.git, .tau, hooks, shell start-up files, other agents' settings)",
  'ask   what is dangerous: what could not be had again, or takes over the machine',
];

export async function list(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, viewOptions);
  none('list', positionals);
  const view = await openView(flags);
  const { mode, modeFrom, rules, warnings, problems } = view;
  for (const text of warnings) tell(`tau: warning: ${text}`);
  if (flags.has('json')) sayJson({ mode, modeFrom, rules, problems, builtin });
  else say(lines(view).join('\n'));
  return exitCode.done;
}

function lines({ mode, modeFrom, rules, problems }: PermissionView): string[] {
  const counting = rules.filter(({ not }) => not === undefined);
  const idle = rules.filter(({ not }) => not !== undefined);
  return [
    `Mode: ${mode} (${clip(modeFrom, 300)})`,
    '',
    counting.length === 0 ? 'Rules: none' : 'Rules, deny before ask before allow:',
    ...table(counting),
    ...(idle.length === 0 ? [] : ['', 'These do not count:', ...table(idle)]),
    '',
    'Always, except in the mode dangerously, where only what is denied counts:',
    ...builtin.map((line) => `  ${line}`),
    ...(problems.length === 0
      ? []
      : ['', 'What is wrong with the rules:', ...problems.map((one) => `  ${clip(one, 500)}`)]),
  ];
}

function table(rules: readonly ListedRule[]): string[] {
  const shown = rules.map((rule) => ({ ...rule, text: clip(rule.rule, 200) }));
  const width = Math.min(60, Math.max(0, ...shown.map(({ text }) => text.length)));
  return shown.map(({ outcome, text, not, ...from }) => {
    const why = not === undefined ? '' : `: ${clip(not, 200)}`;
    return `  ${outcome.padEnd(5)} ${text.padEnd(width)}  (${originText(from)}${why})`;
  });
}

function originText({ origin, place }: Pick<ListedRule, 'origin' | 'place'>): string {
  const names: Readonly<Record<ListedRule['origin'], string>> = {
    user: 'user settings',
    project: 'project settings',
    local: 'local settings',
    config: '--config',
    environment: 'environment',
    always: 'always, in this folder',
    flag: 'command line',
    claude: 'Claude Code',
  };
  return place === undefined ? names[origin] : `${names[origin]}, ${clip(place, 200)}`;
}
