/**
 * Holds commands: makes what each may do into a policy, joins it to the session's network, and tells what the sandbox
 * refused. Loaded with the first command.
 */
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { describeError, once, type ResolvedEffect, type RunEvent, type SandboxViolation } from '@tau/core';
import {
  allowsPrivate,
  type JoinedNetwork,
  loadSandbox,
  type SandboxFacts,
  type SandboxNetwork,
  type Violation,
} from '@tau/host';
import type { PathScope } from '@tau/policy';
import type { Held } from '@tau/tools';
import type { Settings } from '../config/types.ts';
import { isStraight } from '../leads-to.ts';
import type { Permission } from '../permission.ts';
import { isBelow, realPlace } from '../place.ts';
import { isSecret, networkOf } from './backend.ts';
import { commandPolicy } from './command-policy.ts';
import type { HeldCall } from './held-call.ts';
import { createHostAsker, type HostAskerPlace } from './hosts.ts';
import { machineNames } from './private-hosts.ts';
import { quietPrograms } from './quiet.ts';
import { inRealFolders } from './real-folders.ts';
import { isRoutine } from './routine.ts';
import { whyNowhere } from './why-nowhere.ts';

export interface HolderPlace extends Pick<HostAskerPlace, 'ask' | 'decided'> {
  facts: SandboxFacts | undefined;
  scope: PathScope;
  permission: Pick<Permission, 'guarded' | 'unreadable' | 'decide' | 'opens'>;
  env: NodeJS.ProcessEnv;
  settings(): Settings;
  emit(event: RunEvent): void;
  notice(level: 'info' | 'warning', text: string): void;
  /** Something was refused. */
  refused(violation: SandboxViolation, command: string): void;
  /** And the command failed: words for the model when it was one time too many. */
  insisted(violation: SandboxViolation): string | undefined;
  looksOnly(): boolean;
  everyHost(): boolean;
  /** Whether somebody can be asked. */
  attended(): boolean;
}

export interface Holder {
  hold(call: HeldCall): Promise<Held>;
  close(): Promise<void>;
}

const maxRefused = 100;
const seemsEmpty = 'it is hidden, and seems empty';
const leave = 'If that is needed, call again with outside: true';
const stuck =
  'Nobody can be asked here, so outside: true would be refused: do it another way, or tell the user that it needs a rule outside(...).';
const declare = 'A hook that must do that says "outside": true where it is declared.';
const stay = 'In plan mode commands change nothing and reach nobody.';

export function createHolder(place: HolderPlace): Holder {
  const { scope, permission, env, emit } = place;
  const calls = new Map<string, CallInSandbox>();
  const routine = new Set<string>();
  let made = 0;
  let network: SandboxNetwork | undefined;
  let networkFailed = false;
  const asker = createHostAsker({
    ...place,
    callOf: (id) => calls.get(id)?.call,
    asking: (id, now) => calls.get(id)?.asking(now),
  });

  async function theNetwork(): Promise<SandboxNetwork | undefined> {
    const way = networkOf(place.facts);
    if (way === undefined || networkFailed) return undefined;
    const { openNetwork } = await loadSandbox();
    network ??= openNetwork({
      way,
      env,
      hosts: [],
      mayConnect: asker.mayConnect,
      onRefused({ host, reason, command }) {
        if (command !== undefined) calls.get(command)?.report({ what: 'connect', host, reason });
      },
      allowPrivate: (target) => allowsPrivate(target, place.settings().webFetch?.privateHosts),
      isSecret,
    });
    return network;
  }

  /** Without a network of its own a command has none at all, and the user is told once. */
  async function joined(id: string): Promise<JoinedNetwork | undefined> {
    try {
      return await (await theNetwork())?.join({ id, hosts: [], machine: await machineNames(place.settings()) });
    } catch (error) {
      networkFailed = true;
      place.notice('warning', `Commands in the sandbox reach nobody: ${describeError(error)}`);
      return undefined;
    }
  }

  return {
    async hold(call) {
      made += 1;
      const id = `command-${made}`;
      const { command, toolCallId, decided } = call;
      const effects = decided?.effects ?? [];
      const looksOnly = place.looksOnly() && !call.own;
      const refused = new Map<string, SandboxViolation>();
      /** Counted once, however often somebody asks. */
      const insisted = once(() => [...refused.values()].flatMap((violation) => place.insisted(violation) ?? []));
      const report = (violation: SandboxViolation) => {
        const key = JSON.stringify(violation);
        if (refused.has(key) || refused.size >= maxRefused || isToldEnough(violation)) return;
        refused.set(key, violation);
        emit({ type: 'sandbox_violation', toolCallId, command, ...violation });
        place.refused(violation, command);
      };
      const { asking, onAsking } = askingCounter();
      const opens = permission.opens(command);
      calls.set(id, { call: { ...call, hosts: opens.hosts }, report, asking });
      const offline = looksOnly || effects.some((effect) => effect.kind === 'exec' && effect.readOnly);
      const net = offline ? undefined : await joined(id);
      // Where nothing can be written, nothing has to be kept as it is.
      const guarded = offline
        ? { readOnly: [], unreadable: permission.unreadable() }
        : permission.guarded({ isRepository, isFolder }, opens.writable);
      const open = [...scope.roots, ...(scope.writable ?? []), ...opens.writable];
      const { paths, links } = inRealFolders(guarded.readOnly, open);
      const [kept, hidden] = [lookUp(paths), lookUp(guarded.unreadable)];
      const session = {
        ...{ scope, exists, realOf },
        guarded: { readOnly: [...links, ...kept.there, ...kept.absent], unreadable: hidden.there },
        writable: [...(scope.writable ?? []), ...opens.writable],
        unreadable: scope.unreadable?.filter(isStraight) ?? [],
      };
      const policy = commandPolicy(session, { command, effects, looksOnly });
      const unmade = hidden.absent.filter((path) => policy.writable.some((folder) => isBelow(path, folder)));
      // Known from its words, also where no witness looks on, and whether the command fails or not.
      for (const path of readsOf(effects, policy.unreadable)) report({ what: 'read', path, reason: seemsEmpty });
      return {
        policy: {
          ...policy,
          unreadable: [...policy.unreadable, ...unmade.map(realPlace)],
          network: net ?? 'none',
          env: quietPrograms(env, place.settings().env),
        },
        report: (violation) => report(told(violation)),
        onAsking,
        refused: () => [...refused.values()],
        get wayOut() {
          return call.own ? declare : looksOnly ? stay : outsideWords(command);
        },
        insisted,
        done() {
          calls.delete(id);
          net?.close();
        },
      };
    },
    async close() {
      await network?.close();
    },
  };

  /** What would become of the same command outside. */
  function outsideWords(command: string): string {
    const call = { id: '', toolName: 'bash', input: { command, outside: true } };
    const { outcome } = permission.decide(call, 'builtin', [{ kind: 'exec', command, readOnly: false, outside: true }]);
    if (outcome === 'allow') return `${leave}.`;
    return outcome === 'ask' && place.attended() ? `${leave}, which asks the user.` : stuck;
  }

  function isToldEnough({ what, path = '' }: SandboxViolation): boolean {
    if (what !== 'read' || !isRoutine(path)) return false;
    return routine.size === routine.add(path).size;
  }
}

interface CallInSandbox {
  call: HeldCall;
  report(violation: SandboxViolation): void;
  asking(now: boolean): void;
}

/** Many hosts may be asked about at a time: whoever keeps the time hears of the first question and the last answer. */
function askingCounter(): Pick<Held, 'onAsking'> & Pick<CallInSandbox, 'asking'> {
  const listeners: ((asking: boolean) => void)[] = [];
  let open = 0;
  return {
    onAsking: (listener) => void listeners.push(listener),
    asking(now) {
      open += now ? 1 : -1;
      if (open === (now ? 1 : 0)) for (const listener of listeners) listener(now);
    },
  };
}

function told(violation: Violation): SandboxViolation {
  switch (violation.what) {
    case 'read':
      return { ...violation, reason: seemsEmpty };
    case 'write':
    case 'call':
      return violation;
    case 'connect':
      return { what: 'connect', host: violation.host, reason: whyNowhere(violation) };
  }
}

/** What is guarded may be a link, and then what it leads to is: the keys of who keeps them elsewhere, say. */
function lookUp(paths: readonly string[]): { there: string[]; absent: string[] } {
  const there = new Set<string>();
  const absent: string[] = [];
  for (const path of paths) {
    if (exists(path)) there.add(path).add(realPlace(path));
    else absent.push(path);
  }
  return { there: [...there], absent };
}

/** Hidden places among what a command reads. */
function readsOf(effects: readonly ResolvedEffect[], hidden: readonly string[]): string[] {
  const reads = effects.flatMap((effect) => (effect.kind === 'read' ? [effect.resolved ?? effect.path] : []));
  return [...new Set(reads.filter((path) => hidden.some((place) => isBelow(path, place)) && exists(path)))];
}

function exists(path: string): boolean {
  return look(path) !== undefined;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() === true;
}

/** An empty folder is none: it may well stand there for another command, so that nobody makes one. */
function isRepository(path: string): boolean {
  try {
    return isFolder(path) && readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // What cannot be looked at cannot be opened for a command either.
    return undefined;
  }
}
