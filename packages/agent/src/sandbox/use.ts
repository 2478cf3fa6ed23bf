/** Whether commands run in a sandbox in this session: what was found at its start, and what the user says since then. */
import { type PermissionMode, type SandboxState, TauError } from '@tau/core';
import type { Sandbox, SandboxFacts } from '@tau/host';
import { type FoundSandbox, findSandbox, type SandboxPlace } from './find.ts';

export interface SandboxUse {
  state(): SandboxState;
  on(): boolean;
  /** From the next command on. Throws when there is none that works. */
  turn(on: boolean): void;
  /** Whether commands are held in this mode: who wants everything allowed wants no walls, unless they say so. */
  holds(mode: PermissionMode): boolean;
  /** What another agent is to be told, so that its commands are held where these are. Undefined: as it finds it. */
  wish(mode: PermissionMode): boolean | undefined;
  /** The mode when nobody has chosen one. */
  usualMode(trusted: boolean): PermissionMode;
  /** Throws when commands run in a sandbox or not at all, and there is none. */
  refuse(): void;
  /** What to tell the user before the first prompt. */
  problems: readonly string[];
  facts: SandboxFacts | undefined;
}

/** What a host is told of it. Made by the first command that is to be contained. */
export function sandboxOf(
  facts: SandboxFacts | undefined,
  env: NodeJS.ProcessEnv,
): { sandbox?: () => Promise<Sandbox> } {
  if (!facts) return {};
  return { sandbox: async () => (await import('./backend.ts')).makeBackend(facts, env) };
}

export async function openSandbox(place: SandboxPlace): Promise<SandboxUse> {
  return sandboxUse(await findSandbox(place));
}

export function sandboxUse({ state, required, refused, remedy, facts }: FoundSandbox): SandboxUse {
  let { on } = state;
  const holds = (mode: PermissionMode) => on && (mode !== 'dangerously' || required);
  return {
    state: () => (on || !state.on ? state : { on, reason: 'it was switched off in this session' }),
    on: () => on,
    turn(next) {
      if (next && !state.on) throw none('The sandbox cannot be switched on', state, remedy);
      on = next;
    },
    holds,
    wish(mode) {
      if (required || holds(mode)) return true;
      return refused || (state.on && !on) ? false : undefined;
    },
    usualMode: (trusted) => (trusted && holds('auto') ? 'auto' : 'default'),
    refuse() {
      if (required && !on) throw none('Not run: commands run in a sandbox or not at all', state, remedy);
    },
    problems:
      required && !on
        ? [`No command will run, because there is no sandbox: ${state.reason}. ${remedy ?? seeDoctor}`]
        : [],
    facts,
  };
}

const seeDoctor = 'tau doctor says more';

function none(what: string, { reason }: SandboxState, remedy = seeDoctor): TauError {
  return new TauError('process', `${what}: ${reason ?? 'it is off'}`, { remedy });
}
