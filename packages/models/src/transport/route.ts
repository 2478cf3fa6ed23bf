/** How a request leaves this machine, and the connections that are kept for the next turn. */
import type { Agent, AgentOptions } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { SecureContext } from 'node:tls';

export interface Route {
  /** Whether the first connection on the way speaks TLS. */
  secure: boolean;
  options: RequestOptions;
  /** What the way needs to be told, beside what the provider is told. */
  headers?: Record<string, string>;
  /** The proxy on the way, as people may see it: host and port, no credentials. */
  proxy?: string;
  /** The proxy itself passes the request on, so that what goes wrong on the connection is its doing. */
  byProxy?: boolean;
}

/** The connections of one transport. Each kind is made when it is first needed. */
export interface Pool {
  /** Made when absent, and kept under its name. */
  agent(name: string, make: (options: AgentOptions) => Agent): Agent;
  /** Undefined: what Node trusts by itself. */
  trust: SecureContext | undefined;
  /** Lets go of what is kept. Whatever is asked for later is made anew. */
  close(): void;
}

const idleOptions: AgentOptions = {
  keepAlive: true,
  // Sub-agents and retries come in waves; what they leave behind must not pile up.
  maxFreeSockets: 4,
  // A connection that idles for longer may have been forgotten by something in between.
  timeout: 60_000,
};

export function createPool(trust: SecureContext | undefined): Pool {
  const agents = new Map<string, Agent>();
  return {
    trust,
    agent(name, make) {
      const kept = agents.get(name) ?? make(idleOptions);
      agents.set(name, kept);
      return kept;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

/** Straight to where the address says. */
export function directRoute(url: URL, pool: Pool): Route {
  const secure = url.protocol === 'https:';
  const { urlToHttpOptions } = process.getBuiltinModule('node:url');
  return { secure, options: { ...urlToHttpOptions(url), agent: agentFor(secure, pool) } };
}

export function agentFor(secure: boolean, pool: Pool): Agent {
  return pool.agent(secure ? 'https' : 'http', (options) => {
    const { Agent } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
    return new Agent({ ...options, ...(pool.trust && { secureContext: pool.trust }) });
  });
}
