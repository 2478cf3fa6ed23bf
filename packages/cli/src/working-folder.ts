/** Where tau was started. */
import { TauError } from '@tau/agent';

export function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new TauError('usage', 'The folder tau was started in is gone', {
      cause,
      remedy: 'Change to one that exists',
    });
  }
}
