/** The exit codes scripts rely on, and which failure means which. */
import { TauError } from '@tau/agent';

export const exitCode = {
  done: 0,
  failed: 1,
  /** Usage, configuration, credentials, unknown model. */
  usage: 2,
  /** Something needed approval and nobody could give it. */
  unapproved: 3,
  /** A turn or token limit was reached. */
  limit: 4,
  /** Signals end with 128 and their number. */
  hungUp: 129,
  interrupted: 130,
  quit: 131,
  terminated: 143,
} as const;

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof TauError)) return exitCode.failed;
  switch (error.code) {
    case 'usage':
    case 'configuration':
    case 'credentials':
    case 'unknownModel':
    case 'recording':
    case 'session':
      return exitCode.usage;
    case 'file':
    case 'process':
    case 'network':
      return exitCode.failed;
  }
}
