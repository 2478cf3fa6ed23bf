/**
 * The network of contained commands: one for all of a session, so that a server which one command started is reached by
 * the next. It leads nowhere but to the proxy. Made for the first command that joins it.
 */
import type { Server } from 'node:net';
import { TauError } from '@tau/core';
import { lookUp } from '../../web/local.ts';
import type { Surroundings } from '../../web/way.ts';
import { withoutSecrets } from '../environment.ts';
import { createProxy, type ProxiedCommand, type ProxyOptions, writeCredentials } from '../proxy/proxy.ts';
import type { NetworkPlace } from '../sandbox.ts';
import { type ProxyAddress, proxyEnvironment } from './environment.ts';
import { type NamespacePrograms, openNamespace } from './namespace.ts';

export interface NetworkOptions extends Pick<ProxyOptions, 'hosts' | 'mayConnect' | 'onRefused' | 'limits'> {
  /**
   * `namespace`: a network of its own, on Linux. `loopback`: the proxy listens on this machine, for a sandbox that lets
   * commands connect to one port only; there everybody must have a token.
   */
  way: { kind: 'namespace'; programs: NamespacePrograms } | { kind: 'loopback' };
  /** The environment of tau: it may have to go through a proxy itself. */
  env: NodeJS.ProcessEnv;
  /** Tells a secret by its looks, so that none gets to a command by a variable that is added to. */
  isSecret?(value: string): boolean;
  /** Private addresses that may be connected to all the same. Absent: none. */
  allowPrivate?: Surroundings['allowPrivate'];
  /** Every address of a name. Absent: as the system says. */
  lookup?: Surroundings['lookup'];
}

export interface JoiningCommand extends ProxiedCommand, Pick<ProxyAddress, 'machine'> {}

export interface SandboxNetwork {
  /** Rejects with a `TauError` of code `process` when the network cannot be made. */
  join(command: JoiningCommand): Promise<JoinedNetwork>;
  /** Ends every connection. Whoever joined has ended before. */
  close(): Promise<void>;
}

export interface JoinedNetwork extends NetworkPlace {
  /** Of the proxy, on 127.0.0.1. */
  port: number;
  /** When the last process of the command is gone. */
  close(): void;
}

interface Door {
  prefix: readonly string[];
  port: number;
  close(): void;
}

export function openNetwork(options: NetworkOptions): SandboxNetwork {
  const { way, env, lookup = lookUp, allowPrivate = () => false } = options;
  const proxy = createProxy({ ...options, world: { env, lookup, allowPrivate }, alone: way.kind === 'namespace' });
  const given = withoutSecrets(env, options.isSecret);
  let door: Promise<Door> | undefined;
  let closed = false;

  const makeDoor = async (): Promise<Door> => {
    const made = way.kind === 'namespace' ? await openNamespace(way.programs) : await listenHere();
    made.server.on('connection', (socket) => proxy.accept(socket));
    // One connection could not be taken, for want of descriptors: its client sees that, and tau goes on.
    made.server.on('error', () => {});
    if (closed) made.close();
    return made;
  };

  return {
    async join(command) {
      if (closed) throw new TauError('process', 'The network of the sandbox is closed: the session is over');
      door ??= makeDoor();
      const made = await door.catch((error: unknown) => {
        // The next command tries again.
        door = undefined;
        throw error;
      });
      const { token, close } = proxy.admit(command);
      const { prefix, port } = made;
      const { machine = [] } = command;
      const variables = proxyEnvironment({ port, credentials: writeCredentials(token), machine }, given);
      return { prefix, port, env: variables, binds: [], close };
    },

    async close() {
      closed = true;
      proxy.close();
      await door?.then(
        (made) => made.close(),
        // Whoever wanted to join was told.
        () => {},
      );
    },
  };
}

async function listenHere(): Promise<Door & { server: Server }> {
  const server = process.getBuiltinModule('node:net').createServer();
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { prefix: [], server, port, close: () => void server.close() };
}
