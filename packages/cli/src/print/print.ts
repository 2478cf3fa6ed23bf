/**
 * Print mode: the answer alone on stdout, or one JSON object, or every event as a JSON line; everything else on stderr.
 * Several prompts are answered in order, in one conversation.
 */
import { promises, realpathSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type Agent, type AgentOptions, createAgent, scrub, TauError } from '@tau/agent';
import { debugTopics } from '../args/options.ts';
import type { PromptCommand } from '../args/parse.ts';
import { exitCode } from '../exit.ts';
import { sandboxText, uncontainedTeller } from '../render/sandbox.ts';
import { type ColorWish, createStyle } from '../render/style.ts';
import { tipFor } from '../render/tips.ts';
import { visibleLine } from '../render/visible.ts';
import { workingFolder } from '../working-folder.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { createAsides } from './asides.ts';
import { closeAgent } from './close.ts';
import { createDenialReport } from './denials.ts';
import { type Interrupt, listenForInterrupt } from './interrupt.ts';
import { createLineWriter } from './lines.ts';
import { createProgress } from './progress.ts';
import { type Prompt, sortWords, withPiped } from './prompts.ts';
import type { Replies } from './replies.ts';
import type { AnswerSchema } from './schema.ts';
import { createScreen, type Screen } from './screen.ts';

export async function print(command: PromptCommand): Promise<number> {
  const cwd = workingFolder();
  if (command.chooseSession) throw await whichOne(command, cwd);
  const dialogue = command.inputFormat === 'stream-json';
  const schema = await readSchema(command.jsonSchema);
  const { prompts, files } = sortWords(command.prompts);
  const gathered = dialogue ? { prompts: prompts.map((text) => ({ text })) } : await withPiped(prompts);
  if ('code' in gathered) return gathered.code;
  if (gathered.prompts.length === 0 && files.length > 0) {
    throw new TauError('usage', 'A file was attached to no prompt', { remedy: 'Add a prompt behind it' });
  }

  const onlyCommands = await areCommands(gathered.prompts, command);
  const replies = dialogue ? (await import('./replies.ts')).createReplies() : undefined;
  const interrupt = listenForInterrupt();
  const screen = createScreen();
  // Somebody who types and reads can be asked; a program on the other end cannot.
  let color: ColorWish | undefined;
  const askable = !dialogue && isatty(0) && isatty(2);
  const agent = await makeAgent(command, {
    ...{ cwd, interrupt, schema, needsModel: !onlyCommands },
    replies: askable ? atTerminal(screen, cwd, () => color) : replies,
  });
  // Whoever interrupts while a key is awaited knows why there is none.
  if (typeof agent === 'number') return agent;
  color = agent.settings.color;
  for (const warning of agent.warnings) process.stderr.write(`tau: warning: ${visibleLine(warning)}\n`);

  // A reader that went away (`tau -p … | head -1`) ends the run; there is nobody left to tell.
  process.stdout.on('error', interrupt.abort);
  const denials = createDenialReport();
  agent.subscribe(denials.watch, { deltas: false });
  const { verbose, streamed } = show(agent, screen, command);
  const closeDebug = await watchForDebug(agent, screen, command);
  const out = createLineWriter(interrupt.signal);
  const options: AnswerOptions = {
    agent,
    format: command.outputFormat,
    out,
    screen,
    denials,
    schema,
    verbose,
    streamed,
  };
  try {
    const attachments = (await Promise.all(files.map((path) => agent.attach(path)))).flat();
    const first = gathered.prompts.map((one, at): Prompt => ({ ...one, attachments: at === 0 ? attachments : [] }));
    const code = replies
      ? await (await import('./dialogue.ts')).hold(first, {
          ...{ agent, interrupt, out, replies },
          answer: (prompt, interruption) => answer(prompt, interruption, options),
        })
      : await inOrder(first, interrupt, options);
    if (denials.count() > 0) screen.line(denials.text().trimEnd());
    return code === exitCode.done && denials.count() > 0 ? exitCode.unapproved : code;
  } finally {
    screen.close();
    closeDebug();
    interrupt.dispose();
    await closeAgent(agent);
  }
}

/** Loaded when the first question comes: most runs have none. */
function atTerminal(
  screen: Screen,
  cwd: string,
  color: () => ColorWish | undefined,
): Pick<Replies, 'ask' | 'question'> {
  let asker: Promise<Replies['ask']> | undefined;
  return {
    async ask(ask, signal) {
      asker ??= import('./approve.ts').then(({ createTerminalAsker }) =>
        createTerminalAsker({
          ...{ screen, cwd: realpathSync(cwd) },
          style: createStyle(process.stderr, process.env, color()),
        }),
      );
      return (await asker)(ask, signal);
    },
    question: async () => ({ unattended: true }),
  };
}

/** Up to the first that fails. */
async function inOrder(prompts: readonly Prompt[], interrupt: Interrupt, options: AnswerOptions): Promise<number> {
  const interruption = { signal: interrupt.signal, code: () => interrupt.code() ?? exitCode.failed };
  for (const prompt of prompts) {
    const code = (await obeyed(prompt, options)) ?? (await answer(prompt, interruption, options));
    if (code !== exitCode.done) return code;
  }
  return exitCode.done;
}

/** Only what stands on the command line: nobody who pipes something in means a command. */
async function obeyed(prompt: Prompt, options: AnswerOptions): Promise<number | undefined> {
  if (!mayBeCommand(prompt, options.format)) return undefined;
  return (await import('./slash.ts')).obeyPrompt(prompt.text, options);
}

function mayBeCommand({ text, words }: Pick<Prompt, 'text' | 'words'>, format: PromptCommand['outputFormat']): boolean {
  return text.startsWith('/') && words === undefined && format !== 'stream-json';
}

/** Then no model is needed: help is for those too who have none yet. */
async function areCommands(
  prompts: readonly Pick<Prompt, 'text' | 'words'>[],
  { outputFormat, inputFormat }: PromptCommand,
): Promise<boolean> {
  if (inputFormat !== 'text' || prompts.length === 0) return false;
  if (!prompts.every((prompt) => mayBeCommand(prompt, outputFormat))) return false;
  const { readCommand } = await import('../commands/command.ts');
  return prompts.every(({ text }) => readCommand(text) !== undefined);
}

interface Making {
  cwd: string;
  interrupt: Interrupt;
  schema: AnswerSchema | undefined;
  /** False: it is also made where there is none. */
  needsModel?: boolean;
  replies: Pick<Replies, 'ask' | 'question'> | undefined;
}

/** The agent, or the exit code of whoever interrupted while it was made. */
export async function makeAgent(
  command: PromptCommand,
  { cwd, interrupt, schema, needsModel = true, replies }: Making,
): Promise<Agent | number> {
  const { replay, record } = command;
  const options: AgentOptions = { ...command.agent, cwd, needsModel, signal: interrupt.signal };
  if (schema) options.answerSchema = schema.schema;
  if (replies) Object.assign(options, { ask: replies.ask, question: replies.question });
  if (record !== undefined) options.record = record;
  try {
    if (replay !== undefined) options.replay = await readRecording(replay);
    return await createAgent(options);
  } catch (error) {
    interrupt.dispose();
    const code = interrupt.code();
    if (code === undefined) throw error;
    return code;
  }
}

/** Who reads events has no use for lines about them. */
function show(agent: Agent, screen: Screen, command: PromptCommand): { verbose: boolean; streamed: boolean } {
  const { settings } = agent;
  const verbose = command.verbose || settings.verbose === true;
  const streamed = command.outputFormat === 'text' && process.stdout.isTTY && command.jsonSchema === undefined;
  if (command.outputFormat === 'stream-json') return { verbose, streamed };
  const style = createStyle(process.stderr, process.env, settings.color);
  const calls = verbose || isatty(2);
  if (calls || streamed) {
    const progress = createProgress({ screen, style, calls, thinking: verbose, words: streamed });
    agent.subscribe(progress, { deltas: verbose || streamed });
  }
  agent.subscribe(createAsides(screen.line, agent.warnings), { deltas: false });
  const warn = (text: string) => screen.line(`tau: ${visibleLine(text)}`);
  agent.subscribe(uncontainedTeller(agent, warn), { deltas: false });
  if (verbose) for (const { path } of agent.contextFiles) screen.line(`tau: context file ${visibleLine(path)}`);
  if (verbose) screen.line(`tau: sandbox ${visibleLine(sandboxText(agent))}`);
  const tip = verbose ? tipFor(agent) : undefined;
  if (tip !== undefined) screen.line(`tau: tip: ${tip}`);
  return { verbose, streamed };
}

export async function watchForDebug(agent: Agent, screen: Screen, command: PromptCommand): Promise<() => void> {
  const file = command.debugFile ?? (process.env.TAU_DEBUG_FILE || undefined);
  if (!command.debug && file === undefined) return () => {};
  const { createDebug } = await import('./debug.ts');
  const named = Object.entries(process.env).filter(([name]) => /_(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name));
  const secrets = named.map(([, value]) => value ?? '');
  const clean = (text: string) => scrub(agent.scrub(text), secrets);
  const debug = createDebug({ topics: command.debug ?? debugTopics, file, scrub: clean, line: screen.line });
  debug.about(agent);
  agent.subscribe(debug.event, { deltas: false });
  return debug.close;
}

async function readSchema(text: string | undefined): Promise<AnswerSchema | undefined> {
  return text === undefined ? undefined : (await import('./schema.ts')).readSchema(text);
}

export async function whichOne({ agent: { sessionDir } }: PromptCommand, cwd: string): Promise<TauError> {
  const { whichSession } = await import('./resume.ts');
  return whichSession({ env: process.env, cwd, ...(sessionDir !== undefined && { sessionDir }) });
}

async function readRecording(path: string): Promise<{ name: string; text: string }> {
  try {
    return { name: path, text: await promises.readFile(path, 'utf8') };
  } catch (error) {
    throw new TauError('recording', `The recording ${path} cannot be read`, { cause: error, remedy: 'Check the path' });
  }
}
