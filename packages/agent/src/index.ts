/** The headless product. `createAgent()` is the way in, for the command line and for everyone else. */
export {
  type Decision,
  describeError,
  type Effect,
  type PermissionMode,
  permissionModes,
  type StampedEvent,
  TauError,
  type ToolInput,
  type ToolResult,
  textOf,
} from '@tau/core';
export type { RunOutcome } from '@tau/engine';
export { suggestRule } from '@tau/policy';
export { type Agent, type AgentOptions, createAgent, type Run } from './agent.ts';
export type { SessionChoice } from './sessions.ts';
