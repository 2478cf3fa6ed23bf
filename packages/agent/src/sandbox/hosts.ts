/**
 * Hosts that commands in the sandbox want to reach. Rules and the user's word decide, as about any other effect: a new host
 * is asked about once for a command, and a longer yes becomes a rule about that host. Two commands that want it at the
 * same time are one question.
 */
import type { Answer, Ask, Decision, GateCall, RunEvent } from '@tau/core';
import { isThisMachine, loadSandbox, type MayConnect } from '@tau/host';
import type { Settings } from '../config/types.ts';
import type { Permission } from '../permission.ts';
import type { HeldCall } from './held-call.ts';
import { whyPrivate } from './private-hosts.ts';

export interface HostAskerPlace {
  permission: Pick<Permission, 'decide'>;
  settings(): Settings;
  ask(ask: Ask, signal: AbortSignal): Promise<Answer>;
  decided(call: GateCall, decision: Decision, answer?: Answer): void;
  emit(event: RunEvent): void;
  everyHost(): boolean;
  /** Whose connection it is. */
  callOf(id: string): HeldCall | undefined;
  /** The user begins to be asked on its behalf, or is no longer. */
  asking(id: string, now: boolean): void;
}

export function createHostAsker(place: HostAskerPlace): { mayConnect: MayConnect } {
  const { permission } = place;
  let asked = 0;
  /** What the user is asked about right now. Commands that want the same host meanwhile wait for that answer. */
  const open = new Map<string, { answer: Promise<Answer>; signal: AbortSignal }>();

  async function question(call: GateCall, decision: Decision, signal: AbortSignal): Promise<Answer> {
    asked += 1;
    const ask = { id: `host-${asked}`, toolCallId: call.id, toolName: call.toolName, input: call.input, decision };
    let answer: Answer = { outcome: 'deny' };
    place.emit({ type: 'permission_request', ...ask });
    try {
      answer = await place.ask(ask, signal);
      return answer;
    } finally {
      place.decided(call, decision, answer);
      place.emit({ type: 'permission_response', id: ask.id, toolCallId: call.id, ...answer });
    }
  }

  async function answerTo(key: string, call: GateCall, decision: Decision, signal: AbortSignal): Promise<Answer> {
    for (let other = open.get(key); other; other = open.get(key)) {
      const answer = await other.answer;
      // A question that ended with its command was never answered.
      if (other.signal.aborted) continue;
      place.decided(call, decision, answer);
      return answer;
    }
    const answer = question(call, decision, signal).finally(() => open.delete(key));
    open.set(key, { answer, signal });
    return answer;
  }

  return {
    async mayConnect({ host, port }, id, signal) {
      const held = place.callOf(id);
      if (!held) return { allowed: false, reason: 'its command is over' };
      const input = { host, port, command: held.command };
      const call: GateCall = { id: held.toolCallId, toolName: 'network', input };
      const decision = permission.decide(call, 'builtin', [{ kind: 'net', host }]);
      const refuse = (reason: string) => {
        place.decided(call, { ...decision, outcome: 'deny', reason });
        return { allowed: false as const, reason };
      };
      if (decision.outcome === 'deny' && decision.rule !== undefined) return refuse(decision.reason);
      const never = whyPrivate({ host, port }, place.settings());
      if (never !== undefined) return refuse(never);
      if (decision.outcome === 'allow' || (await isOpen({ host, port }, held, place))) {
        place.decided(call, { ...decision, outcome: 'allow' });
        return { allowed: true };
      }
      // Whoever denies without asking, or cannot be asked.
      const unasked = held.own ? 'nobody is asked on behalf of a hook' : decision.reason;
      if (decision.outcome === 'deny' || held.own) return refuse(`${unasked}; ${await whatAllows(host)}`);
      place.asking(id, true);
      // Plain and secure web are one question, as they are for one command.
      const key = `${host}:${port === 80 ? 443 : port}`;
      const answer = await answerTo(key, call, decision, signal).finally(() => place.asking(id, false));
      return answer.outcome === 'allow' ? { allowed: true } : { allowed: false, reason: await refusal(answer, host) };
    },
  };
}

/**
 * Allowed beforehand: by name in the words of the call, by the mode, or in the settings. A yes to a command whose hosts
 * nobody knew is a yes to none of them, and loopback in its words is the session's own, not that of the machine.
 */
async function isOpen(
  to: { host: string; port: number },
  { decided, hosts: opened = [] }: HeldCall,
  { everyHost, settings }: HostAskerPlace,
): Promise<boolean> {
  if (everyHost()) return true;
  const isNamed = decided?.effects.some((effect) => effect.kind === 'net' && effect.host === to.host);
  if (isNamed && !isThisMachine(to.host)) return true;
  const { hostsOfRegistries, isRegistryName, isListed, readHostPatterns } = await loadSandbox();
  const { hosts = [], registries = [] } = settings().sandbox ?? {};
  return isListed(to, readHostPatterns([...hosts, ...opened, ...hostsOfRegistries(registries.filter(isRegistryName))]));
}

async function refusal(answer: Exclude<Answer, { outcome: 'allow' }>, host: string): Promise<string> {
  if (answer.unattended) return `it needs approval and nobody is there to give it; ${await whatAllows(host)}`;
  return answer.feedback === undefined ? 'the user said no' : `the user said no: ${answer.feedback}`;
}

/** How the user can allow it before the next time. */
async function whatAllows(host: string): Promise<string> {
  const { registryOf } = await loadSandbox();
  const registry = registryOf(host);
  const or = registry === undefined ? '' : `, or ${registry} in sandbox.registries`;
  return `what allows it beforehand is the rule network(domain:${host})${or}`;
}
