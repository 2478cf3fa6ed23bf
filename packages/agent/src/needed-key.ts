/** Which variable would bring the key that a provider needs. */
import type { Provider } from '@tau/models';

/** What is in `apiKey` may be the key itself, so it is shown only where it must be the name of a variable. */
export function neededKey({ keyVariables = [], apiKey }: Provider): string {
  if (keyVariables.length > 0) return keyVariables.join(' or ');
  return apiKey !== undefined && /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(apiKey) ? apiKey : 'a key';
}
