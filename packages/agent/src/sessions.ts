/** Which session a run belongs to, and what is put right when an interrupted one is taken up again. */
import { type Model, TauError, type ThinkingLevel, thinkingLevels } from '@tau/core';
import { createSession, latestSession, memorySession, openSession, type Session } from '@tau/session';
import { replayProvider } from './models.ts';

/** `continue`: the newest of this folder. `none`: nothing is written. */
export type SessionChoice = 'new' | 'continue' | 'none';

export function openOrCreate(
  choice: SessionChoice,
  dir: string,
  cwd: string,
): { session: Session; problems: readonly string[] } {
  switch (choice) {
    case 'none':
      return { session: memorySession({ cwd }), problems: [] };
    case 'new':
      return { session: createSession({ dir, cwd }), problems: [] };
    case 'continue': {
      const path = latestSession({ dir, cwd });
      if (path) return openSession(path);
      throw new TauError('session', `There is no session to continue in ${cwd}`, {
        remedy: 'Start one without --continue',
      });
    }
  }
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

/** The model a continued session was using. A recording is nobody to go on talking to. */
export function sessionModel(session: Session): string | undefined {
  const last = session.lastModel();
  return last && last.provider !== replayProvider ? `${last.provider}/${last.modelId}` : undefined;
}
