/** Registers the built-in tools the way any extension registers its own. */
import type { Extension } from '@tau/core';
import type { Host } from '@tau/host';
import { bashTool } from './bash/bash.ts';
import { editTool } from './edit/edit.ts';
import { readTool } from './read/read.ts';
import { writeTool } from './write.ts';

export function builtinTools(host: Host, options: { bashTimeoutSecs?: number; trustedPath: boolean }): Extension {
  return {
    name: 'builtin',
    register(api) {
      api.tool(readTool(host));
      api.tool(writeTool(host));
      api.tool(editTool(host));
      api.tool(bashTool(host, options));
    },
  };
}
