/** Whoever stood still, tau or the whole machine, finds its timers over and what came meanwhile not yet read. */
export function afterReading(then: () => void): void {
  setImmediate(then);
}
