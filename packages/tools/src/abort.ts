/** The last look before a write: what the user interrupted is not written. */
import { TauError } from '@tau/core';

export function beforeWriting(signal: AbortSignal): void {
  if (signal.aborted) throw new TauError('usage', 'Not written: the user interrupted');
}
