/** The conversation on disk: the v3 JSONL session, append-only, one write per entry. */
export { findSession, sessionExists } from './find.ts';
export { latestSession } from './folder.ts';
export { type SessionInfo, sessionInfo } from './glance.ts';
export { type ListSessionsOptions, listSessions, type SessionList } from './list.ts';
export { describeOwner, type Owner } from './lock.ts';
export { createSession, forkSession, memorySession, type NewSession, type OpenedSession, openSession } from './open.ts';
export { deleteSession } from './remove.ts';
export type { Session } from './session.ts';
