/** Which rules a person is offered for a call that was asked about. */
import { type Ask, suggestRules } from '@tau/agent';

type Asked = Pick<Ask, 'toolCallId' | 'toolName' | 'input' | 'decision'>;

/** Those that would have kept it from being asked; none where another rule, or the kind of effect, always asks. */
export function offeredRules({ toolCallId: id, toolName, input, decision }: Asked, cwd: string): string[] {
  if (decision.rule !== undefined || decision.effects.some(({ kind }) => kind === 'config')) return [];
  return suggestRules({ id, toolName, input }, decision.effects, cwd);
}
