/**
 * The answers to what is asked: the user's standing word first, then whoever was given to ask; the first answer wins. An
 * answer that holds for longer than the call becomes rules, the same ones that were shown.
 */
import { type Answer, type Ask, type CommandClass, describeError, type GrantScope } from '@tau/core';
import { type Approval, type ApprovalWindow, createWindow, mustBeAsked } from './windows.ts';

/** Something that waits for an answer. */
export interface PendingAsk {
  id: string;
  toolName: string;
  reason: string;
  class: CommandClass;
}

export interface Approvals {
  ask(ask: Ask, signal: AbortSignal): Promise<Answer>;
  /** In the order in which they were asked. */
  pending(): PendingAsk[];
  /** False when nothing of this id waits any more. */
  answer(id: string, answer: Answer): boolean;
  approval(): Approval;
  setApproval(window: ApprovalWindow): void;
  close(): void;
}

export interface ApprovalsOptions {
  /** Who is asked. Without one nobody is. */
  ask?: ((ask: Ask, signal: AbortSignal) => Promise<Answer>) | undefined;
  /** False: commands count as approved, like everything in a window. Asked each time: a setting may change. */
  shellConfirm(): boolean;
  /** Adds the rules for this session, or for good. */
  grant: Readonly<Record<'session' | 'always', (rules: readonly string[]) => void | Promise<void>>>;
  notice(level: 'info' | 'warning', text: string): void;
}

const off = 'the user has switched approvals off, so nothing that needs one is done';

interface Waiting {
  ask: Ask;
  settle(answer: Answer): void;
}

export function createApprovals({ ask, shellConfirm, grant, notice }: ApprovalsOptions): Approvals {
  const waiting = new Map<string, Waiting>();
  const window = createWindow(() =>
    notice('info', 'The time in which everything was approved is over: tau asks again'),
  );

  /** What the user has said to all of its kind. */
  function standing(asked: Ask): Answer | undefined {
    const { policy } = window.now();
    if (policy === 'none') return { outcome: 'deny', feedback: off, standing: true };
    if (mustBeAsked(asked)) return undefined;
    const yes = policy === 'all' || (asked.toolName === 'bash' && !shellConfirm());
    return yes ? { outcome: 'allow', standing: true } : undefined;
  }

  /** The first of: whoever is asked, somebody who answers by id, a standing word given meanwhile, an abort. */
  function firstAnswer(asked: Ask, signal: AbortSignal): Promise<Answer> {
    if (!ask) return Promise.resolve({ outcome: 'deny', unattended: true });
    const own = new AbortController();
    return new Promise<Answer>((resolve, reject) => {
      const giveUp = () => entry.settle({ outcome: 'deny', unattended: true });
      const entry: Waiting = { ask: asked, settle: resolve };
      waiting.set(asked.id, entry);
      signal.addEventListener('abort', giveUp, { once: true });
      ask(asked, AbortSignal.any([signal, own.signal]))
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', giveUp));
    }).finally(() => {
      waiting.delete(asked.id);
      // Whoever still shows it may take it away.
      own.abort();
    });
  }

  async function keep(answer: Extract<Answer, { outcome: 'allow' }>, asked: Ask): Promise<Answer> {
    const { offer, everyTime } = asked.decision;
    // What is asked every time and brings rules all the same is a plan: a yes to it is one to them.
    const scope = everyTime && offer !== undefined ? 'session' : (answer.scope ?? 'once');
    if (scope === 'once') return answer;
    if (offer === undefined || offer.length === 0) {
      notice('info', 'This is asked about every time: the yes counts once');
      return { ...answer, scope: 'once' };
    }
    return { ...answer, scope: await granted(scope, offer) };
  }

  /** For how long it holds now. */
  async function granted(scope: Exclude<GrantScope, 'once'>, rules: readonly string[]): Promise<GrantScope> {
    try {
      await grant[scope](rules);
      return scope;
    } catch (error) {
      if (scope === 'session') throw error;
      notice('warning', `It counts for this session only, because it could not be saved: ${describeError(error)}`);
      return granted('session', rules);
    }
  }

  return {
    async ask(asked, signal) {
      const answer = standing(asked) ?? (await firstAnswer(asked, signal));
      return answer.outcome === 'allow' && !signal.aborted ? keep(answer, asked) : answer;
    },
    pending: () =>
      [...waiting.values()].map(({ ask: { id, toolName, decision } }) => {
        return { id, toolName, reason: decision.reason, class: decision.class };
      }),
    answer(id, answer) {
      const found = waiting.get(id);
      waiting.delete(id);
      found?.settle(answer);
      return found !== undefined;
    },
    approval: window.now,
    setApproval(next) {
      window.set(next);
      for (const one of [...waiting.values()]) {
        const answer = standing(one.ask);
        if (answer) one.settle(answer);
      }
    },
    close: window.close,
  };
}
