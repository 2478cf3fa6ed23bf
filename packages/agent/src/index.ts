/** The headless product. `createAgent()` is the way in, for the command line and for everyone else. */
export {
  type Answer,
  type Ask,
  type Decision,
  describeError,
  type Effect,
  type Extension,
  nearest,
  type PermissionMode,
  permissionModes,
  type StampedEvent,
  TauError,
  type Tool,
  type ToolContext,
  type ToolInput,
  type ToolResult,
  textOf,
} from '@tau/core';
export type { RunOutcome } from '@tau/engine';
export { type RuleSet, suggestRules } from '@tau/policy';
export { type Agent, type AgentOptions, createAgent, type Run } from './agent.ts';
export type { SessionChoice } from './sessions.ts';
