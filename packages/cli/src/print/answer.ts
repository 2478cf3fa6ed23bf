/** One prompt and all that belongs to it: the run, further tries where a schema asks for them, what is printed, the code. */
import { type Agent, describeError, type RunOutcome, type StampedEvent } from '@tau/agent';
import type { OutputFormat } from '../args/options.ts';
import { exitCode, exitCodeOf } from '../exit.ts';
import { visible, visibleLine } from '../render/visible.ts';
import { type Delivered, deliveredIn } from './delivered.ts';
import type { DenialReport } from './denials.ts';
import type { LineWriter } from './lines.ts';
import { usageLine } from './progress.ts';
import { type Attachments, type Prompt, withMentions } from './prompts.ts';
import { failedResult, resultOf } from './result.ts';
import type { AnswerSchema, Fit } from './schema.ts';
import type { Screen } from './screen.ts';
import { joinOutcomes } from './tries.ts';
import { verdictOn } from './verdict.ts';
import { type Refused, refusedIn } from './violations.ts';

export interface AnswerOptions {
  agent: Agent;
  format: OutputFormat;
  out: LineWriter;
  screen: Screen;
  denials: DenialReport;
  schema?: AnswerSchema | undefined;
  verbose: boolean;
  /** The words went to the terminal as they came. */
  streamed: boolean;
}

export interface Interruption {
  signal: AbortSignal;
  /** The exit code it asks for. */
  code(): number;
}

/** After the first. */
const moreTries = 2;
const maxViolations = 1000;

/** The exit code of this prompt; what nobody approved counts elsewhere. */
export async function answer(prompt: Prompt, interruption: Interruption, options: AnswerOptions): Promise<number> {
  const { agent, format, out, screen, denials, streamed, verbose } = options;
  const begun = Date.now();
  const before = denials.count();
  const watch = createWatch();
  const stop = agent.subscribe(watch.event, { deltas: false });
  try {
    const { signal } = interruption;
    const whole = await withMentions(prompt, agent, { signal, line: screen.line });
    const { outcome, fit, problems } = await conform(whole, signal, options);
    const durationMs = Date.now() - begun;
    if (format === 'text' && outcome.reason === 'done' && !problems && !streamed) {
      const text = fit?.json ?? outcome.answer;
      await out.write(process.stdout.isTTY ? visible(text) : text);
    }
    const verdict = verdictOn(outcome, { ...watch.seen, interruptedWith: interruption.code(), problems });
    const denied = denials.list(before);
    if (format === 'json') {
      const { files, violations } = watch;
      await out.json(resultOf({ agent, outcome, fit, verdict, denied, files, violations, durationMs }));
    } else if (format === 'stream-json') {
      if (fit) await out.line({ type: 'structured', value: fit.value });
      if (problems && verdict.error) await out.line({ type: 'error', ...verdict.error });
    }
    if (out.stalled()) return interruption.code();
    if (verbose && format !== 'stream-json') screen.line(usageLine(agent, outcome, durationMs));
    if (verdict.text !== undefined) screen.line(`tau: ${visibleLine(verdict.text)}`);
    return verdict.code;
  } catch (error) {
    if (format === 'json') {
      const failure = { code: exitCodeOf(error) || exitCode.failed, message: describeError(error) };
      await out.json(failedResult({ agent, ...failure, durationMs: Date.now() - begun }));
    }
    throw error;
  } finally {
    stop();
  }
}

interface Conformed {
  outcome: RunOutcome;
  fit?: Fit;
  /** What is still wrong with the last answer. */
  problems?: string[];
}

async function conform(prompt: Prompt, signal: AbortSignal, options: AnswerOptions): Promise<Conformed> {
  const { schema } = options;
  let outcome = await take(prompt.text, prompt.attachments, signal, options);
  if (!schema) return { outcome };
  const { askAgain } = await import('./schema.ts');
  for (let tries = 0; ; tries++) {
    if (outcome.reason !== 'done' || outcome.cut) return { outcome };
    const checked = await schema.check(outcome.answer);
    if (!('problems' in checked)) return { outcome, fit: checked };
    if (tries === moreTries) return { outcome, problems: checked.problems };
    const next = await take(askAgain(checked.problems), [], signal, options);
    outcome = joinOutcomes(outcome, next);
  }
}

async function take(
  text: string,
  attachments: Attachments,
  signal: AbortSignal,
  { agent, format, out }: AnswerOptions,
): Promise<RunOutcome> {
  const run = agent.prompt(text, { signal, attachments });
  if (format === 'stream-json') for await (const event of run) await out.json(event);
  return run.outcome;
}

/** The events that say why a run ended as it did, what it handed over, and what the sandbox refused. */
export function createWatch() {
  const files: Delivered[] = [];
  const violations: Refused[] = [];
  const seen: { lastError?: Extract<StampedEvent, { type: 'error' }>; lastQuestion?: string } = {};
  return {
    seen,
    files,
    violations,
    event(event: StampedEvent): void {
      const delivered = deliveredIn(event);
      if (delivered) files.push(delivered);
      const refused = refusedIn(event);
      if (refused && violations.length < maxViolations) violations.push(refused);
      if (event.type === 'error') seen.lastError = event;
      if (event.type === 'question_request') seen.lastQuestion = event.question.question;
    },
  };
}
