/**
 * Print mode: the answer alone on stdout, or every event as a JSON line; everything else on stderr. Several prompts are
 * answered in order, in one conversation.
 */
import { existsSync, promises } from 'node:fs';
import { isatty } from 'node:tty';
import {
  type Agent,
  type AgentOptions,
  createAgent,
  readAttachment,
  type StampedEvent,
  TauError,
  textOf,
} from '@tau/agent';
import type { OutputFormat } from '../args/options.ts';
import type { Command } from '../args/parse.ts';
import { exitCode } from '../exit.ts';
import { createStyle } from '../render/style.ts';
import { callLine, resultLines } from '../render/tool.ts';
import { visible } from '../render/visible.ts';
import { createAsides } from './asides.ts';
import { createDenialReport } from './denials.ts';
import { type Interrupt, listenForInterrupt } from './interrupt.ts';
import { createLineWriter, type LineWriter } from './lines.ts';
import { readPiped } from './stdin.ts';

export async function print(command: Extract<Command, { kind: 'prompt' }>): Promise<number> {
  const { outputFormat, replay, record } = command;
  const files = command.prompts.filter(namesFile).map((word) => readAttachment(word.slice(1)));
  const attachments = (await Promise.all(files)).flat();
  const gathered = await gatherPrompts(command.prompts.filter((word) => !namesFile(word)));
  if ('code' in gathered) return gathered.code;
  const interrupt = listenForInterrupt();
  const options: AgentOptions = { ...command.agent, cwd: workingFolder(), signal: interrupt.signal };
  if (replay !== undefined) options.replay = await readRecording(replay);
  if (record !== undefined) options.record = record;
  const agent = await createAgent(options).catch((error: unknown) => {
    interrupt.dispose();
    const code = interrupt.code();
    if (code === undefined) throw error;
    return code;
  });
  // Whoever interrupts while a key is awaited knows why there is none.
  if (typeof agent === 'number') return agent;
  for (const warning of agent.warnings) process.stderr.write(`tau: warning: ${visible(warning)}\n`);

  // A reader that went away (`tau -p … | head -1`) ends the run; there is nobody left to tell.
  process.stdout.on('error', interrupt.abort);
  const out = createLineWriter(interrupt.signal);
  const denials = createDenialReport();
  agent.subscribe(denials.watch, { deltas: false });
  if (outputFormat === 'text') {
    agent.subscribe(
      createAsides((line) => process.stderr.write(line)),
      { deltas: false },
    );
  }
  if (isatty(2) && outputFormat === 'text') agent.subscribe(showProgress, { deltas: false });
  try {
    let code: number = exitCode.done;
    for (const [at, prompt] of gathered.prompts.entries()) {
      const handed = at === 0 ? attachments : [];
      code = await answer(agent, prompt, handed, { format: outputFormat, interrupt, out });
      if (code !== exitCode.done) break;
    }
    if (denials.count() > 0) process.stderr.write(denials.text());
    return code === exitCode.done && denials.count() > 0 ? exitCode.unapproved : code;
  } finally {
    interrupt.dispose();
    agent.close();
  }
}

type Attachments = Awaited<ReturnType<typeof readAttachment>>;

interface Output {
  format: OutputFormat;
  interrupt: Interrupt;
  out: LineWriter;
}

async function answer(
  agent: Agent,
  prompt: string,
  attachments: Attachments,
  { format, interrupt, out }: Output,
): Promise<number> {
  let lastAnswer = '';
  let cutShort = false;
  let lastError: Extract<StampedEvent, { type: 'error' }> | undefined;
  const stop = agent.subscribe(
    (event) => {
      if (event.type === 'message_end' && event.message.role === 'assistant') {
        lastAnswer = textOf(event.message);
        cutShort = event.message.stopReason === 'length';
      }
      if (event.type === 'error') lastError = event;
    },
    { deltas: false },
  );
  try {
    const run = agent.prompt(prompt, { signal: interrupt.signal, attachments });
    if (format === 'stream-json') for await (const event of run) await out.write(JSON.stringify(event));
    const { reason, turns } = await run.outcome;
    if (format === 'text' && reason === 'done') {
      await out.write(process.stdout.isTTY ? visible(lastAnswer) : lastAnswer);
    }
    if (out.stalled()) return interrupt.code() ?? exitCode.failed;
    switch (reason) {
      case 'done':
        if (!cutShort) return exitCode.done;
        process.stderr.write('tau: the answer is cut: the model reached its output limit (maxTokens in models.json)\n');
        return exitCode.limit;
      case 'aborted':
        return interrupt.code() ?? exitCode.failed;
      case 'maxTurns':
        process.stderr.write(
          `tau: stopped after ${turns} ${turns === 1 ? 'turn' : 'turns'}, the limit of --max-turns\n`,
        );
        return exitCode.limit;
      case 'maxTokens':
      case 'maxCost':
      case 'repeated':
        return exitCode.limit;
      case 'error':
        process.stderr.write(`tau: ${visible(lastError?.message ?? 'the run failed')}\n`);
        return lastError?.class === 'auth' ? exitCode.usage : exitCode.failed;
    }
  } finally {
    stop();
  }
}

/** One line a call as it starts, and one more if it fails. */
function showProgress(event: StampedEvent): void {
  const style = createStyle(process.stderr, process.env);
  if (event.type === 'tool_execution_start') {
    process.stderr.write(`${callLine(event.toolName, event.input, style)}\n`);
  } else if (event.type === 'tool_execution_end' && event.result.isError) {
    process.stderr.write(`${resultLines(event.result, style, 1).join('\n')}\n`);
  }
}

/** `@file`. What has a blank in it, and is no file, is a prompt that happens to begin so. */
function namesFile(word: string): boolean {
  return /^@\S+$/.test(word) || (word.startsWith('@') && existsSync(word.slice(1)));
}

/** The prompts, or the exit code of whoever lost patience while stdin was awaited. */
async function gatherPrompts(given: readonly string[]): Promise<{ prompts: string[] } | { code: number }> {
  const prompts = given.filter((prompt) => prompt.trim() !== '');
  const interrupt = listenForInterrupt();
  const piped = (await readPiped(prompts.length > 0, interrupt.signal)).trimEnd();
  interrupt.dispose();
  const code = interrupt.code();
  if (code !== undefined) return { code };
  if (piped !== '') prompts[0] = prompts[0] === undefined ? piped : `${prompts[0]}\n\n${piped}`;
  if (prompts.length > 0) return { prompts };
  throw new TauError('usage', 'There is no prompt', {
    remedy: 'Try tau -p "what does this project do?" or tau --help',
  });
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new TauError('usage', 'The folder tau was started in is gone', {
      cause,
      remedy: 'Change to one that exists',
    });
  }
}

async function readRecording(path: string): Promise<{ name: string; text: string }> {
  try {
    return { name: path, text: await promises.readFile(path, 'utf8') };
  } catch (error) {
    throw new TauError('recording', `The recording ${path} cannot be read`, { cause: error, remedy: 'Check the path' });
  }
}
