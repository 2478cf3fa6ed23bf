/** Whether commands can be contained here, found out by containing one, and what is missing where they cannot. */
import type { SandboxFacts } from '@tau/host';
import type { Home } from '../config/home.ts';
import type { Settings } from '../config/types.ts';
import { findSandbox } from '../sandbox/find.ts';
import { type Check, check } from './check.ts';
import type { Programs } from './path.ts';

export interface SandboxCheckPlace {
  env: NodeJS.ProcessEnv;
  cwd: string | undefined;
  home: Home;
  settings: Settings;
  programs: Programs;
}

const id = 'sandbox';
const title = 'Sandbox';
const instead = 'commands are asked about instead, and one that is allowed can do what you can';
const container = 'For work that nobody watches, run tau itself in a container or a virtual machine';

export async function sandboxChecks({ env, cwd, home, settings, programs }: SandboxCheckPlace): Promise<Check[]> {
  const place = { home, settings, cwd: cwd ?? '/', env: { ...env, PATH: programs.folders.join(':') } };
  const { state, facts, remedy } = await findSandbox({ ...place, anew: true, keep: false });
  if (facts) return [check(id, title, 'ok', about(facts)), ...helpers(facts)];
  const detail = `off, because ${state.reason}: ${instead}`;
  if (settings.sandbox?.enabled === false)
    return [check(id, title, 'note', detail, `Set sandbox.enabled to true. ${container}`)];
  return [check(id, title, 'warning', detail, `${(remedy ?? 'See docs/sandbox.md').replace(/\.$/, '')}. ${container}`)];
}

/** The one that works, and why the other one does not. */
function about(facts: SandboxFacts): string {
  if (facts.backend === 'seatbelt') return 'seatbelt, tested just now; bubblewrap is for Linux';
  return `${facts.version}, ${facts.path}, tested just now; seatbelt is for macOS`;
}

/** What it does without: less is known, less is possible, or it holds less. */
function helpers(facts: SandboxFacts): Check[] {
  if (facts.backend === 'seatbelt') return [];
  const missing: Check[] = [];
  if (facts.nsenter === undefined) {
    const detail = 'nsenter is not installed: contained commands have no network at all';
    missing.push(check('sandbox.network', 'Sandbox network', 'warning', detail, 'Install util-linux'));
  }
  if (facts.unshare === undefined) {
    const detail =
      'no unshare that works: what is mounted on the machine while a command runs can be seen and written by that command';
    missing.push(check('sandbox.mounts', 'Sandbox mounts', 'warning', detail, 'Install util-linux'));
  }
  if (facts.perl === undefined) {
    const detail =
      'no perl that can look on: which write was refused is not told, and a new file that steers tools is taken away after the command instead of refused';
    missing.push(check('sandbox.witness', 'Sandbox reports', 'note', detail, 'Install perl'));
  }
  return missing;
}
