/**
 * For who gives up waiting to be told something. Whoever stood still, tau or the whole machine, finds its timers over and
 * what came meanwhile not yet read, for late timers run before pending reads do: the immediate lets that be read first.
 */
export function later(ms: number, then: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(then), ms);
}
