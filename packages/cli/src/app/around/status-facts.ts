/** What the command of the status line is told, by the names that such commands of other agents know. */
import { basename } from 'node:path';
import type { Agent } from '@tau/agent';
import type { Meter } from './meter.ts';

export interface StatusFacts {
  agent: Agent;
  cwd: string;
  branch: string | undefined;
  meter: Meter;
  version: string;
  /** Of the sitting. */
  durationMs: number;
}

export function statusFacts({ agent, cwd, branch, meter, version, durationMs }: StatusFacts): unknown {
  const { model, thinking, permissionMode, sandbox, sessionId, sessionName, sessionPath } = agent;
  const { context, window, input, output, cost } = meter;
  return {
    hook_event_name: 'Status',
    session_id: sessionId,
    ...(sessionName !== undefined && { session_name: sessionName }),
    ...(sessionPath !== undefined && { transcript_path: sessionPath }),
    cwd,
    version,
    model: { id: `${model.provider}/${model.id}`, display_name: model.id },
    workspace: { current_dir: cwd, project_dir: cwd, name: basename(cwd), ...(branch !== undefined && { branch }) },
    cost: { total_cost_usd: cost, total_duration_ms: durationMs },
    context_window: {
      total_input_tokens: input,
      total_output_tokens: output,
      used_tokens: context,
      ...(window !== undefined && {
        context_window_size: window,
        used_percentage: Math.round((100 * context) / window),
      }),
    },
    permission_mode: permissionMode,
    sandbox: sandbox.on,
    ...(thinking !== undefined && { thinking }),
  };
}
