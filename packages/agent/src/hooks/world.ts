/** What hooks run in: the machine, in the project's root, without the keys that tau knows. */
import type { CommandEnd, CommandRequest, Hook, HookPorts } from '@tau/extend';
import { type Host, localHost, type SandboxFacts } from '@tau/host';
import { type Held, refusedLine } from '@tau/tools';
import type { Settings } from '../config/types.ts';
import { createTameGit } from '../git/tame.ts';
import { ownPath } from '../own-programs.ts';
import { sandboxOf } from '../sandbox/use.ts';
import { projectProgram } from './strangers.ts';

export interface HookWorld {
  root: string;
  /** Without the variables that hold keys. */
  env: NodeJS.ProcessEnv;
  settings(): Settings;
  trusted(): boolean;
  /** How a command of a hook is held. Undefined: it runs as it is. */
  holdOwn(command: string): Promise<Held | undefined>;
  /** The sandbox that holds it. */
  facts: SandboxFacts | undefined;
}

export function hookPorts(world: HookWorld): HookPorts & { end(): Promise<void> } {
  const { root, env } = world;
  const tameGit = createTameGit(env);
  let host: Host | undefined;
  const machine = () => {
    const { shell, env: commandEnv, webFetch } = world.settings();
    host ??= localHost({
      cwd: root,
      env,
      ...(shell !== undefined && { shell }),
      ...(commandEnv && { commandEnv }),
      ...(webFetch?.privateHosts && { privateHosts: webFetch.privateHosts }),
      ...sandboxOf(world.facts, env),
    });
    return host;
  };
  return {
    root,
    refusal(hook) {
      const why = strangersProgram(hook);
      return why === undefined || world.trusted() ? undefined : why;
    },
    async run({ outside, ...request }) {
      const held = outside ? undefined : await world.holdOwn(request.command);
      try {
        if (world.trusted()) return await runCommand(machine(), request, { held });
        const strange = { ...ownPrograms(world), ...ownModules(request.command) };
        // Where a repository names programs for git to run, git is asked not to.
        const calmGit = !tameGit(root);
        return await runCommand(machine(), { ...request, env: { ...request.env, ...strange } }, { held, calmGit });
      } finally {
        held?.done();
      }
    },
    async post({ url, maxBytes, ...request }) {
      const { status, body, cut } = await machine().web.post(url, { ...request, maxBytes });
      return { status, cut, body: body.toString() };
    },
    variable: (name) => env[name],
    end: async () => host?.processes.end(),
  };
}

/** Before a yes plain names in the user's own hooks do not mean programs of the project either. */
function ownPrograms({ root, env, settings }: HookWorld): { PATH?: string } {
  const path = settings().env?.PATH ?? env.PATH;
  return path === undefined ? {} : { PATH: ownPath(path, root) };
}

/** Nor what Python imports: without a script of its own it looks for modules in the project first. */
function ownModules(command: string): { PYTHONSAFEPATH?: string } {
  return /\bpython/.test(command) && !/\.py\b/.test(command) ? { PYTHONSAFEPATH: '1' } : {};
}

async function runCommand(
  { processes }: Host,
  request: CommandRequest,
  { held, calmGit = false }: { held: Held | undefined; calmGit?: boolean },
): Promise<CommandEnd> {
  const { maxBytes, signal, ...rest } = request;
  const own = new AbortController();
  const stop = () => own.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let stdout = '';
  let stderr = '';
  let room = maxBytes;
  let flooded = false;
  const take = (chunk: string): string => {
    room -= chunk.length;
    if (room >= 0) return chunk;
    flooded = true;
    stop();
    return '';
  };
  try {
    const {
      exitCode,
      signal: killer,
      killedBy,
    } = await processes.run({
      ...rest,
      ...(calmGit && { readOnly: true }),
      ...(held && { contain: held.policy, onViolation: held.report }),
      signal: own.signal,
      onOutput(chunk) {
        stdout += take(chunk);
      },
      onError(chunk) {
        stderr += take(chunk);
      },
    });
    const why = flooded ? 'flood' : killedBy;
    const told = held && refusedLine(held, exitCode === 0);
    if (told !== undefined) stderr += `${stderr === '' || stderr.endsWith('\n') ? '' : '\n'}${told}`;
    return { exitCode, stdout, stderr, ...(killer !== undefined && { signal: killer }), ...(why && { killedBy: why }) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Before a yes nothing of a project runs, not even where a hook of the user's own would start it. */
function strangersProgram({ handler, source }: Hook): string | undefined {
  if (handler.type !== 'command' || (source.layer !== 'user' && source.layer !== 'config')) return undefined;
  const found = projectProgram(handler.command);
  return found === undefined ? undefined : `${found} is a program of this project, which is not trusted`;
}
