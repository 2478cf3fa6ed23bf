/** What a line that begins with a slash does. Each command is a name, a line of help and a deed that says what it did. */
import {
  type Agent,
  approvalWords,
  describeApproval,
  listModels,
  nearest,
  parseApproval,
  permissionModes,
  TauError,
  thinkingLevels,
  trustStatus,
} from '@tau/agent';
import { visibleLine } from '../render/visible.ts';

export interface CommandWorld {
  agent: Agent;
  /** What waits to be heard, in order. */
  waiting(): readonly string[];
  clearWaiting(): readonly string[];
  /** Tokens and cost so far, on one line. */
  spent(): string;
  leave(): void;
}

interface LineCommand {
  name: string;
  argument?: string;
  help: string;
  run(argument: string, world: CommandWorld): string | Promise<string>;
}

const commands: readonly LineCommand[] = [
  { name: 'help', help: 'this list', run: () => helpText() },
  { name: 'exit', help: 'leave; /quit, Ctrl+D or Ctrl+C twice do so too', run: (_, { leave }) => leaving(leave) },
  { name: 'model', argument: '[NAME]', help: 'which model answers, or another from now on', run: model },
  { name: 'thinking', argument: '[LEVEL]', help: thinkingLevels.join(', '), run: thinking },
  { name: 'mode', argument: '[MODE]', help: permissionModes.join(', '), run: mode },
  { name: 'approve', argument: '[WORD]', help: 'beforehand: ask, all, none, or for a time as 10m', run: approve },
  { name: 'permissions', help: 'the rules that count, and where they come from', run: (_, { agent }) => rules(agent) },
  { name: 'allow', argument: 'RULE', help: 'for this session, as bash(npm test:*)', run: allow },
  { name: 'deny', argument: 'RULE', help: 'for this session; beats every other rule', run: deny },
  { name: 'hooks', help: 'what runs at which event, and where it is declared', run: (_, { agent }) => hooks(agent) },
  { name: 'trust', argument: '[yes|no]', help: 'what the project would enable, and your word on it', run: trust },
  { name: 'tools', help: 'what the model may use', run: (_, { agent }) => agent.tools.join(' ') || 'no tools' },
  { name: 'session', help: 'which conversation this is, and where it is kept', run: (_, { agent }) => session(agent) },
  { name: 'name', argument: '[NAME]', help: 'call the conversation so; without a name a model finds one', run: name },
  { name: 'queue', help: 'what waits to be heard', run: (_, { waiting }) => listed(waiting(), 'Nothing waits.') },
  {
    name: 'clear-queue',
    help: 'take that back',
    run: (_, { clearWaiting }) => listed(clearWaiting(), 'Nothing waited.', 'Taken back:'),
  },
  { name: 'cost', help: 'tokens and money so far', run: (_, { spent }) => spent() },
];

const aliases: Readonly<Record<string, string>> = { quit: 'exit', '?': 'help' };

/** These are heard while something is asked: they may be the answer. Every other line is one. */
export function answersAsks(name: string): boolean {
  return ['approve', 'mode', 'permissions', 'allow', 'deny'].includes(name);
}

/** `/name`, with or without more. A path like /etc/hosts is none, nor is a lone slash. */
export function readCommand(line: string): { name: string; argument: string } | undefined {
  const [, name, argument = ''] = /^\/([a-z?][a-z-]*)(?:\s+(.*))?$/s.exec(line.trim()) ?? [];
  return name === undefined ? undefined : { name, argument: argument.trim() };
}

export async function obey(wish: { name: string; argument: string }, world: CommandWorld): Promise<string> {
  const wanted = aliases[wish.name] ?? wish.name;
  const command = commands.find(({ name: known }) => known === wanted);
  if (command) return command.run(wish.argument, world);
  const near = nearest(
    wish.name,
    commands.map(({ name: known }) => known),
  );
  throw new TauError('usage', `There is no command /${wish.name}`, {
    remedy: near === undefined ? '/help lists them' : `Did you mean /${near}?`,
  });
}

function helpText(): string {
  const rows = commands.map(({ name: word, argument, help }) => {
    return `  ${`/${word}${argument === undefined ? '' : ` ${argument}`}`.padEnd(18)} ${help}`;
  });
  return [
    ...rows,
    'A line ending in \\ goes on in the next. While tau works, a line is heard after the current step, and one that',
    'begins with + when tau would stop. Ctrl+C stops the work and gives back what waited.',
  ].join('\n');
}

function leaving(leave: () => void): string {
  leave();
  return '';
}

async function model(argument: string, { agent }: CommandWorld): Promise<string> {
  if (argument === '') return choices(agent, await readyModels());
  await agent.setModel(/^\d+$/.test(argument) ? numbered(await readyModels(), Number(argument)) : argument);
  return `Now ${labelOf(agent.model)}.`;
}

/** Those that can be asked now, in the order in which they are shown. */
async function readyModels(): Promise<string[]> {
  const { models } = await listModels({ env: process.env, cwd: process.cwd() });
  return models.map(labelOf);
}

function choices(agent: Agent, ready: readonly string[]): string {
  const now = labelOf(agent.model);
  const rows = ready
    .slice(0, maxModels)
    .map((one, at) => `${one === now ? '*' : ' '} ${String(at + 1).padStart(3)}  ${visibleLine(one)}`);
  const more = ready.length > maxModels ? [`  and ${ready.length - maxModels} more: tau models lists them`] : [];
  return [`${now} answers. /model and a number or a name changes to another:`, ...rows, ...more].join('\n');
}

function numbered(ready: readonly string[], number: number): string {
  const found = ready[number - 1];
  if (found !== undefined) return found;
  throw new TauError('usage', `There is no model number ${number}`, { remedy: '/model lists them' });
}

const maxModels = 30;
const labelOf = ({ provider, id }: { provider: string; id: string }) => `${provider}/${id}`;

function thinking(argument: string, { agent }: CommandWorld): string {
  if (argument !== '') agent.setThinking(oneOf(thinkingLevels, argument, 'level'));
  return `thinking: ${agent.thinking ?? "the model's own"}`;
}

function mode(argument: string, { agent }: CommandWorld): string {
  if (argument !== '') agent.setPermissionMode(oneOf(permissionModes, argument, 'mode'));
  return `mode: ${agent.permissionMode}\napprove: ${describeApproval(agent.approval)}`;
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
  const rows = agent
    .rules()
    .map(({ outcome, rule, origin }) => `  ${outcome.padEnd(5)}  ${visibleLine(rule)}  (${origin})`);
  return [
    `mode: ${agent.permissionMode}`,
    `approve: ${describeApproval(agent.approval)}`,
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
  // It may not be what was shown before.
  return `${shown}\n\nThis project is trusted as it is now: rules, mode and hooks count from the next prompt on, the rest in the next session.`;
}

function needRule(argument: string): string {
  if (argument !== '') return argument;
  throw new TauError('usage', 'Which rule?', { remedy: 'Write it behind: /allow bash(npm test:*)' });
}

function session({ sessionId, sessionPath, sessionName, trust: word }: Agent): string {
  const where = visibleLine(sessionPath ?? 'in memory only');
  const name = sessionName === undefined ? '' : ` "${visibleLine(sessionName)}"`;
  return [`${sessionId}${name}`, where, `project: ${word}`].join('\n');
}

async function name(argument: string, { agent }: CommandWorld): Promise<string> {
  const chosen = argument === '' ? await agent.suggestName() : argument;
  agent.setName(chosen);
  return `This conversation is called "${visibleLine(chosen)}".`;
}

function listed(texts: readonly string[], none: string, title?: string): string {
  if (texts.length === 0) return none;
  return [...(title === undefined ? [] : [title]), ...texts.map((text) => `◷ ${visibleLine(text)}`)].join('\n');
}

function oneOf<T extends string>(choices: readonly T[], word: string, what: string): T {
  const found = choices.find((one) => one === word);
  if (found !== undefined) return found;
  const near = nearest(word, choices);
  throw new TauError('usage', `There is no ${what} "${word}"`, {
    remedy: near === undefined ? `It is one of: ${choices.join(', ')}` : `Did you mean ${near}?`,
  });
}
