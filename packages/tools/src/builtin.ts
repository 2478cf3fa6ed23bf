/** Registers the built-in tools the way any extension registers its own. */
import type { Extension } from '@tau/core';
import type { Host } from '@tau/host';
import { bashTool } from './bash/bash.ts';
import { editTool } from './edit/edit.ts';
import { readTool } from './read/read.ts';
import { createSeenFiles } from './seen.ts';
import { writeTool } from './write.ts';

export interface BuiltinOptions {
  bashTimeoutSecs?: number;
  /** See `isTrustedPath`. */
  trustedPath: boolean;
}

export function builtinTools(host: Host, options: BuiltinOptions): Extension {
  const seen = createSeenFiles();
  return {
    name: 'builtin',
    register(api) {
      api.tool(readTool(host, seen));
      api.tool(writeTool(host, seen));
      api.tool(editTool(host, seen));
      api.tool(bashTool(host, options));
    },
  };
}
