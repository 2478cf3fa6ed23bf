/** A folder, a host in it and the built-in tools, as the gate would call them. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError, errorResult, type Tool, type ToolInput, type ToolResult } from '@tau/core';
import { localHost } from '@tau/host';
import { afterEach, beforeEach } from 'vitest';
import { builtinTools } from '../src/index.ts';
import { shellIn } from './shell-in.ts';

export interface Workbench {
  cwd: string;
  /** As the gate does: a throw becomes an error result. */
  call(
    name: string,
    input: ToolInput,
    options?: { signal?: AbortSignal; onUpdate?(delta: string): void },
  ): Promise<ToolResult>;
  tool(name: string): Tool;
}

export function useWorkbench(): Workbench {
  const tools = new Map<string, Tool>();
  const bench: Workbench = {
    cwd: '',
    tool(name) {
      const tool = tools.get(name);
      if (!tool) throw new Error(`no tool ${name}`);
      return tool;
    },
    async call(name, input, options = {}) {
      const { signal = new AbortController().signal, onUpdate = () => {} } = options;
      const ask = async () => ({ unattended: true }) as const;
      const context = { toolCallId: 'call', cwd: bench.cwd, signal, onUpdate, ask };
      return bench
        .tool(name)
        .run(input, context)
        .catch((error: unknown) => errorResult(describeError(error)));
    },
  };
  beforeEach(async () => {
    bench.cwd = await realpath(await mkdtemp(join(tmpdir(), 'tau-tools-')));
    await builtinTools(localHost({ cwd: bench.cwd }), { shell: shellIn() }).register({
      tool: (tool) => void tools.set(tool.name, tool),
      beforeTool() {},
      transformContext() {},
      beforeStop() {},
      on() {},
      say() {},
      status() {},
      afterTool() {},
    });
  });
  afterEach(() => rm(bench.cwd, { recursive: true, force: true }));
  return bench;
}

export function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
