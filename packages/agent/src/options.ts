/** What an agent is made from, and what it can do: the SDK's surface. */
import type {
  Answer,
  Ask,
  Extension,
  JsonSchema,
  Message,
  Model,
  PermissionMode,
  Question,
  Reply,
  ResultBlock,
  SandboxState,
  ThinkingLevel,
  ToolResult,
  ToolSpec,
  Usage,
} from '@tau/core';
import type { RuleSet } from '@tau/policy';
import type { PendingAsk } from './approvals.ts';
import type { Settings } from './config/types.ts';
import type { Listener } from './events.ts';
import type { GoingBack } from './going-back.ts';
import type { ListedHook } from './hooks.ts';
import type { Looking } from './looking.ts';
import type { Mentions } from './mentions.ts';
import type { OwnCommandOptions } from './own-commands.ts';
import type { RuleInForce } from './permission.ts';
import type { ContextFile } from './prompt/collect.ts';
import type { Run } from './runs.ts';
import type { SessionChoice } from './sessions.ts';
import type { TrustState } from './trust/project-trust.ts';
import type { Approval, ApprovalWindow } from './windows.ts';

export interface AgentOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Settings that go before those of user and project; the file must exist. */
  configFile?: string;
  /** False leaves the settings of the project out. */
  projectSettings?: boolean;
  /**
   * Whether what the project brings when the agent is made counts like the user's own: settings that allow or redirect
   * something, hooks. What is recorded by `tau trust` if not given.
   */
  trust?: boolean;

  /** `provider/id[:thinking]`, an alias, or a part of the name that only one model has. */
  model?: string;
  /** Where to look for it. */
  provider?: string;
  thinking?: ThinkingLevel;
  /** Asked in this order when the model cannot answer; instead of those in the settings. */
  fallbackModels?: readonly string[];
  apiKey?: string;
  baseUrl?: string;
  /** False: it is also made where no model can be asked, and a prompt then fails. `model.provider` is `noProvider`. */
  needsModel?: boolean;
  replay?: { name: string; text: string };
  /** A new file that takes what the model answers. */
  record?: string;

  /** Only these tools, by name; `minimal` is read, write, edit and bash. An empty list: none. */
  tools?: readonly string[];
  excludeTools?: readonly string[];
  /** False: only the tools that extensions bring. */
  builtinTools?: boolean;
  extensions?: readonly Extension[];
  /** False: no hook of the settings runs. */
  hooks?: boolean;
  /** True: the events tell of each hook that runs. */
  hookEvents?: boolean;
  permissionMode?: PermissionMode;
  /**
   * True: commands run in a sandbox, or not at all where there is none. False: without one. Not given: in one where it
   * works and the settings do not say otherwise.
   */
  sandbox?: boolean;
  /** Added to the rules in the settings; deny beats ask beats allow wherever a rule comes from. */
  rules?: RuleSet;
  /** Folders that count as inside like the project, besides those in the settings. They must exist. */
  addDirs?: readonly string[];
  /** The user's word beforehand on what will be asked, see `setApproval`. */
  approval?: ApprovalWindow;
  /** Who answers when a call needs approval. Without it nobody does: the call is denied and the run says so. */
  ask?: (ask: Ask, signal: AbortSignal) => Promise<Answer>;
  /** Who answers when a tool has a question. Without it nobody does, and the tool says so to the model. */
  question?: (question: Question, signal: AbortSignal) => Promise<Reply>;

  session?: SessionChoice;
  sessionDir?: string;
  /** A UUID for a new session. */
  sessionId?: string;
  sessionName?: string;
  /** What was said before, for a session that begins here. */
  messages?: readonly Message[];

  /** False leaves AGENTS.md, CLAUDE.md and rules out. */
  contextFiles?: boolean;
  /** Instead of tau's own instructions, SYSTEM.md and the setting. */
  systemPrompt?: string;
  /** Instead of APPEND_SYSTEM.md and the setting. */
  appendSystemPrompt?: string;
  /** The answer must be JSON that fits this schema. The vendor is held to it where it can be; check what comes. */
  answerSchema?: JsonSchema;

  /** Of each prompt. */
  maxTurns?: number;
  /** Of all prompts of the agent together. */
  maxTotalTokens?: number;
  maxBudgetUsd?: number;
  /** Ends the commands that are asked for a key or a header, also while the agent is being made. */
  signal?: AbortSignal;
}

export interface PromptOptions {
  signal?: AbortSignal;
  /** What comes with it; `attach` and `expandMentions` make them from files. */
  attachments?: readonly ResultBlock[];
}

export interface BackgroundJob {
  id: string;
  command: string;
  runtimeMs: number;
  isRunning: boolean;
  /** How long it may still run, where somebody said so. */
  leftMs?: number;
  /** What it printed last. */
  lastLines(): string;
}

export interface Agent {
  readonly model: Model;
  readonly thinking: ThinkingLevel | undefined;
  readonly permissionMode: PermissionMode;
  /** Whether commands run in a sandbox, by which, or why not. */
  readonly sandbox: SandboxState;
  /** Of the project; `nothing to trust` when nothing it says would count differently. */
  readonly trust: TrustState;
  readonly sessionId: string;
  readonly sessionPath: string | undefined;
  readonly sessionName: string | undefined;
  /** From all layers, as they count now: a file that changes is read again before the next prompt. */
  readonly settings: Readonly<Settings>;
  /** What to tell the user before the first prompt: settings that were ignored, a session that was mended. */
  readonly warnings: readonly string[];
  /** The files of instructions in the system prompt. */
  readonly contextFiles: readonly ContextFile[];
  /** What the model is told before anything else; the instructions above are part of it. */
  readonly systemPrompt: string;
  /** The names of the tools the model is offered now. */
  readonly tools: readonly string[];
  /** The same as the model is told them: name, description, and what they take as JSON Schema. */
  toolSpecs(): readonly ToolSpec[];

  /** A file the user hands over, as attachments of a prompt. Not one that a rule denies or that holds credentials. */
  attach(path: string): Promise<ResultBlock[]>;
  /**
   * The files and folders that the user's words mention as `@path`, as attachments, and a sentence for each that cannot be
   * one. Only for words of the user: what they mention is read without asking.
   */
  expandMentions(text: string, options?: { signal?: AbortSignal }): Promise<Mentions>;
  /** The files that can be mentioned, for whoever completes what a user types. */
  files: Looking['files'];
  /** What is in a folder, as it is written in a prompt: relative, absolute, or from home with `~/`. */
  folder: Looking['folder'];
  /** While a run is under way the prompt waits for its end. */
  prompt(text: string, options?: PromptOptions): Run;
  /** Says something to the run under way, after its current batch. False when there is no run to hear it. */
  steer(text: string): boolean;
  /** The same, when the run would otherwise stop. */
  followUp(text: string): boolean;
  /** Something the model should know that nobody said: heard by the run under way, else at the start of the next. */
  tell(text: string): void;
  /** What the user said and the run has not heard yet. */
  queued(): { steering: string[]; followUp: string[] };
  /** Takes that back. What others said goes on waiting. */
  clearQueues(): string[];
  subscribe(listener: Listener, options?: { deltas?: boolean }): () => void;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
  /**
   * Runs a command as the user, outside of any sandbox and without asking; what is denied stays denied. The events tell of
   * it as of any call. The model hears of it with the next prompt, unless it is quiet. Never throws for a command that fails.
   */
  shell(command: string, options?: OwnCommandOptions): Promise<ToolResult>;

  /** The commands in the background, the oldest first; of those that ended, the last few. */
  jobs(): readonly BackgroundJob[];
  /** Ends one of them. False when none of that name runs. */
  endJob(id: string): Promise<boolean>;
  /** Ends it after this time, counted from now; without one it may run as long as it likes. False when none runs. */
  limitJob(id: string, forMs?: number): boolean;

  /** From the next request on; the conversation stays. */
  setModel(name: string): Promise<void>;
  setThinking(level: ThinkingLevel): void;
  setPermissionMode(mode: PermissionMode): void;
  /** From the next command on. Throws when there is none that works here. */
  setSandbox(on: boolean): void;
  setName(name: string): void;
  /** Asks a model what the conversation could be called: the small one of the settings, else its own. Nothing is set. */
  suggestName(options?: { signal?: AbortSignal }): Promise<string>;
  /** What the conversation has used so far, earlier sittings and other branches included. */
  spent(): Usage;
  /**
   * What the rule names is no longer asked about in this session, also when it goes on another day. Throws when the rule
   * means nothing.
   */
  allow(rule: string): void;
  /** The same for what never happens. */
  deny(rule: string): void;
  /** The hooks that count, each with where it is declared. */
  hooks(): readonly ListedHook[];
  /** The rules that count, each with where it comes from; deny first, as they are asked. */
  rules(): readonly RuleInForce[];
  /** A folder to work in besides the project, until the agent is closed; where it really is. Throws when there is none. */
  addFolder(path: string): string;
  /** The folders that count as inside, the project first. */
  folders(): readonly string[];
  readonly approval: Approval;
  /**
   * From now on, and for what waits already: `all` is yes to everything but what is dangerous or asked about every time,
   * `none` is no to everything, a time is `all` until it is over. Not kept: a session that goes on begins with `ask`.
   */
  setApproval(window: ApprovalWindow): void;
  /** What waits for an answer, in the order in which it was asked. */
  pendingAsks(): readonly PendingAsk[];
  /** Answers one of them beside whoever is asked; the first answer wins. False when it does not wait any more. */
  answer(id: string, answer: Answer): boolean;
  /** Mode, rules, standing word and sandbox of this moment, as options for another agent that is to have no more freedom. */
  permissionState(): Required<Pick<AgentOptions, 'permissionMode' | 'rules' | 'approval'>> &
    Pick<AgentOptions, 'sandbox'>;

  /** What the user said, the branches that were left, and the way there. */
  readonly going: GoingBack;
  /** What extensions say on how they stand. */
  statuses(): readonly { key: string; text: string }[];
  /** The conversation as the model is told it. */
  messages(): Message[];
  /** Begins anew with these. What was there stays in the session's file, on a branch of its own. Not during a run. */
  setMessages(messages: readonly Message[]): void;
  /** A text without the keys that are in use, and without what is shaped like one: for logs. */
  scrub(text: string): string;
  /** Ends what runs in the background, and lets go of the session. */
  close(): Promise<void>;
}
