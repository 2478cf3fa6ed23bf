/** The kill ring: what was killed last comes back with yank, what was killed before it with yank-pop. */
export interface KillRing {
  /** The newest is the last. */
  texts: readonly string[];
}

export const noKills: KillRing = { texts: [] };

const limit = 60;

/** `join` adds to the newest: behind it when killing forward, before it when killing backward. */
export function kill(ring: KillRing, text: string, direction: 'forward' | 'backward', join: boolean): KillRing {
  if (text === '') return ring;
  const last = ring.texts.at(-1);
  if (join && last !== undefined) {
    return { texts: [...ring.texts.slice(0, -1), direction === 'forward' ? last + text : text + last] };
  }
  return { texts: [...ring.texts, text].slice(-limit) };
}

/** The text that many places back, around the ring. */
export function killed(ring: KillRing, back: number): string | undefined {
  const { length } = ring.texts;
  return length === 0 ? undefined : ring.texts[length - 1 - (back % length)];
}
