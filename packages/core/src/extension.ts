/**
 * The one way anything is added to tau. Built-in tools come through this interface too, so whatever they can do, a
 * user's extension can do. An extension's UI part is a separate export that this package knows nothing about.
 */
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
}
