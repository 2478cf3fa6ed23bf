/** The line mode: `tau` at a terminal, without anything drawn over it. A prompt, an answer, the next prompt. */
import { realpathSync } from 'node:fs';
import {
  type Agent,
  type Answer,
  type Ask,
  describeError,
  mayNeedTrust,
  type StampedEvent,
  TauError,
} from '@tau/agent';
import { createFarewell } from '../app/around/farewell.ts';
import type { PromptCommand } from '../args/parse.ts';
import { exitCode } from '../exit.ts';
import { createAsides } from '../print/asides.ts';
import { closeAgent } from '../print/close.ts';
import { listenForInterrupt } from '../print/interrupt.ts';
import { makeAgent, watchForDebug, whichOne } from '../print/print.ts';
import { createProgress } from '../print/progress.ts';
import { type Prompt, sortWords } from '../print/prompts.ts';
import { fold } from '../render/fold.ts';
import { modeText, sandboxText } from '../render/sandbox.ts';
import { createStyle, type Style } from '../render/style.ts';
import { tipFor } from '../render/tips.ts';
import { diffLines, diffOf } from '../render/tool.ts';
import { visible, visibleLine } from '../render/visible.ts';
import { workingFolder } from '../working-folder.ts';
import { approvalLabel, approvalLines, readApproval } from './approval.ts';
import { createInquiries, type Inquiries } from './inquiries.ts';
import { createOwnOutput } from './own-output.ts';
import { questionLabel, questionLines, readReply } from './question.ts';
import { createLineScreen } from './screen.ts';
import { createTalk } from './talk.ts';
import { openTerminal } from './terminal.ts';

const maxDiffLines = 80;

export async function repl(command: PromptCommand): Promise<number> {
  const cwd = workingFolder();
  if (command.chooseSession) throw await whichOne(command, cwd);
  const { prompts, files } = sortWords(command.prompts);
  if (prompts.length === 0 && files.length > 0) {
    throw new TauError('usage', 'A file was attached to no prompt', { remedy: 'Add a prompt behind it' });
  }
  if (command.agent.projectSettings !== false && mayNeedTrust({ env: process.env, cwd })) {
    const left = await (await import('../trust/first-visit.ts')).visit(cwd);
    if (left !== undefined) return left;
  }
  const making = listenForInterrupt();
  const agent = await makeAgent(command, {
    ...{ cwd, interrupt: making, schema: undefined },
    replies: {
      ask: (ask, signal) => approve(ask, signal),
      question: (question, signal) =>
        inquiries.put(
          {
            lines: questionLines(question, style),
            label: questionLabel(question),
            read(line) {
              const reply = readReply(line, question);
              return 'again' in reply ? reply : { value: reply };
            },
            unanswered: { unattended: true },
          },
          signal,
        ),
    },
  });
  making.dispose();
  if (typeof agent === 'number') return agent;

  const interrupt = listenForInterrupt({ ctrlC: false });
  const { settings } = agent;
  const verbose = command.verbose || settings.verbose === true;
  const style = createStyle(process.stdout, process.env, settings.color);
  const terminal = await openTerminal({
    env: process.env,
    onMessage: (text) => talk.onMessage(text),
    onInterrupt: () => talk.onInterrupt(),
    onEnd: () => talk.onEnd(),
    keepsHistory: () => !inquiries.isOpen(),
  });
  const farewell = createFarewell(agent);
  const screen = createLineScreen(terminal);
  const inquiries = createInquiries(terminal);
  const talk = createTalk({ agent, terminal, screen, inquiries, interrupt, verbose });
  const approve = createApprove(inquiries, style, realpathSync(cwd));
  const onSignal = () => talk.onInterrupt();
  process.on('SIGINT', onSignal);
  process.stdout.on('error', interrupt.abort);

  agent.subscribe(createProgress({ screen, style, calls: true, thinking: verbose, words: true }));
  agent.subscribe(createOwnOutput(screen, style));
  agent.subscribe(showDiffs(screen.line, style), { deltas: false });
  agent.subscribe(createAsides(screen.line, agent.warnings), { deltas: false });
  agent.subscribe(tellEnds(screen.line), { deltas: false });
  for (const warning of agent.warnings) screen.line(`tau: warning: ${visibleLine(warning)}`);
  if (verbose) for (const { path } of agent.contextFiles) screen.line(`tau: context file ${visibleLine(path)}`);
  screen.line(style.dim(greeting(agent)));
  const closeDebug = await watchForDebug(agent, screen, command);
  try {
    const attachments = (await Promise.all(files.map((path) => agent.attach(path)))).flat();
    const first = prompts.map((text, at): Prompt => ({ text, attachments: at === 0 ? attachments : [] }));
    return await talk.hold(first).catch((error: unknown) => {
      // Only a session that cannot be written gets here.
      screen.line(`tau: ${visible(describeError(error))}`);
      return exitCode.failed;
    });
  } finally {
    screen.close();
    terminal.close();
    farewell.say();
    // What the end brings, as a hook that fails, has no place on it any more.
    agent.subscribe(
      createAsides((text) => void process.stderr.write(`${text}\n`), []),
      { deltas: false },
    );
    closeDebug();
    process.off('SIGINT', onSignal);
    interrupt.dispose();
    await closeAgent(agent);
  }
}

/** Of commands in the background, whether tau works or not. */
function tellEnds(line: (text: string) => void): (event: StampedEvent) => void {
  return (event) => {
    if (event.type === 'job_end') line(`tau: ${visibleLine(`${event.id} (${event.command}) ${event.how}`)}`);
  };
}

function greeting(agent: Agent): string {
  const { model, approval } = agent;
  const beforehand = approval.policy === 'ask' ? '' : `, approve ${approval.policy}`;
  const before = agent.messages().length;
  const known = before === 0 ? '' : `, ${before} messages so far`;
  const tip = tipFor(agent);
  const lines = [
    `tau: ${model.provider}/${model.id}, mode ${modeText(agent)}${beforehand}${known}. /help lists commands, Ctrl+D leaves.`,
    ...(agent.sandbox.on || agent.settings.sandbox?.enabled === false ? [] : [`tau: sandbox ${sandboxText(agent)}`]),
    ...(tip === undefined ? [] : [`tau: tip: ${tip}`]),
  ];
  return fold(visible(lines.join('\n')), process.stdout.columns);
}

function createApprove(inquiries: Inquiries, style: Style, cwd: string) {
  return (ask: Ask, signal: AbortSignal): Promise<Answer> =>
    inquiries.put<Answer>(
      {
        lines: approvalLines(ask, { cwd, style, columns: process.stdout.columns || 80 }),
        label: approvalLabel(ask),
        read(line) {
          const said = readApproval(line, ask);
          return 'again' in said ? said : { value: said.answer };
        },
        unanswered: { outcome: 'deny', unattended: true },
      },
      signal,
    );
}

function showDiffs(line: (text: string) => void, style: Style): (event: StampedEvent) => void {
  return (event) => {
    const diff = event.type === 'tool_execution_end' ? diffOf(event.result.details) : undefined;
    if (diff === undefined) return;
    const lines = diffLines(diff, style);
    const more = lines.length - maxDiffLines;
    line([...lines.slice(0, maxDiffLines), ...(more > 0 ? [`  … ${more} more lines`] : [])].join('\n'));
  };
}
