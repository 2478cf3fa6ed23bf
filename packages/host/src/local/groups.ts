/**
 * Process groups of the commands that are running now, and of what finished commands left in the background. Whatever
 * way tau exits, they go with it. A process that left its group (`setsid`, a daemon) is out of reach.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Groups {
  /** `signal`: how everybody of it is reached, if not by their group. */
  add(group: number, signal?: Signal): void;
  /** Everybody in it was killed. */
  remove(group: number): undefined;
  /** The command is over. Remembers its group if somebody is left in it. */
  leave(group: number): { group: number; killed: boolean } | undefined;
  /** Asks all of them to end, and makes them after a second. */
  end(): Promise<void>;
}

/** What commands left behind, at most so many: one more is killed. */
const maxLeft = 64;
const killAfterMs = 1000;
const lookEveryMs = 25;

/** `SIGTERM` asks, `SIGKILL` makes. False when nobody is there. */
export type Signal = (group: number, signal: 'SIGTERM' | 'SIGKILL') => boolean;

export function liveGroups(limit = maxLeft): Groups {
  const live = new Map<number, Signal>();
  const left = new Set<number>();
  let listening = false;
  const all = () => [...live.keys(), ...left];
  const killAll = () => {
    for (const group of all()) signalGroup(group, 'SIGKILL');
  };
  const listen = () => {
    const wanted = live.size + left.size > 0;
    if (wanted === listening) return;
    listening = wanted;
    if (wanted) process.on('exit', killAll);
    else process.off('exit', killAll);
  };
  /** An empty group's number may be given to strangers one day, so it is forgotten at the next occasion. */
  const forgetEmpty = () => {
    for (const group of left) if (!signalGroup(group, 0)) left.delete(group);
  };

  return {
    add(group, signal = signalGroup) {
      live.set(group, signal);
      listen();
    },

    remove(group) {
      live.delete(group);
      listen();
    },

    leave(group) {
      live.delete(group);
      forgetEmpty();
      const somebody = isPopulated(group);
      const killed = somebody && left.size >= limit;
      if (killed) signalGroup(group, 'SIGKILL');
      else if (somebody) left.add(group);
      listen();
      return somebody ? { group, killed } : undefined;
    },

    async end() {
      const until = Date.now() + killAfterMs;
      const ask = (group: number) => (live.get(group) ?? signalGroup)(group, 'SIGTERM');
      let rest = all().filter(ask);
      // Nobody tells when an orphan ends, so this looks again and again, for a second at most.
      for (rest = rest.filter(isPopulated); rest.length > 0 && Date.now() < until; rest = rest.filter(isPopulated)) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
      for (const group of rest) signalGroup(group, 'SIGKILL');
      left.clear();
      listen();
    },
  };
}

/** False when nobody is left in the group. Signal 0 only asks. */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // EPERM: someone is there, and is not ours to signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** As signal 0 says, but who is dead and only not reaped yet does not count, where the system shows that. */
export function isPopulated(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  try {
    let seen = false;
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const found = groupAndState(name);
      if (found?.group !== group) continue;
      if (found.state !== 'Z' && found.state !== 'X') return true;
      seen = true;
    }
    return !seen && signalGroup(group, 0);
  } catch {
    return true;
  }
}

/** Undefined when the process ended meanwhile. */
function groupAndState(pid: string): { group: number; state: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it is in parentheses and may hold anything: `12 (a) b) S 1 12 …`.
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { group: Number(group), state };
  } catch {
    return undefined;
  }
}
