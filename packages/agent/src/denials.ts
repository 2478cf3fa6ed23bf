/** Notices when a run tries again and again what is not allowed, so that the model hears it and the user sees it. */
import type { Decision, GateCall } from '@tau/core';

export interface DenialTracker {
  /** A call was not allowed. Words for the model, once for each thing, when it was one time too many. */
  denied(call: GateCall, decision: Decision): string | undefined;
  /** A run begins: what was denied before was another time. */
  begin(): void;
}

export interface DenialTrackerOptions {
  /** The names of what a command line starts, without those that are harmless. */
  programs(command: string): readonly string[];
  notice(text: string): void;
}

const enough = 3;
/** Of one run; more kinds of denials than this are no repetition. */
const maxKinds = 1000;

export function createDenialTracker({ programs, notice }: DenialTrackerOptions): DenialTracker {
  const times = new Map<string, number>();
  return {
    denied(call, decision) {
      const keys = likenesses(call, decision, programs);
      const counts = keys.map(({ key, about }) => {
        const count = (times.get(key) ?? 0) + 1;
        if (count > 1 || times.size < maxKinds) times.set(key, count);
        return { about, count };
      });
      const over = counts.find(({ count }) => count === enough);
      // What was said about one likeness is not said about another of the same calls.
      if (over === undefined || counts.some(({ count }) => count > enough)) return undefined;
      notice(`${over.about} was denied ${enough} times in this run`);
      return `This was denied ${enough} times: do not try it again. Ask the user, or go another way.`;
    },
    begin: () => times.clear(),
  };
}

/** What makes two denials alike: the same tool for the same reason, or the same program. */
function likenesses(
  { toolName, input }: GateCall,
  { reason, rule }: Decision,
  programs: (command: string) => readonly string[],
): { key: string; about: string }[] {
  const { command } = input;
  const started = toolName === 'bash' && typeof command === 'string' ? programs(command) : [];
  return [
    { key: `reason ${toolName} ${rule ?? reason}`, about: `${toolName} (${rule ?? reason})` },
    ...[...new Set(started)].map((name) => ({ key: `program ${name}`, about: `${toolName} with ${name}` })),
  ];
}
