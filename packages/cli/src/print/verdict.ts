/** How a prompt ended, as an exit code and a sentence. */
import type { RunOutcome, StampedEvent } from '@tau/agent';
import { exitCode } from '../exit.ts';

export interface Verdict {
  code: number;
  /** For stderr, when there is something to say. */
  text?: string;
  error?: { class: string; message: string };
}

export interface Circumstances {
  /** The exit code that an interruption asks for. */
  interruptedWith: number;
  lastError?: Extract<StampedEvent, { type: 'error' }> | undefined;
  lastQuestion?: string | undefined;
  /** What is wrong with the answer, where a schema asks for another one. */
  problems?: readonly string[] | undefined;
}

export function verdictOn({ reason, turns, cut }: RunOutcome, circumstances: Circumstances): Verdict {
  const { interruptedWith, lastError, lastQuestion, problems } = circumstances;
  switch (reason) {
    case 'done':
      if (cut) return limit('the answer is cut: the model reached its output limit (maxTokens in models.json)');
      return problems ? misfit(problems) : { code: exitCode.done };
    case 'aborted':
      return { code: interruptedWith };
    case 'maxTurns':
      return limit(`stopped after ${turns} ${turns === 1 ? 'turn' : 'turns'}, the limit of --max-turns`);
    case 'maxTokens':
      return limit('stopped: the next request would go over the limit of --max-total-tokens');
    case 'maxCost':
      return limit('stopped: the next request would cost more than --max-budget-usd leaves');
    case 'repeated':
      return {
        code: exitCode.unapproved,
        text: `stopped, because nobody is there to answer: ${lastQuestion ?? 'the model repeats itself. Go on?'}`,
      };
    case 'error': {
      const message = lastError?.message ?? 'the run failed';
      const code = lastError?.class === 'auth' ? exitCode.usage : exitCode.failed;
      return { code, text: message, error: { class: lastError?.class ?? 'unknown', message } };
    }
  }
}

function limit(text: string): Verdict {
  return { code: exitCode.limit, text };
}

function misfit(problems: readonly string[]): Verdict {
  const message = `the answer does not fit the schema: ${problems.join('; ')}`;
  return { code: exitCode.failed, text: message, error: { class: 'answerSchema', message } };
}
