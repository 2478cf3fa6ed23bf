/** One thing worth knowing, where it fits: at most once in a session, and never with `tips: false`. */
import type { Agent } from '@tau/agent';

type Known = Pick<Agent, 'contextFiles' | 'permissionMode' | 'sandbox' | 'settings' | 'tools' | 'trust'>;

export function tipFor({ contextFiles, permissionMode, sandbox, settings, tools, trust }: Known): string | undefined {
  if (settings.tips === false) return undefined;
  if (sandbox.on && permissionMode === 'default' && settings.permissionMode === undefined && trust !== 'trusted') {
    return 'is this project yours? /trust yes, and what the sandbox contains runs without asking';
  }
  if (contextFiles.length === 0 && settings.contextFiles !== false) {
    return '/init writes an AGENTS.md, which tells every conversation how this project is built and tested';
  }
  if (permissionMode === 'default' && tools.includes('edit')) {
    return 'with /mode acceptEdits files of the project are changed without asking';
  }
  return undefined;
}
