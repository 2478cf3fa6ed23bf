/** The conversation on disk: the v3 JSONL session, append-only, one write per entry. */
export { latestSession } from './folder.ts';
export { createSession, memorySession, openSession } from './open.ts';
export type { Session } from './session.ts';
