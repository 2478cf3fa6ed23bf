/** What goes wrong between here and a provider, and who was at fault: the provider, the way there, or the proxy on it. */

/** Thrown when no byte came for `idleMs`. */
export class IdleTimeout extends Error {
  constructor(idleMs: number) {
    super(`no byte from the provider for ${idleMs / 1000} s`);
    this.name = 'IdleTimeout';
  }
}

/** Thrown when there was no connection after `connectMs`. */
export class ConnectTimeout extends Error {
  constructor(connectMs: number, proxy?: string) {
    super(`no connection within ${connectMs / 1000} s${proxy ? ` through the proxy at ${proxy}` : ''}`);
    this.name = 'ConnectTimeout';
  }
}

/** The proxy was in the way. It is named without its credentials. */
export class ProxyError extends Error {
  readonly proxy: string;
  /** What it answered, when it answered. */
  readonly status: number | undefined;

  constructor(proxy: string, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProxyError';
    this.proxy = proxy;
    this.status = options.status;
  }
}

/** For a status that the proxy gave instead of passing a request on. */
export function refusal(proxy: string, status: number, what: string): ProxyError {
  const why = status === 407 ? 'it wants a user name and a password that it knows' : `it answered ${status}`;
  return new ProxyError(proxy, `refused ${what}: ${why}`, { status });
}
