/**
 * Whether commands run in a sandbox, and how each of them is held: by what was judged and allowed for that very call. What
 * does the work is loaded with the first command.
 */
import { type Answer, type Decision, type GateCall, type PermissionMode, TauError } from '@tau/core';
import type { Containment as ToolContainment } from '@tau/tools';
import type { DecidedCall } from './held-call.ts';
import type { Holder, HolderPlace } from './holder.ts';
import type { SandboxUse } from './use.ts';

export interface Containment {
  /** For the tools. */
  tools: ToolContainment;
  /** A call was decided on: what it may do is known from here. */
  decided(call: GateCall, decision: Decision, answer?: Answer): void;
  /** For a command that nobody judges because the user has declared it, as a hook is. */
  holdOwn(command: string): ReturnType<ToolContainment['hold']>;
  close(): Promise<void>;
}

export interface ContainmentPlace extends Omit<HolderPlace, 'facts' | 'looksOnly' | 'everyHost'> {
  sandbox: SandboxUse;
  mode(): PermissionMode;
}

const maxDecided = 1000;

export function openContainment(place: ContainmentPlace): Containment {
  const { sandbox, mode } = place;
  let holder: Promise<Holder> | undefined;
  const decided = new Map<string, DecidedCall>();
  const keyOf = (id: string, command: unknown) => `${id} ${String(command)}`;
  const load = () => {
    const now = { looksOnly: () => mode() === 'plan', everyHost: () => mode() === 'dangerously' };
    holder ??= import('./holder.ts').then(({ createHolder }) =>
      createHolder({ ...place, ...now, facts: sandbox.facts }),
    );
    return holder;
  };

  return {
    tools: {
      on: sandbox.on,
      async hold({ toolCallId, command, outside }) {
        const key = keyOf(toolCallId, command);
        const known = decided.get(key);
        decided.delete(key);
        if (outside && sandbox.on()) return undefined;
        sandbox.refuse();
        if (sandbox.holds(mode())) {
          return (await load()).hold({ toolCallId, command, ...(known && { decided: known }) });
        }
        if (!known?.contained) return undefined;
        const why = 'Not run: it was allowed for the sandbox only, which is off now';
        throw new TauError('process', why, { remedy: 'Try again' });
      },
    },
    decided(call, decision, answer) {
      if (call.toolName !== 'bash' || decision.outcome === 'deny') return;
      if (decision.outcome === 'ask' && answer?.outcome !== 'allow') return;
      const [oldest] = decided.keys();
      if (decided.size >= maxDecided && oldest !== undefined) decided.delete(oldest);
      const { effects, contained = false } = decision;
      decided.set(keyOf(call.id, call.input.command), { effects, contained });
    },
    async holdOwn(command) {
      sandbox.refuse();
      return sandbox.holds(mode()) ? (await load()).hold({ toolCallId: '', command, own: true }) : undefined;
    },
    async close() {
      await (await holder)?.close();
    },
  };
}
