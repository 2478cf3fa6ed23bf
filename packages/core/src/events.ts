/**
 * The one stream of a run. Every way of watching tau (terminal, print, JSON, and what comes later) reads these
 * events; they serialise to JSON as they are, and an update carries its delta only.
 */
import type { Decision, GrantScope, Outcome } from './decision.ts';
import type { ModelErrorClass } from './errors.ts';
import type { HookEvent } from './hook.ts';
import type { AssistantMessage, Message, ToolResultMessage, Usage } from './messages.ts';
import type { RateLimits } from './model.ts';
import type { Question, Reply } from './question.ts';
import type { ToolInput, ToolResult } from './tool.ts';

export type MessageDelta =
  | { kind: 'text'; index: number; text: string }
  | { kind: 'thinking'; index: number; text: string }
  | { kind: 'toolCallStart'; index: number; id: string; name: string }
  | { kind: 'toolCallArguments'; index: number; text: string }
  | { kind: 'toolCallEnd'; index: number };

/**
 * Why a run ended. `error` covers a provider that failed; the error event before it says how. `repeated`: the model made
 * the same call over and over, and nobody was there to say whether it should go on.
 */
export type RunEnd = 'done' | 'aborted' | 'error' | 'maxTurns' | 'maxTokens' | 'maxCost' | 'repeated';

/** `brokenStream`: the provider fell silent or went away in the middle of an answer. `stopHook`: a hook wants more. */
export type RecoveredProblem =
  | 'contextOverflow'
  | 'outputLimit'
  | 'emptyAnswer'
  | 'malformedArguments'
  | 'brokenStream'
  | 'stopHook';

/** What a hook said, in a word; `failed`: it could not. */
export type HookOutcome = 'ok' | 'allow' | 'ask' | 'modify' | 'retry' | 'deny' | 'failed';

/** What one model did in a run. */
export interface ModelUse {
  /** `provider/id`. */
  model: string;
  turns: number;
  usage: Usage;
  /** The mean over its turns. Absent when it never said anything. */
  firstTokenMs?: number;
}

/** Whether commands run in a sandbox: by which backend, or why not. */
export interface SandboxState {
  on: boolean;
  backend?: string;
  reason?: string;
}

/** Something a sandbox refused, or should have: what was attempted, and on which path or host, or by which system call. */
export interface SandboxViolation {
  what: 'write' | 'read' | 'connect' | 'call';
  path?: string;
  host?: string;
  call?: string;
  /** Why, where that is known. */
  reason?: string;
  /** It could not be refused: the file was made. */
  happened?: true;
  /** Where that file is now, so that nothing acts on it. Absent: where it was made. */
  aside?: string;
}

export type RunEvent =
  | {
      type: 'agent_start';
      sessionId: string;
      cwd: string;
      model: string;
      permissionMode: string;
      tools: string[];
      sandbox?: SandboxState;
    }
  | { type: 'turn_start'; turn: number }
  | { type: 'message_start'; role: Message['role'] }
  /** `dropped`: characters a reader was too slow for. The whole is in `message_end`. */
  | { type: 'message_update'; delta: MessageDelta; dropped?: number }
  /** The message is on disk, as the entry of the given id. */
  | { type: 'message_end'; message: Message; entryId: string }
  | { type: 'tool_execution_start'; toolCallId: string; toolName: string; input: ToolInput }
  | { type: 'tool_execution_update'; toolCallId: string; delta: string; dropped?: number }
  /** `summary`: the call and how it went, on one line. */
  | { type: 'tool_execution_end'; toolCallId: string; toolName: string; result: ToolResult; summary: string }
  | {
      type: 'permission_request';
      id: string;
      toolCallId: string;
      toolName: string;
      input: ToolInput;
      decision: Decision;
    }
  | {
      type: 'permission_response';
      id: string;
      toolCallId: string;
      outcome: Outcome;
      scope?: GrantScope;
      feedback?: string;
      unattended?: boolean;
      standing?: boolean;
    }
  /** What a command tried and the sandbox refused. */
  | ({ type: 'sandbox_violation'; toolCallId: string; command?: string } & SandboxViolation)
  /** The model is asked again: `attempt` counts from 1, `model` is the one that is asked next. */
  | { type: 'retry'; attempt: number; delayMs: number; class: ModelErrorClass; message: string; model: string }
  /** The run helps itself: what went wrong, and what it does about it. `attempt` counts from 1 and is bounded. */
  | { type: 'recovery'; problem: RecoveredProblem; attempt: number; text: string }
  /** A tool puts a question to the user; `question_response` follows, whoever answers. */
  | { type: 'question_request'; id: string; toolCallId: string; question: Question }
  | { type: 'question_response'; id: string; toolCallId: string; reply: Reply }
  | { type: 'rate_limits'; model: string; limits: RateLimits }
  | { type: 'queue_update'; steering: number; followUp: number }
  /** A command in the background has ended; not one that somebody ended or waited for. `how`: as words that follow its id. */
  | { type: 'job_end'; id: string; command: string; how: string }
  /** A few words of an extension on how it stands; without `text` they are gone. */
  | { type: 'extension_status'; key: string; text?: string }
  | { type: 'notice'; level: 'info' | 'warning'; text: string }
  /** Only for who asks for them: a hook runs, and what it said. `source` is where it is declared. */
  | { type: 'hook_start'; id: string; event: HookEvent; source: string; what: string }
  | { type: 'hook_end'; id: string; event: HookEvent; outcome: HookOutcome; reason?: string }
  | {
      type: 'turn_end';
      turn: number;
      message: AssistantMessage;
      toolResults: ToolResultMessage[];
      firstTokenMs?: number;
    }
  | { type: 'error'; class: ModelErrorClass; message: string }
  | { type: 'agent_end'; reason: RunEnd; turns: number; usage: Usage; models: ModelUse[] };

/** An event as readers get it: stamped once, when it was emitted. */
export type StampedEvent = RunEvent & { timestamp: string };
