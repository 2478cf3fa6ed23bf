/** Which session a run belongs to, and what is put right when an interrupted one is taken up again. */
import { type Model, TauError, type ThinkingLevel, thinkingLevels } from '@tau/core';
import {
  createSession,
  findSession,
  forkSession,
  latestSession,
  memorySession,
  type OpenedSession,
  openSession,
  type Session,
  sessionExists,
} from '@tau/session';
import { noProvider, replayProvider } from './models.ts';

/**
 * `continue`: the newest of this folder. `none`: nothing is written. `open` goes on with a session, `fork` with a copy of
 * one, up to its end or to an entry; both take a path, an id, the beginning or end of one, a name, or `last`.
 */
export type SessionChoice = 'new' | 'continue' | 'none' | { open: string } | { fork: string; entry?: string };

export interface SessionWishes {
  /** For a new session, a copy included: a UUID that none has yet. */
  id?: string;
  name?: string;
}

export interface ChosenSession extends OpenedSession {
  /** The file that what was said before is from. */
  source?: string;
}

/** A session that is taken up is locked from here on; a new one from its first entry on. */
export function openOrCreate(
  choice: SessionChoice,
  dir: string,
  cwd: string,
  { id, name }: SessionWishes = {},
): ChosenSession {
  const made = {
    dir,
    cwd,
    ...(id !== undefined && { id: freeId(id, choice, dir) }),
    ...(name !== undefined && { name }),
  };
  if (choice === 'none') return { session: memorySession(made), problems: [] };
  if (choice === 'new') return { session: createSession(made), problems: [] };
  if (choice === 'continue') {
    const path = latestSession({ dir, cwd });
    if (path !== undefined) return takeUp(path, cwd, name);
    throw new TauError('session', `There is no session to continue in ${cwd}`, {
      remedy: 'Start one without --continue',
    });
  }
  if ('open' in choice) return takeUp(findSession(choice.open, { dir, cwd }), cwd, name);
  const source = findSession(choice.fork, { dir, cwd });
  const { entry } = choice;
  return { ...forkSession(source, { ...made, ...(entry !== undefined && { entry }) }), source };
}

function takeUp(path: string, cwd: string, name: string | undefined): ChosenSession {
  const { session, problems } = openSession(path, { claim: true });
  if (name !== undefined) session.setName(name);
  const home = session.header.cwd;
  if (home === cwd) return { session, problems, source: path };
  return {
    session,
    source: path,
    problems: [...problems, `This session was begun in ${home}; tau now works in ${cwd}`],
  };
}

function freeId(id: string, choice: SessionChoice, dir: string): string {
  if (choice === 'continue' || (typeof choice === 'object' && 'open' in choice)) {
    throw new TauError('usage', 'A session that is there already has its id', {
      remedy: 'Use --session-id with a new session or with --fork',
    });
  }
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw new TauError('usage', `"${id}" cannot be the id of a session`, {
      remedy: 'It must be a UUID, for example from uuidgen',
    });
  }
  if (choice !== 'none' && sessionExists(dir, id)) {
    throw new TauError('session', `There is already a session ${id}`, {
      remedy: `Go on with it: --session ${id}; or choose another id`,
    });
  }
  return id.toLowerCase();
}

/** Every call has a result, also when tau was killed between the two. What may have happened is said, never repeated. */
export function answerInterrupted(session: Session): void {
  for (const { call, begun } of session.unanswered()) {
    const text = begun
      ? 'tau was stopped before the result of this call was recorded. It may have happened, wholly or in part: check before you repeat it.'
      : 'Not run: tau was stopped before this call.';
    session.append({
      type: 'message',
      message: {
        role: 'toolResult',
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: 'text', text }],
        isError: true,
        timestamp: Date.now(),
      },
    });
  }
}

/** Recorded only when it differs from the last one. */
export function recordModel(session: Session, model: Model): void {
  const last = session.lastModel();
  if (last?.provider === model.provider && last.modelId === model.id) return;
  session.append({ type: 'model_change', provider: model.provider, modelId: model.id });
}

/** The same for how hard it thinks. */
export function recordThinking(session: Session, level: ThinkingLevel | undefined): void {
  if (level === undefined || session.lastThinking() === level) return;
  session.append({ type: 'thinking_level_change', thinkingLevel: level });
}

/** Another program may know levels that tau does not. */
export function sessionThinking(session: Session): ThinkingLevel | undefined {
  const last = session.lastThinking();
  return thinkingLevels.find((level) => level === last);
}

/** The model a continued session was using. A recording is nobody to go on talking to, nor is nobody. */
export function sessionModel(session: Session): string | undefined {
  const last = session.lastModel();
  return last && ![replayProvider, noProvider].includes(last.provider) ? `${last.provider}/${last.modelId}` : undefined;
}
