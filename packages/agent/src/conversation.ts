/** The session as a run writes to it, and what waits to be told to the next one. */
import {
  addUsage,
  emptyUsage,
  intentEntry,
  type Message,
  type Model,
  noteEntry,
  type RunPorts,
  type ThinkingLevel,
  type Usage,
  type UserMessage,
} from '@tau/core';
import type { Session } from '@tau/session';
import { answerInterrupted, recordModel, recordThinking } from './sessions.ts';

export interface Conversation {
  /** Where the run writes. */
  ports: Pick<RunPorts, 'append' | 'note' | 'journal' | 'shorten'>;
  /** What the session is told before a prompt, only now: an agent that is never asked leaves no file. */
  prepare(model: Model, thinking: ThinkingLevel | undefined): void;
  /** For the start of the next run. */
  leaveWord(text: string, origin?: string): void;
  messages(): Message[];
  /** By all answers in the session's file. */
  spent(): Usage;
  /** Begins anew with these; what was there stays on a branch of its own. */
  setMessages(messages: readonly Message[]): void;
}

/** `earlier`: what was said before, for a session that begins here. */
export function createConversation(session: Session, earlier: readonly Message[] = []): Conversation {
  const unheard: { text: string; origin: string }[] = [];
  let waiting: readonly Message[] | undefined = earlier.length === 0 ? undefined : earlier;
  const keep = (messages: readonly Message[]) => {
    for (const message of messages) record(message);
  };
  const note = (content: UserMessage['content'], customType: string = noteEntry) =>
    session.append({ type: 'custom_message', customType, content, display: customType !== noteEntry });
  const record = (message: Message) =>
    message.role === 'user' && message.origin !== undefined
      ? note(message.content, message.origin)
      : session.append({ type: 'message', message });

  return {
    ports: {
      append: async (message) => ({ entryId: record(message).id }),
      note: async ({ content }) => void note(content),
      journal: async (intent) => {
        session.append({ type: 'custom', customType: intentEntry, data: intent });
      },
      shorten: async () => (session.shorten() ? session.messages() : undefined),
    },
    prepare(model, thinking) {
      answerInterrupted(session);
      keep(waiting ?? []);
      waiting = undefined;
      recordModel(session, model);
      recordThinking(session, thinking);
      for (const { text, origin } of unheard.splice(0)) note(text, origin);
    },
    leaveWord: (text, origin = noteEntry) => void unheard.push({ text, origin }),
    spent() {
      const total = emptyUsage();
      for (const { message } of session.find('message'))
        if (message.role === 'assistant') addUsage(total, message.usage);
      return total;
    },
    messages: () => (waiting ? [...waiting] : session.messages()),
    setMessages(messages) {
      waiting = undefined;
      if (session.entries().length > 0) session.moveTo(null);
      keep(messages);
    },
  };
}
