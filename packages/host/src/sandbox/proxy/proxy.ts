/**
 * The proxy of contained commands: their only way out. Each command has a token of its own, so that what is allowed to one
 * is not allowed to its neighbour, and a refusal is told to the right call.
 */
import type { Socket } from 'node:net';
import type { Surroundings } from '../../web/way.ts';
import { type Found, type Limits, type Speaker, serveClient } from './connection.ts';
import { type Destination, writeDestination } from './destination.ts';
import { judgeOf, type MayConnect } from './judge.ts';

export interface Refusal extends Destination {
  /** Undefined: nobody in particular. */
  command: string | undefined;
  reason: string;
}

export interface ProxyOptions {
  /** What every command may reach. */
  hosts: readonly string[];
  /** Asked about what no list names. Absent: that is refused. */
  mayConnect?: MayConnect;
  /** Each destination once for a command. */
  onRefused(refusal: Refusal): void;
  world: Surroundings;
  /** Only commands can connect: then the only one that runs needs no token. */
  alone: boolean;
  limits?: Partial<Limits>;
}

export interface ProxiedCommand {
  id: string;
  /** What this command may reach beside what all may. */
  hosts: readonly string[];
}

export interface Proxy {
  accept(socket: Socket): void;
  /** `close` when the last process of the command is gone: it ends its connections, and its token is worth nothing. */
  admit(command: ProxiedCommand): { token: string; close(): void };
  close(): void;
}

const user = 'tau';

const defaults: Limits = {
  headBytes: 32 * 1024,
  helloMs: 10_000,
  connectMs: 20_000,
  idleMs: 30 * 60_000,
  connections: 256,
  connectionsEach: 128,
  hostsEach: 200,
  refusalsEach: 50,
};

export function createProxy(options: ProxyOptions): Proxy {
  const limits = { ...defaults, ...options.limits };
  const commands = new Map<string, Speaker>();
  const sockets = new Set<Socket>();
  const over = new AbortController();
  const everybody = speakerFor(undefined, options.hosts, { ...options, limits }, over.signal);

  const find = (credentials: string | undefined): Found => {
    if (credentials === undefined) {
      const [only, ...others] = commands.values();
      if (options.alone && only && others.length === 0) return { kind: 'speaker', speaker: only };
      return { kind: 'nobody', speaker: everybody };
    }
    const speaker = credentials.startsWith(`${user}:`) ? commands.get(credentials.slice(user.length + 1)) : undefined;
    return speaker ? { kind: 'speaker', speaker } : { kind: 'unknown' };
  };

  return {
    accept(socket) {
      // Whoever leaves early must not end the process.
      socket.on('error', () => socket.destroy());
      if (over.signal.aborted || sockets.size >= limits.connections) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.allowHalfOpen = true;
      socket.setNoDelay(true);
      socket.unref();
      void serveClient(socket, { limits, world: options.world, find });
    },

    admit({ id, hosts }) {
      const { randomBytes } = process.getBuiltinModule('node:crypto');
      const token = randomBytes(16).toString('hex');
      const stop = new AbortController();
      commands.set(token, speakerFor(id, [...options.hosts, ...hosts], { ...options, limits }, stop.signal));
      return {
        token,
        close() {
          commands.delete(token);
          stop.abort();
        },
      };
    },

    close() {
      commands.clear();
      over.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** `credentials` as they stand in an address. */
export function writeCredentials(token: string): string {
  return `${user}:${token}`;
}

function speakerFor(
  id: string | undefined,
  hosts: readonly string[],
  { mayConnect, onRefused, limits }: ProxyOptions & { limits: Limits },
  signal: AbortSignal,
): Speaker {
  const held = new Set<Socket>();
  const told = new Set<string>();
  signal.addEventListener('abort', () => {
    for (const socket of held) socket.destroy();
  });
  return {
    signal,
    // Nobody is asked on behalf of nobody in particular.
    judge: judgeOf({
      ...{ command: id ?? '', hosts, signal, maxHosts: limits.hostsEach },
      mayConnect: id === undefined ? undefined : mayConnect,
    }),
    refuse(to, reason) {
      const key = writeDestination(to);
      if (told.has(key) || told.size >= limits.refusalsEach) return;
      told.add(key);
      const last = told.size === limits.refusalsEach ? '; more refusals of this command are not told' : '';
      onRefused({ ...to, command: id, reason: `${reason}${last}` });
    },
    hold(socket) {
      if (signal.aborted || socket.destroyed || held.size >= limits.connectionsEach) return false;
      held.add(socket);
      socket.once('close', () => held.delete(socket));
      return true;
    },
  };
}
