/** Why a connection leads nowhere that a program in the sandbox makes by itself, in words that help to do it otherwise. */
import type { Violation } from '@tau/host';

const dns = 53;

export function whyNowhere({ port, nobody }: Extract<Violation, { what: 'connect' }>): string {
  if (nobody) {
    return `nobody in the sandbox listens on port ${port}, and servers of the machine are out of reach from inside`;
  }
  if (port === undefined) return 'it is a socket outside; the command reaches those that its own session has bound';
  const instead = 'the only way out is the proxy of HTTPS_PROXY: use a program or an option that goes through it';
  return port === dns
    ? `it looks a name up by itself, which leads nowhere; ${instead}`
    : `it connects by itself; ${instead}`;
}
