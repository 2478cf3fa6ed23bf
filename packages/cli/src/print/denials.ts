/** Remembers what nobody was there to approve, and says how to allow it next time. */
import { type StampedEvent, suggestRules } from '@tau/agent';
import { visible } from '../render/visible.ts';

type Request = Extract<StampedEvent, { type: 'permission_request' }>;

export interface Denial {
  tool: string;
  input: Request['input'];
  reason: string;
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
  let cwd = '';
  return {
    watch(event) {
      if (event.type === 'agent_start') cwd = event.cwd;
      if (event.type === 'permission_request') asked.set(event.id, event);
      if (event.type !== 'permission_response') return;
      const request = asked.get(event.id);
      asked.delete(event.id);
      if (request && event.unattended) denied.push(request);
    },
    count: () => denied.length,
    list: (from) =>
      denied.slice(from).map(({ toolName, input, decision }) => ({ tool: toolName, input, reason: decision.reason })),
    text() {
      const lines = denied.map(({ toolName, input, decision }) => {
        const [about = ''] = String(input.command ?? input.path ?? '').split('\n');
        return `  ${visible(`${toolName} ${about}: ${decision.reason}`)}`;
      });
      const rules = denied.flatMap(({ toolCallId: id, toolName, input, decision }) =>
        suggestRules({ id, toolName, input }, decision.effects, cwd),
      );
      const flags = [...new Set(rules)].map((rule) => `--allow ${shellQuote(rule)}`).join(' ');
      return [
        'tau: not done, because it needs approval and nobody is there to give it:',
        ...new Set(lines),
        `To allow it: ${flags === '' ? '' : `${flags}, or `}choose a --permission-mode\n`,
      ].join('\n');
    },
  };
}

function shellQuote(text: string): string {
  return `'${visible(text).replaceAll("'", `'\\''`)}'`;
}
