/** `/session`: which conversation this is, who answers it, what it may do and what it used; and the way to others. */
import { type Agent, describeApproval } from '@tau/agent';
import { sandboxText } from '../render/sandbox.ts';
import { visibleLine } from '../render/visible.ts';
import { type Command, type CommandWorld, oneOf, screenOf } from './command.ts';
import { history, resume } from './history.ts';
import { labelOf } from './talking.ts';

export const sessionCommand: Command = {
  ...{ name: 'session', aliases: ['status'], argument: '[WORD]' },
  help: 'this conversation: its file, model, mode and usage; list, new and resume ID are about others',
  choices: () => ['list', 'new', 'resume'],
  run: session,
};

function session(argument: string, world: CommandWorld): string | Promise<string> {
  const [word = '', ...rest] = argument.split(/\s+/);
  switch (word === '' ? '' : oneOf(['list', 'new', 'resume'], word, 'way')) {
    case 'list':
      return history();
    case 'new':
      return screenOf(world).begin('new');
    case 'resume':
      return resume(rest.join(' '), world);
    default:
      return status(world);
  }
}

function status({ agent, spent }: CommandWorld): string {
  const { model, thinking, permissionMode, approval, sessionId, sessionName, sessionPath, trust } = agent;
  const called = sessionName === undefined ? '' : ` "${visibleLine(sessionName)}"`;
  return [
    `session   ${sessionId}${called}, ${counted(agent)}`,
    `file      ${visibleLine(sessionPath ?? 'none: it is in memory only')}`,
    `project   ${visibleLine(process.cwd())}, ${trust}`,
    `model     ${visibleLine(labelOf(model))}, thinking ${thinking ?? "the model's own"}`,
    ...endpoint(model.baseUrl),
    `mode      ${permissionMode}, approve ${describeApproval(approval)}`,
    `sandbox   ${sandboxText(agent)}`,
    `tools     ${agent.tools.join(' ') || 'none'}`,
    spent(),
  ].join('\n');
}

function counted(agent: Agent): string {
  const count = agent.messages().length;
  return `${count} ${count === 1 ? 'message' : 'messages'}`;
}

/** Without the name and the password that an address may carry. */
function endpoint(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { origin, pathname } = new URL(address);
  return [`endpoint  ${visibleLine(origin + (pathname === '/' ? '' : pathname))}`];
}
