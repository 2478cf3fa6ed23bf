/** Remembers what nobody was there to approve, and says how to allow it next time. */
import type { StampedEvent } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';

type Request = Extract<StampedEvent, { type: 'permission_request' }>;

export interface Denial {
  tool: string;
  input: Request['input'];
  reason: string;
  /** How often the same tool was denied for this reason. */
  times: number;
}

export interface DenialReport {
  watch(event: StampedEvent): void;
  count(): number;
  /** Those after the first `from`. */
  list(from: number): Denial[];
  text(): string;
}

export function createDenialReport(): DenialReport {
  const asked = new Map<string, Request>();
  const denied: Request[] = [];
  return {
    watch(event) {
      if (event.type === 'permission_request') asked.set(event.id, event);
      if (event.type !== 'permission_response') return;
      const request = asked.get(event.id);
      asked.delete(event.id);
      if (request && event.unattended) denied.push(request);
    },
    count: () => denied.length,
    list(from) {
      const those = denied.slice(from);
      const alike = (one: Request) =>
        those.filter((other) => other.toolName === one.toolName && other.decision.reason === one.decision.reason);
      return those.map((one) => {
        const { toolName: tool, input, decision } = one;
        return { tool, input, reason: decision.reason, times: alike(one).length };
      });
    },
    text() {
      const lines = denied.map(({ toolName, input, decision }) => {
        const [about = ''] = String(input.command ?? input.path ?? input.url ?? '').split('\n');
        return `  ${visibleLine(`${[toolName, about].join(' ').trim()}: ${decision.reason}`)}`;
      });
      return [
        'tau: not done, because it needs approval and nobody is there to give it:',
        ...new Set(lines),
        `To allow it: ${ways(denied).join(', or ')}\n`,
      ].join('\n');
    },
  };
}

function ways(denied: readonly Request[]): string[] {
  const rules = denied.flatMap(({ decision }) => [...(decision.offer ?? []), ...outsideRules(decision)]);
  const flags = rules.map((rule) => `--allow ${shellQuote(rule)}`);
  const asking = denied.flatMap(({ decision }) => (decision.rule === undefined ? [] : [visibleLine(decision.rule)]));
  const onlyPlans = denied.every(({ toolName }) => toolName === 'plan_exit');
  return [
    ...(flags.length > 0 ? [[...new Set(flags)].join(' ')] : []),
    // An ask goes before an allow: another flag would not help.
    ...(asking.length > 0 ? [`take away the ask rule ${[...new Set(asking)].join(', ')}`] : []),
    onlyPlans ? 'go on with -c and another --permission-mode' : 'choose a --permission-mode',
  ];
}

/** Nobody is offered these by the way; who reads this can decide to write one. */
function outsideRules({ effects, class: kind }: Request['decision']): string[] {
  const lines = effects.flatMap((effect) => (effect.kind === 'exec' && effect.outside ? [effect.command] : []));
  const plain = lines.filter((line) => kind !== 'dangerous' && line.length <= maxRuleChars && !/[\n\r]/.test(line));
  return plain.map((line) => `outside(${line.replace(/[*?[\\]/g, '\\$&')})`);
}

const maxRuleChars = 300;

function shellQuote(text: string): string {
  return `'${visibleLine(text).replaceAll("'", `'\\''`)}'`;
}
