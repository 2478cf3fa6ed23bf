/** The tools a request offers, in order, whichever protocol it is in. */
import type { RecordedRequest } from '@tau/testkit';
import { at, list, textAt } from './json.ts';

/** Offered when nobody says otherwise. */
export const defaultTools = ['read', 'write', 'edit', 'bash', 'grep', 'glob', 'ls', 'tool_search'];
/** Those that tool_search names; plan_exit joins them in plan mode. */
export const waitingTools = ['apply_patch', 'jobs', 'web_fetch', 'todo', 'ask_user', 'send_file', 'plan_enter'];

export function toolsIn({ body }: RecordedRequest): unknown[] {
  return list(at(body, 'tools') ?? []).flatMap(
    (tool) => at(tool, 'functionDeclarations') ?? at(tool, 'function') ?? tool,
  );
}

export function offeredIn(request: RecordedRequest): string[] {
  return toolsIn(request).map((tool) => textAt(tool, 'name'));
}
