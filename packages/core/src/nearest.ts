/** "Did you mean": what is close to what was typed. */

/** The candidate closest to what was typed, if it is close enough to be worth suggesting. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  return nearestAll(typed, candidates, 1)[0];
}

/** Nearest first: those a few letters off, and those that continue what was typed. Case does not count. */
export function nearestAll(typed: string, candidates: readonly string[], count: number): string[] {
  const wanted = typed.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase();
    const continues = lower.startsWith(wanted);
    // As many letters as one is longer are off at least.
    if (!continues && Math.abs(wanted.length - lower.length) > limit) continue;
    const distance = editDistance(wanted, lower);
    if (continues || distance <= limit) near.push({ candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, count).map(({ candidate }) => candidate);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
