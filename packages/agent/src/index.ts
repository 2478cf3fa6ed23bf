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
  partialArguments,
  permissionModes,
  type StampedEvent,
  TauError,
  type ThinkingLevel,
  type Tool,
  type ToolContext,
  type ToolInput,
  type ToolResult,
  textOf,
  thinkingLevels,
} from '@tau/core';
export type { RunOutcome } from '@tau/engine';
export { type RuleSet, suggestRules } from '@tau/policy';
export { type Agent, type AgentOptions, createAgent, type PromptOptions, type Run } from './agent.ts';
export { readAttachment } from './attachments.ts';
export { type Auth, type AuthStatus, isKeyShaped, type KeySource, openAuth, type ProviderStatus } from './auth.ts';
export { type ListedModel, type ListOptions, listModels, type ModelList } from './model-list.ts';
export type { SessionChoice } from './sessions.ts';
