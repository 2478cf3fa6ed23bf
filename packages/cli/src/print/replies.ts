/** Asks and questions that wait for a client's word. When nobody can say anything any more, they are told so. */
import type { Answer, Ask, Question, Reply, StampedEvent } from '@tau/agent';

export interface Replies {
  ask(ask: Ask, signal: AbortSignal): Promise<Answer>;
  question(question: Question, signal: AbortSignal): Promise<Reply>;
  /** A question has its id from its event. */
  watch(event: StampedEvent): void;
  /** Both are false when nothing of this id waits. */
  answer(id: string, answer: Answer): boolean;
  reply(id: string, reply: Reply): boolean;
  /** The client went away. */
  close(): void;
}

export function createReplies(): Replies {
  const asks = createWaiting<Answer>({ outcome: 'deny', unattended: true });
  const questions = createWaiting<Reply>({ unattended: true });
  const ids = new Map<Question, string>();
  return {
    ask: ({ id }, signal) => asks.wait(id, signal),
    question(question, signal) {
      const id = ids.get(question) ?? '';
      ids.delete(question);
      return questions.wait(id, signal);
    },
    watch(event) {
      if (event.type === 'question_request') ids.set(event.question, event.id);
    },
    answer: asks.settle,
    reply: questions.settle,
    close() {
      asks.close();
      questions.close();
    },
  };
}

function createWaiting<T>(unattended: T) {
  const waiting = new Map<string, (value: T) => void>();
  let closed = false;
  const settle = (id: string, value: T): boolean => {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(value);
    return resolve !== undefined;
  };
  return {
    settle,
    wait(id: string, signal: AbortSignal): Promise<T> {
      if (closed) return Promise.resolve(unattended);
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        signal.addEventListener('abort', () => settle(id, unattended), { once: true });
      });
    },
    close() {
      closed = true;
      for (const id of [...waiting.keys()]) settle(id, unattended);
    },
  };
}
