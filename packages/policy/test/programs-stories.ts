/** What a judge found, as a sentence that a table can hold. */
import { expect, test } from 'vitest';
import type { Finding } from '../src/shell/invocation.ts';
import { judge, type Scene } from './judging.ts';

/** `reads a, writes b, removes c, removes all of d`; `does nothing else` when there is nothing to state. */
export function storyOf({ effects }: Finding): string {
  const deeds = effects.map((effect) => {
    if (effect.kind === 'read') return `reads ${effect.path}`;
    if (effect.kind !== 'write') return effect.kind;
    if (effect.removes === undefined) return `writes ${effect.path}`;
    return `removes ${effect.removes === 'tree' ? 'all of ' : ''}${effect.path}`;
  });
  return deeds.length === 0 ? 'does nothing else' : deeds.join(', ');
}

/** Every line is understood whole, and this is all that it does. */
export function understood(rows: readonly (readonly [line: string, story: string])[], scene: Scene = {}): void {
  test.each(rows)('%s: %s', (line, story) => {
    const finding = judge(line, scene);
    expect(finding.why).toBeUndefined();
    expect(storyOf(finding)).toBe(story);
    expect(finding.known).toBe(true);
    expect(finding.class).toBe(/writes|removes/.test(story) ? 'write' : 'read-only');
  });
}

/** No line is understood, and each for this reason. */
export function refusedLines(rows: readonly (readonly [line: string, why: string])[], scene: Scene = {}): void {
  test.each(rows)('%s is not understood: %s', (line, why) => {
    const finding = judge(line, scene);
    expect(finding.known).toBe(false);
    expect(finding.class).not.toBe('read-only');
    expect(finding.why).toContain(why);
  });
}
