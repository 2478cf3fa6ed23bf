/** Whether a command may connect: the lists first, then whoever can be asked, once for each new host. */
import { type Destination, writeDestination } from './destination.ts';
import { isListed, readHostPatterns } from './hosts.ts';

export type Verdict = { allowed: true } | { allowed: false; reason: string };

/** Asked for what no list names. The signal: the command is over, nobody waits for the answer. */
export type MayConnect = (to: Destination, command: string, signal: AbortSignal) => Promise<Verdict>;

export interface JudgeOptions {
  command: string;
  hosts: readonly string[];
  mayConnect: MayConnect | undefined;
  maxHosts: number;
  signal: AbortSignal;
}

export function judgeOf({ command, hosts, mayConnect, maxHosts, signal }: JudgeOptions) {
  const listed = readHostPatterns(hosts);
  /** What was asked, answered or not: connections at the same time share one question, later ones its answer. */
  const asked = new Map<string, Promise<Verdict>>();

  return async (to: Destination): Promise<Verdict> => {
    if (isListed(to, listed)) return { allowed: true };
    if (!mayConnect) return { allowed: false, reason: 'it is not among the allowed hosts' };
    const key = keyOf(to);
    const known = asked.get(key);
    if (known) return known;
    if (asked.size >= maxHosts) return { allowed: false, reason: `this command tried more than ${maxHosts} hosts` };
    const answer = ask(mayConnect, to, command, signal);
    asked.set(key, answer);
    return answer;
  };
}

/** Plain and secure web are one question: a redirect between them is everyday. */
function keyOf(to: Destination): string {
  return writeDestination(to.port === 80 ? { ...to, port: 443 } : to);
}

/** Whoever decides may fail: then the answer is no. */
async function ask(mayConnect: MayConnect, to: Destination, command: string, signal: AbortSignal): Promise<Verdict> {
  try {
    return await mayConnect(to, command, signal);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { allowed: false, reason: `it could not be decided (${why})` };
  }
}
