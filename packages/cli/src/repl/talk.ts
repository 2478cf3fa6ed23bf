/**
 * The conversation of the line mode: a prompt, its run, and the next. What is typed meanwhile steers the run or waits;
 * Ctrl+C ends the run and gives back what waited.
 */
import { type Agent, describeError, emptyUsage, type RunOutcome } from '@tau/agent';
import { createShell, readShellLine } from '../app/shell.ts';
import { allCommands, obey } from '../commands/all.ts';
import { type CommandWorld, isCalled, readCommand } from '../commands/command.ts';
import { exitCode } from '../exit.ts';
import { createLeaving } from '../leaving.ts';
import { createWatch } from '../print/answer.ts';
import type { Interrupt } from '../print/interrupt.ts';
import { usageLine } from '../print/progress.ts';
import { type Prompt, withMentions } from '../print/prompts.ts';
import type { Screen } from '../print/screen.ts';
import { joinOutcomes } from '../print/tries.ts';
import { verdictOn } from '../print/verdict.ts';
import { visible, visibleLine } from '../render/visible.ts';
import type { Inquiries } from './inquiries.ts';
import { promptLabel, type Terminal } from './terminal.ts';
import { createWaiting } from './waiting.ts';

export interface TalkOptions {
  agent: Agent;
  terminal: Terminal;
  screen: Screen;
  inquiries: Inquiries;
  /** Signals that end tau, Ctrl+C not among them. */
  interrupt: Interrupt;
  verbose: boolean;
}

export interface Talk {
  /** Resolves to the exit code when the user leaves. */
  hold(first: readonly Prompt[]): Promise<number>;
  onMessage(text: string): void;
  onInterrupt(): void;
  onEnd(): void;
}

const nothing: RunOutcome = { reason: 'done', turns: 0, answer: '', cut: false, usage: emptyUsage(), models: [] };

export function createTalk({ agent, terminal, screen, inquiries, interrupt, verbose }: TalkOptions): Talk {
  const waiting = createWaiting(agent);
  const commands = allCommands();
  let run: AbortController | undefined;
  let total = nothing;
  let totalMs = 0;
  let left = false;
  /** Of Ctrl+C, one after another with nothing in between. */
  let presses = 0;
  let wake = () => {};
  /** Lines are obeyed in order, also when a command takes its time. */
  let obeyed = Promise.resolve();

  function leave(): void {
    left = true;
    run?.abort();
    wake();
  }

  const mayLeave = createLeaving({ jobs: agent.jobs, status: (text) => screen.line(`tau: ${text}`) });
  const leaveIfMeant = () => {
    if (mayLeave()) leave();
  };

  const shell = createShell({
    ...{ agent, signal: interrupt.signal, tell: (text) => screen.line(`tau: ${visible(text)}`) },
    onChange() {
      presses = 0;
      wake();
    },
  });

  const world: CommandWorld = {
    agent,
    waiting: waiting.texts,
    clearWaiting: waiting.takeBack,
    spent: () => `${usageLine(agent, total, totalMs)}\n${wholeLine(agent)}`,
    leave: leaveIfMeant,
  };

  async function hear(line: string): Promise<void> {
    presses = 0;
    const command = readCommand(line);
    if (inquiries.isOpen()) {
      if (!command || !answersAsks(command.name)) return inquiries.hear(line);
      await carryOut(command);
      return inquiries.remind();
    }
    if (command) await carryOut(command);
    else if (readShellLine(line)) {
      if (!shell.run(line)) screen.line('tau: your last command still runs; Ctrl+C stops it');
    } else if (line.trim() !== '') say(line);
    wake();
  }

  function answersAsks(name: string): boolean {
    return commands.list(world).some((one) => one.whileAsked && isCalled(one, name));
  }

  async function carryOut(command: { name: string; argument: string }): Promise<void> {
    const said = await obey(commands, command, world).catch((error: unknown) => `tau: ${describeError(error)}`);
    if (said !== '') screen.line(visible(said));
  }

  function say(line: string): void {
    if (!run) {
      waiting.push({ text: line, attachments: [] });
      return;
    }
    const later = line.startsWith('+');
    const text = later ? line.slice(1).trim() : line;
    if (text !== '') screen.line(`◷ ${waiting.add(text, later ? 'followUp' : 'steer')}`);
  }

  async function answer(prompt: Prompt): Promise<void> {
    const own = new AbortController();
    run = own;
    terminal.listen();
    const begun = Date.now();
    const watch = createWatch();
    const stop = agent.subscribe(watch.event, { deltas: false });
    let back: string[] = [];
    try {
      const signal = AbortSignal.any([interrupt.signal, own.signal]);
      const started = await begin(prompt, signal);
      if (!started) return;
      const outcome = await started.outcome;
      const durationMs = Date.now() - begun;
      total = joinOutcomes(total, outcome);
      totalMs += durationMs;
      const verdict = verdictOn(outcome, { ...watch.seen, interruptedWith: exitCode.interrupted });
      if (verbose) screen.line(usageLine(agent, outcome, durationMs));
      if (outcome.reason === 'aborted') screen.line('tau: stopped');
      else if (verdict.text !== undefined) screen.line(`tau: ${visibleLine(verdict.text)}`);
      const queued = waiting.takeBack();
      if (outcome.reason === 'done') waiting.push(...queued.map((text) => ({ text, attachments: [] })));
      else back = queued;
    } finally {
      stop();
      run = undefined;
      presses = 0;
      screen.endLine();
      giveBack(back);
    }
  }

  /** What the prompt itself is refused for is told, and the next may do better; a run that throws has no session. */
  async function begin(prompt: Prompt, signal: AbortSignal): Promise<{ outcome: Promise<RunOutcome> } | undefined> {
    try {
      const { text, attachments } = await withMentions(prompt, agent, { signal, line: screen.line });
      return agent.prompt(text, { signal, attachments });
    } catch (error) {
      screen.line(`tau: ${visible(describeError(error))}`);
      return undefined;
    }
  }

  /** Said, or that the user's own command is over. */
  function somethingElse(): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (shell.isRunning) terminal.listen();
    else terminal.prompt(promptLabel);
    return changed;
  }

  /** Before what was typed and not sent. */
  function giveBack(texts: readonly string[]): void {
    if (left || texts.length === 0) return;
    const typed = terminal.takeTyped();
    terminal.prompt(promptLabel, [...texts, ...(typed === '' ? [] : [typed])].join('\n'));
  }

  return {
    async hold(first) {
      waiting.push(...first);
      interrupt.signal.addEventListener('abort', leave);
      try {
        while (!left) {
          const prompt = waiting.shift();
          if (prompt) await answer(prompt);
          else await somethingElse();
        }
        return interrupt.code() ?? (interrupt.signal.aborted ? exitCode.failed : exitCode.done);
      } finally {
        await shell.close();
      }
    },
    onMessage(text) {
      obeyed = obeyed.then(() => hear(text));
    },
    onInterrupt() {
      presses += 1;
      if (shell.stop() || run) {
        if (!shell.isRunning) run?.abort();
        if (presses === 2) screen.line('tau: still stopping; Ctrl+C once more leaves at once');
        if (presses > 2) process.exit(exitCode.interrupted);
        return;
      }
      if (terminal.takeTyped() !== '') presses = 0;
      else if (presses > 1) leaveIfMeant();
      else screen.line('Ctrl+C once more, or Ctrl+D, leaves');
      if (!left) terminal.prompt(promptLabel);
    },
    onEnd: leave,
  };
}

/** With earlier sittings. */
function wholeLine(agent: Agent): string {
  const { totalTokens, cost } = agent.spent();
  return `tau: the conversation so far: ${totalTokens} tokens, $${cost.total.toFixed(4)} where the price is known`;
}
