/** Process groups of the commands that are running now. Whatever way tau exits, they go with it. */

export interface Groups {
  add(group: number): void;
  remove(group: number): void;
}

export function liveGroups(): Groups {
  const live = new Set<number>();
  const killAll = () => {
    for (const group of live) signalGroup(group, 'SIGKILL');
  };
  return {
    add(group) {
      if (live.size === 0) process.on('exit', killAll);
      live.add(group);
    },
    remove(group) {
      live.delete(group);
      if (live.size === 0) process.off('exit', killAll);
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
