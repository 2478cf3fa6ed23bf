/** What can be set. `keys.ts` describes each of these, and the compiler checks that it leaves none out. */
import type { PermissionMode, ThinkingLevel } from '@tau/core';
import type { RuleSet } from '@tau/policy';

export interface Settings {
  model?: string;
  provider?: string;
  thinking?: ThinkingLevel;
  fallbackModels?: string[];
  smallModel?: string;
  planModel?: string;
  aliases?: Record<string, string>;
  availableModels?: string[];
  cycleModels?: string[];
  baseUrl?: string;
  apiKeyHelper?: string;
  caFile?: string;
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  retry?: { retries?: number; baseMs?: number; maxMs?: number; maxWaitSecs?: number };
  permissionMode?: PermissionMode;
  permissions?: RuleSet;
  additionalDirectories?: string[];
  shellConfirm?: boolean;
  auditLog?: boolean;
  /** As the layers declare them, one after the other; `hooks/declared.ts` reads them. */
  hooks?: unknown[];
  disableAllHooks?: boolean;
  claudeHooks?: boolean;
  claudeRules?: boolean;
  fileAccessLog?: boolean;
  tools?: string[] | 'minimal' | 'default';
  excludeTools?: string[];
  systemPrompt?: string;
  appendSystemPrompt?: string;
  customInstructions?: string;
  language?: string;
  /** `concise`, `explanatory`, `learning`, or a text of one's own. */
  outputStyle?: string;
  contextFiles?: boolean;
  gitContext?: { enabled?: boolean; maxDiffLines?: number; pullRequest?: boolean };
  respectGitignore?: boolean;
  env?: Record<string, string>;
  shell?: string;
  commandPrefix?: string;
  sessionDir?: string;
  steeringMode?: QueueMode;
  followUpMode?: QueueMode;
  maxTurns?: number;
  maxTotalTokens?: number;
  maxBudgetUsd?: number;
  verbose?: boolean;
  tips?: boolean;
  theme?: string;
  statusLine?: string;
  notifications?: 'auto' | 'bell' | 'desktop' | 'off';
  terminalTitle?: boolean;
  vim?: boolean;
  doubleEscapeAction?: 'tree' | 'fork' | 'none';
  color?: 'auto' | 'always' | 'never';
  webFetch?: { enabled?: boolean; privateHosts?: string[] };
  sandbox?: SandboxSettings;
  limits?: Limits;
}

interface SandboxSettings {
  enabled?: boolean;
  backend?: 'auto' | 'bubblewrap' | 'seatbelt';
  hosts?: string[];
  registries?: string[];
  writable?: string[];
  unreadable?: string[];
}

type QueueMode = 'one-at-a-time' | 'all';

interface Limits {
  parallelTools?: number;
  resultChars?: number;
  bashTimeoutSecs?: number;
  bashMaxTimeoutSecs?: number;
  modelIdleSecs?: number;
  readLines?: number;
  readBytes?: number;
  repeatedCalls?: number;
  recoveries?: number;
}

/** Those that hold others. */
type Group = 'retry' | 'permissions' | 'gitContext' | 'webFetch' | 'sandbox' | 'limits';
type Within<G extends Group> = `${G}.${keyof NonNullable<Settings[G]> & string}`;

/** One thing that can be set: `model`, `limits.readLines`. */
export type SettingName = Exclude<keyof Settings, Group> | { [G in Group]: Within<G> }[Group];
