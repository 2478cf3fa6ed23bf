/** The headless product. `createAgent()` is the way in, for the command line and for everyone else. */
export {
  type Answer,
  type Ask,
  createValidate,
  type Decision,
  describeError,
  describeProblem,
  type Effect,
  type Extension,
  emptyUsage,
  errorResult,
  isRecord,
  type JsonSchema,
  type Message,
  type Model,
  nearest,
  type PermissionMode,
  partialArguments,
  permissionModes,
  type Question,
  type Reply,
  type RunEvent,
  type StampedEvent,
  TauError,
  type ThinkingLevel,
  type Tool,
  type ToolContext,
  type ToolInput,
  type ToolResult,
  type ToolSpec,
  textOf,
  textResult,
  thinkingLevels,
  type Usage,
  type Validate,
} from '@tau/core';
export type { RunOutcome } from '@tau/engine';
export { scrub } from '@tau/models';
export { type RuleSet, suggestRules } from '@tau/policy';
export { describeOwner, type SessionInfo, type SessionList } from '@tau/session';
export { createAgent } from './agent.ts';
export { readAttachment } from './attachments.ts';
export { type Auth, type AuthStatus, isKeyShaped, type KeySource, openAuth, type ProviderStatus } from './auth.ts';
export { type Config, openConfig, type SettingFile } from './config/config.ts';
export type { EffectiveSetting, SettingSay } from './config/explain.ts';
export type { WritableLayer } from './config/save.ts';
export type { SettingName } from './config/types.ts';
export { eventSchema } from './event-schema.ts';
export { findMentions, type Mention, type Mentions } from './mentions.ts';
export { type ListedModel, type ListOptions, listModels, type ModelList } from './model-list.ts';
export type { Agent, AgentOptions, PromptOptions } from './options.ts';
export { writeAgentsTemplate } from './prompt/agents-template.ts';
export type { ContextFile } from './prompt/collect.ts';
export type { Run } from './runs.ts';
export {
  deleteSession,
  listSessions,
  nameSession,
  type SessionPlace,
  type ShownSession,
  showSession,
} from './session-list.ts';
export type { SessionChoice } from './sessions.ts';
