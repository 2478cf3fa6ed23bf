/** How freely the words are chosen, in a protocol's own names. Sent only when asked for: some models take neither. */
import type { ModelRequest } from '@tau/core';

export function sampling({ temperature, topP }: ModelRequest, topPName = 'top_p'): Record<string, number> {
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { [topPName]: topP }) };
}
