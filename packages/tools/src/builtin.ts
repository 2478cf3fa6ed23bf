/** Registers the built-in tools the way any extension registers its own. */
import type { Extension } from '@tau/core';
import type { Host } from '@tau/host';
import { askUserTool } from './ask-user.ts';
import { type BashOptions, bashTool } from './bash/bash.ts';
import { editTool } from './edit/edit.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { jobsTool } from './jobs/tool.ts';
import { applyPatchTool } from './patch/patch.ts';
import { type PlanMode, planEnterTool, planExitTool } from './plan/plan.ts';
import { type ReadOptions, readTool } from './read/read.ts';
import { globTool } from './search/glob.ts';
import { grepTool } from './search/grep.ts';
import { lsTool } from './search/ls.ts';
import type { SearchOptions } from './search/root.ts';
import { createSeenFiles } from './seen.ts';
import { sendFileTool } from './send-file.ts';
import { todoTool } from './todo.ts';
import { type OnDemand, toolSearchTool } from './tool-search.ts';
import { webFetchTool } from './web/fetch.ts';
import { writeTool } from './write.ts';

export interface BuiltinOptions extends BashOptions, ReadOptions, SearchOptions {
  /** The background commands, for who wants to close them or to hear of the first one. */
  jobs?: Jobs;
  /** Who holds the permission mode. Without it there are no plan tools. */
  plan?: PlanMode;
  /** What is offered only when it is looked for. Without it there is no tool_search. */
  onDemand?: OnDemand;
}

export function builtinTools(host: Host, options: BuiltinOptions): Extension {
  const seen = createSeenFiles();
  return {
    name: 'builtin',
    register(api) {
      const jobs = options.jobs ?? createJobs(host, { onJobEnd: (text) => api.say(text) });
      api.tool(readTool(host, seen, options));
      api.tool(writeTool(host, seen));
      api.tool(editTool(host, seen));
      api.tool(applyPatchTool(host, seen));
      api.tool(bashTool(host, jobs, options));
      api.tool(grepTool(host, options));
      api.tool(globTool(host, options));
      api.tool(lsTool(host));
      api.tool(jobsTool(jobs));
      api.tool(webFetchTool(host));
      api.tool(todoTool());
      api.tool(askUserTool());
      api.tool(sendFileTool(host));
      if (options.plan) {
        api.tool(planEnterTool(options.plan));
        api.tool(planExitTool(options.plan));
      }
      if (options.onDemand) api.tool(toolSearchTool(options.onDemand));
    },
  };
}
