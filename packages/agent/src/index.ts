/** The headless product. `createAgent()` is the way in, for the command line and for everyone else. */
export {
  type Answer,
  type Ask,
  callOutcome,
  createValidate,
  type Decision,
  describeError,
  describeProblem,
  type Effect,
  type Extension,
  emptyUsage,
  errorResult,
  grantScopes,
  isRecord,
  type JsonSchema,
  jobEntry,
  type Message,
  type Model,
  nearest,
  type PermissionMode,
  partialArguments,
  permissionModes,
  type Question,
  type Reply,
  type RunEvent,
  type SandboxState,
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
  toolCallsOf,
  type Usage,
  type Validate,
  wordEntry,
} from '@tau/core';
export type { RunOutcome } from '@tau/engine';
export { type Watching, watchFiles } from '@tau/host';
export { scrub } from '@tau/models';
export { type RuleSet, suggestRules } from '@tau/policy';
export { describeOwner, type SessionInfo, type SessionList } from '@tau/session';
export { createAgent } from './agent.ts';
export type { PendingAsk } from './approvals.ts';
export { readAttachment } from './attachments.ts';
export type { AuditRecord } from './audit.ts';
export { type AuditChoice, type AuditList, readAudit } from './audit-read.ts';
export { type Auth, type AuthStatus, isKeyShaped, type KeySource, openAuth, type ProviderStatus } from './auth.ts';
export { type Config, openConfig, type SettingFile } from './config/config.ts';
export { describeSettings, type SettingFacts } from './config/describe.ts';
export type { EffectiveSetting, SettingSay } from './config/explain.ts';
export { type Grants, openGrants, type SavedRules } from './config/grants-file.ts';
export type { Migrated } from './config/migrate.ts';
export type { WritableLayer } from './config/save.ts';
export type { SettingName } from './config/types.ts';
export { type Check, examine } from './doctor.ts';
export { eventSchema } from './event-schema.ts';
export {
  type CallAccount,
  type CommandAccount,
  openPermissionView,
  type PermissionView,
  type PermissionViewOptions,
} from './explain-permission.ts';
export { checkedOut, checkedOutByGit, watchCheckedOut } from './git/branch.ts';
export { type Changes, changesIn } from './git/changes.ts';
export { type Branch, type GoingBack, type Said, wordsOf } from './going-back.ts';
export type { ListedHook } from './hooks.ts';
export type { FolderItem, ProjectFiles } from './looking.ts';
export { findMentions, type Mention, type Mentions } from './mentions.ts';
export { type ListedModel, type ListOptions, listModels, type ModelList } from './model-list.ts';
export { noProvider } from './models.ts';
export type { Agent, AgentOptions, BackgroundJob, PromptOptions } from './options.ts';
export { isOwnCommand, type OwnCommandOptions } from './own-commands.ts';
export { withOwnPrograms } from './own-programs.ts';
export type { RuleInForce } from './permission.ts';
export { addRule, type RuleChange, type RulePlace, removeRule } from './permission-change.ts';
export type { ListedRule } from './permission-list.ts';
export { type PreviewedFile, previewChange } from './preview-change.ts';
export { writeAgentsTemplate } from './prompt/agents-template.ts';
export type { ContextFile } from './prompt/collect.ts';
export type { Run } from './runs.ts';
export {
  deleteSession,
  listSessions,
  lookUpSession,
  nameSession,
  type SessionPlace,
  type ShownSession,
  showSession,
} from './session-list.ts';
export type { SessionChoice } from './sessions.ts';
export type { Enabled } from './trust/preview.ts';
export type { ContentChange, TrustState } from './trust/project-trust.ts';
export { mayNeedTrust, type TrustStatus, trustStatus } from './trust/view.ts';
export { isFullnessNotice } from './window.ts';
export {
  type Approval,
  type ApprovalWindow,
  approvalWords,
  describeApproval,
  parseApproval,
} from './windows.ts';
