/** The session as a run writes to it, and what waits to be told to the next one. */
import {
  addUsage,
  emptyUsage,
  intentEntry,
  type Message,
  type Model,
  type RunPorts,
  type ThinkingLevel,
  type Usage,
} from '@tau/core';
import type { Session } from '@tau/session';
import { answerInterrupted, recordModel, recordThinking } from './sessions.ts';

export interface Conversation {
  /** Where the run writes. */
  ports: Pick<RunPorts, 'append' | 'note' | 'journal' | 'shorten'>;
  /** What the session is told before a prompt, only now: an agent that is never asked leaves no file. */
  prepare(model: Model, thinking: ThinkingLevel | undefined): void;
  /** For the start of the next run. */
  leaveWord(text: string): void;
  messages(): Message[];
  /** By all answers in the session's file. */
  spent(): Usage;
  /** Begins anew with these; what was there stays on a branch of its own. */
  setMessages(messages: readonly Message[]): void;
}

/** `earlier`: what was said before, for a session that begins here. */
export function createConversation(session: Session, earlier: readonly Message[] = []): Conversation {
  const unheard: string[] = [];
  let waiting: readonly Message[] | undefined = earlier.length === 0 ? undefined : earlier;
  const keep = (messages: readonly Message[]) => {
    for (const message of messages) session.append({ type: 'message', message });
  };
  const note = (content: Extract<Message, { role: 'user' }>['content']) =>
    session.append({ type: 'custom_message', customType: 'tau.note', content, display: false });

  return {
    ports: {
      append: async (message) => ({ entryId: session.append({ type: 'message', message }).id }),
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
      for (const text of unheard.splice(0)) note(text);
    },
    leaveWord: (text) => void unheard.push(text),
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
