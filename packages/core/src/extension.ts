/**
 * The one way anything is added to tau. Built-in tools come through this interface too, so whatever they can do, a
 * user's extension can do. An extension's UI part is a separate export that this package knows nothing about.
 */
import type { HookEvent, HookMoment, HookWord } from './hook.ts';
import type { Message } from './messages.ts';
import type { BeforeToolVerdict, GateCall } from './ports.ts';
import type { Tool, ToolResult } from './tool.ts';

export interface Extension {
  name: string;
  register(api: ExtensionApi): void | Promise<void>;
}

export interface ExtensionApi {
  /** Offers a tool to the model. A second tool of the same name is an error that names both extensions. */
  tool(tool: Tool): void;
  /** Runs before a call is decided. Any hook may block; a throw blocks too. */
  beforeTool(hook: (call: GateCall) => BeforeToolVerdict | Promise<BeforeToolVerdict>): void;
  /** Runs after a call and may replace its result. */
  afterTool(hook: (call: GateCall, result: ToolResult) => ToolResult | Promise<ToolResult>): void;
  /** Runs before each request and says what the model is told instead. Nothing of it is kept. A throw ends the run. */
  transformContext(hook: (messages: readonly Message[]) => readonly Message[] | Promise<readonly Message[]>): void;
  /** Runs when the run would stop with an answer. Words to go on with keep it going, a bounded number of times. */
  beforeStop(hook: (answer: string) => string | undefined | Promise<string | undefined>): void;
  /** Runs at an event, like a hook of the settings and beside them. Where a hook can block, a throw blocks too. */
  on(event: HookEvent, hook: (moment: HookMoment) => HookWord | undefined | Promise<HookWord | undefined>): void;
  /** Says something to the run under way, or to the next one: after the current batch, or when it would stop. */
  say(text: string, deliverAs?: 'steer' | 'followUp'): void;
  /** A few words on how it stands, shown until others come under the same key; without words they are taken away. */
  status(key: string, text?: string): void;
}
