/** Collects what extensions register. Built-in ones come first and through the same calls as a user's. */
import {
  type BeforeToolVerdict,
  describeError,
  type Extension,
  type ExtensionApi,
  type GateCall,
  type HookOpinion,
  type RegisteredTool,
  type RunPorts,
  TauError,
  type ToolResult,
  type ToolSource,
} from '@tau/core';
import type { Hook } from './hooks/hook.ts';

export interface Registry {
  tools(): RegisteredTool[];
  findTool(name: string): RegisteredTool | undefined;
  /** The first block wins; a changed input is what the next hook sees. A hook that throws blocks: guards fail closed. */
  beforeTool(call: GateCall): BeforeToolVerdict | Promise<BeforeToolVerdict>;
  afterTool(call: GateCall, result: ToolResult): Promise<ToolResult>;
  /** Absent when nobody wants to. */
  transform: RunPorts['transform'];
  /** The first who has something to say is heard. */
  beforeStop: RunPorts['beforeStop'];
  /** What extensions have run at events. */
  hooks: readonly Hook[];
}

export interface Origin {
  extension: Extension;
  source: ToolSource;
}

export async function loadExtensions(
  origins: readonly Origin[],
  { say, status }: Pick<ExtensionApi, 'say' | 'status'> = { say() {}, status() {} },
): Promise<Registry> {
  const tools = new Map<string, RegisteredTool & { owner: string }>();
  const before: { owner: string; hook: Parameters<ExtensionApi['beforeTool']>[0] }[] = [];
  const transforms: { owner: string; hook: Parameters<ExtensionApi['transformContext']>[0] }[] = [];
  const stops: { owner: string; hook: Parameters<ExtensionApi['beforeStop']>[0] }[] = [];
  const after: { owner: string; hook: Parameters<ExtensionApi['afterTool']>[0] }[] = [];

  const hooks: Hook[] = [];

  for (const { extension, source } of origins) {
    const owner = extension.name;
    try {
      await extension.register({
        tool(tool) {
          const taken = tools.get(tool.name);
          if (taken) {
            throw new TauError('configuration', `The tool "${tool.name}" comes from both ${taken.owner} and ${owner}`, {
              remedy: 'Remove one of the two extensions, or rename its tool',
            });
          }
          tools.set(tool.name, { tool, source, owner });
        },
        beforeTool: (hook) => before.push({ owner, hook }),
        afterTool: (hook) => after.push({ owner, hook }),
        transformContext: (hook) => transforms.push({ owner, hook }),
        beforeStop: (hook) => stops.push({ owner, hook }),
        on: (event, run) => {
          const source = { layer: 'extension' as const, file: owner };
          const handler = { type: 'function' as const, run };
          hooks.push({ event, source, dialect: 'tau', handler, timeoutMs: 0, tools: [], rules: [] });
        },
        say,
        status: (key, text) => status(`${owner}: ${key}`, text),
      });
    } catch (cause) {
      if (cause instanceof TauError) throw cause;
      throw new TauError('configuration', `The extension ${owner} cannot be loaded: ${describeError(cause)}`, {
        cause,
      });
    }
  }

  async function askHooks(call: GateCall): Promise<BeforeToolVerdict> {
    let input = call.input;
    let opinion: HookOpinion = {};
    for (const { owner, hook } of before) {
      try {
        // A copy: what a hook changes counts only when it says so, and is then checked again.
        const verdict = await hook({ ...call, input: structuredClone(input) });
        if (verdict && 'block' in verdict) return verdict;
        if (verdict?.input) {
          input = verdict.input;
          // It was said about another input.
          const { allow, ...rest } = opinion;
          opinion = rest;
        }
        if (verdict?.ask !== undefined) opinion = { ask: verdict.ask, ...opinion };
        if (verdict?.allow !== undefined) opinion = { allow: verdict.allow, ...opinion };
      } catch (error) {
        return { block: `a hook of ${owner} failed: ${describeError(error)}` };
      }
    }
    const unchanged = input === call.input;
    return unchanged && Object.keys(opinion).length === 0 ? undefined : { ...opinion, ...(!unchanged && { input }) };
  }

  return {
    hooks,
    tools: () => [...tools.values()],
    findTool: (name) => tools.get(name),
    beforeTool: (call) => (before.length > 0 ? askHooks(call) : undefined),
    async afterTool(call, result) {
      let current = result;
      for (const { owner, hook } of after) current = await named(owner, () => hook(call, current));
      return current;
    },
    transform:
      transforms.length === 0
        ? undefined
        : async (messages) => {
            let told = messages;
            for (const { owner, hook } of transforms) told = await named(owner, () => hook(told));
            return told;
          },
    beforeStop:
      stops.length === 0
        ? undefined
        : async (answer) => {
            for (const { owner, hook } of stops) {
              const words = await named(owner, () => hook(answer));
              if (words !== undefined) return words;
            }
            return undefined;
          },
  };
}

/** A hook's word; if it fails, whose hook it was is said with it. */
async function named<T>(owner: string, hook: () => T | Promise<T>): Promise<T> {
  try {
    return await hook();
  } catch (cause) {
    throw new TauError('configuration', `a hook of ${owner} failed: ${describeError(cause)}`, { cause });
  }
}
