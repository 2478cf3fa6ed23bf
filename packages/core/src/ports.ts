/**
 * What the loop and the gate need from the world, as interfaces. `engine` calls them, the packages below implement
 * them, `agent` joins the two. Nothing here knows a disk, a network or a terminal.
 */
import type { Answer, Ask, Decision } from './decision.ts';
import type { Effect, ResolvedEffect } from './effect.ts';
import type { RunEvent } from './events.ts';
import type { HookOpinion } from './hook.ts';
import type { AssistantMessage, Message, UserMessage } from './messages.ts';
import type { StreamModel } from './model.ts';
import type { Question, Reply } from './question.ts';
import type { Intent } from './session.ts';
import type { Tool, ToolInput, ToolResult } from './tool.ts';

export interface GateCall {
  id: string;
  toolName: string;
  input: ToolInput;
  /** What hooks said about it that whoever decides takes into account. */
  hook?: HookOpinion;
}

/** Who brought a tool. Only built-in tools are believed about their effects. */
export type ToolSource = 'builtin' | 'extension' | 'mcp';

export interface RegisteredTool {
  tool: Tool;
  source: ToolSource;
}

/** A hook's word on a call before it runs. A changed input is coerced, validated and decided again. */
export type BeforeToolVerdict = { block: string } | ({ input?: ToolInput } & HookOpinion) | undefined;

export interface GatePorts {
  findTool(name: string): RegisteredTool | undefined;
  /** Where a path really leads. Called again after an ask or a hook's change. */
  resolve(effects: readonly Effect[]): Promise<ResolvedEffect[]>;
  /** A verdict at once, where nobody has to be waited for. */
  beforeTool(call: GateCall): BeforeToolVerdict | Promise<BeforeToolVerdict>;
  decide(call: GateCall, source: ToolSource, effects: readonly ResolvedEffect[]): Decision;
  ask(ask: Ask, signal: AbortSignal): Promise<Answer>;
  /** What became of a call that was judged, said once: the last decision, and the answer if somebody was asked. */
  decided?(call: GateCall, decision: Decision, answer?: Answer): void;
  /** What else the model should hear about a call that was not allowed; said behind the reason. */
  afterDenial?(call: GateCall, decision: Decision): string | undefined;
  /** A tool's question to the user. */
  question(question: Question, signal: AbortSignal): Promise<Reply>;
  /** Saves what the effects will change, so that it can be taken back. */
  checkpoint(effects: readonly ResolvedEffect[]): Promise<void>;
  /** The intent is on disk when this resolves. */
  journal(intent: Intent): Promise<void>;
  afterTool(call: GateCall, result: ToolResult, effects: readonly ResolvedEffect[]): Promise<ToolResult>;
  /** Stores text too long for a result and says where it is. */
  keep(text: string): Promise<string>;
}

export interface RunPorts extends GatePorts {
  stream: StreamModel;
  /** The message is on disk when this resolves, as the entry of the given id; only then is its event emitted. */
  append(message: Message): Promise<{ entryId: string }>;
  /** The same for what tau itself says to the model: it is on record, but not as the user's words. */
  note(message: UserMessage): Promise<void>;
  emit(event: RunEvent): void;
  /**
   * The conversation did not fit: makes it shorter for good (what was left out stays on disk) and says what is left.
   * Undefined when nothing more can go.
   */
  shorten(): Promise<readonly Message[] | undefined>;
  /** What the model is told instead of the conversation as it stands. Nothing of it is kept. Absent: as it stands. */
  transform?: ((messages: readonly Message[]) => readonly Message[] | Promise<readonly Message[]>) | undefined;
  /**
   * The user says something: the prompt, or words to a run under way. A reason to block it keeps it from being heard and
   * recorded; `context` is for the model, behind it.
   */
  beforePrompt?(message: UserMessage): { block: string } | { context: string } | undefined | PromptWord;
  /**
   * What the model said, before it is recorded, shown and acted upon: the message to keep instead, or why it must not be
   * kept. While there is one, no call starts early.
   */
  afterAnswer?: ((message: AssistantMessage) => Promise<AssistantMessage | { block: string }>) | undefined;
  /** The run would stop with this answer. Words to go on with keep it from doing so. */
  beforeStop?(answer: string): string | undefined | Promise<string | undefined>;
  /** False while nobody reads deltas: then they need not be made. Absent: somebody may. */
  wantsDeltas?(): boolean;
  now(): number;
}

type PromptWord = Promise<{ block: string } | { context: string } | undefined>;
