/**
 * Hooks: what the user has run at events of a session. This is their door for the agent; what does the work is loaded when
 * there is a hook, because mostly there is none.
 */
import {
  type BeforeToolVerdict,
  describeError,
  type GateCall,
  type HookEvent,
  type RunEvent,
  type RunPorts,
} from '@tau/core';
import { deedOf, type Hook, loadExtensions } from '@tau/extend';
import type { Layer } from './config/settings.ts';
import type { LiveHooks } from './hooks/live.ts';
import type { HooksPlace } from './hooks/place.ts';
import type { Sitting } from './hooks/sitting.ts';

export interface ListedHook {
  event: HookEvent;
  /** Where it is declared, as a person knows it. */
  source: string;
  layer: Hook['source']['layer'];
  what: string;
  /** For which calls or occasions, if not for all. */
  only?: string;
}

export interface Hooks {
  /** What these layers declare counts from now on. Throws when it cannot be understood, and then nothing has changed. */
  use(layers: readonly Layer[], fileAccessLog: boolean): Promise<readonly string[]>;
  hears(event: HookEvent): boolean;
  list(): ListedHook[];
  /** `said`: the word of those who were asked before. */
  beforeTool(call: GateCall, said: ReturnType<RunPorts['beforeTool']>): ReturnType<RunPorts['beforeTool']>;
  afterTool: RunPorts['afterTool'];
  beforePrompt: NonNullable<RunPorts['beforePrompt']>;
  /** Undefined while there is nobody to look at answers. */
  afterAnswer(): RunPorts['afterAnswer'];
  beforeStop(answer: string): Promise<string | undefined>;
  /** Why the run must not go on. */
  halted(): string | undefined;
  /** The conversation was made shorter. */
  compacted(): Promise<void>;
  /** A run begins. What hooks have for the model. */
  begin(signal: AbortSignal): Promise<readonly string[]>;
  /** `reason`: how the last run ended. */
  close(reason: string): Promise<void>;
}

export interface HooksOptions extends HooksPlace {
  subscribe(listener: (event: RunEvent) => void): () => void;
}

interface Working {
  live: LiveHooks;
  sitting: Sitting;
  /** What writes the file-access log, and its end. */
  log: { hooks: readonly Hook[]; close(): void };
  leave(): void;
}

export function openHooks(options: HooksOptions): Hooks {
  let declared: readonly Hook[] = [];
  let logs = false;
  let work: Working | undefined;
  let stopHookActive = false;
  let quiet = false;
  let reread: (() => Promise<readonly string[]>) | undefined;

  // A warning about a Notification hook is no reason to call it again.
  const place: HooksPlace = {
    ...options,
    notice(level, text) {
      quiet = true;
      try {
        options.notice(level, text);
      } finally {
        quiet = false;
      }
    },
  };
  const all = () => [...((logs && work?.log.hooks) || []), ...options.registered, ...declared];
  // Asked at every delta of a stream.
  let events: ReadonlySet<HookEvent> = new Set();
  const hears = (event: HookEvent) => events.has(event);

  async function start(): Promise<Working> {
    const { createLive } = await import('./hooks/live.ts');
    const { createSitting } = await import('./hooks/sitting.ts');
    const { createFileLog } = await import('./hooks/file-log.ts');
    const live = createLive(place, all);
    const sitting = createSitting(place, live);
    const { extension, close } = createFileLog(place.home, (text) => place.notice('warning', text));
    // It comes the way an extension's hooks come.
    const { hooks } = await loadExtensions([{ extension, source: 'builtin' }]);
    const leave = options.subscribe((event) => {
      if (!quiet) sitting.see(event);
    });
    return { live, sitting, log: { hooks, close }, leave };
  }

  async function read(layers: readonly Layer[]): Promise<readonly string[]> {
    const { claudePrint, declaredHooks } = await import('./hooks/declared.ts');
    const from = { ...place, layers };
    const print = claudePrint(from);
    const found = await declaredHooks(from);
    declared = found.hooks;
    events = new Set(all().map(({ event }) => event));
    // Only the files of Claude Code are not watched by whoever watches the settings.
    const claude = layers.some(({ values }) => values.get('claudeHooks') === true);
    reread = claude ? async () => (claudePrint(from) === print ? [] : read(layers)) : undefined;
    return found.warnings;
  }

  return {
    async use(layers, fileAccessLog) {
      const some =
        place.wanted && layers.some(({ values }) => values.has('hooks') || values.get('claudeHooks') === true);
      let warnings: readonly string[] = [];
      if (some) warnings = await read(layers);
      else [declared, reread] = [[], undefined];
      logs = fileAccessLog;
      if (logs || declared.length > 0 || reread || options.registered.length > 0) work ??= await start();
      events = new Set(all().map(({ event }) => event));
      return warnings;
    },
    hears,
    list: () => all().map(listed),

    beforeTool(call, said) {
      const { live } = work ?? {};
      if (!live || !hears('PreToolUse')) return said;
      return Promise.resolve(said).then(async (first): Promise<BeforeToolVerdict> => {
        if (first && 'block' in first) return first;
        const second = await live.beforeTool(first?.input ? { ...call, input: first.input } : call);
        if (!second || 'block' in second || !first) return second ?? first;
        // What was said about another input does not count for this one.
        const { allow, ...rest } = first;
        return { ...(second.input ? rest : first), ...second };
      });
    },
    afterTool: async (call, result, effects) =>
      work && (hears('PostToolUse') || hears('PreToolUse')) ? work.live.afterTool(call, result, effects) : result,
    beforePrompt: (message) => (work && hears('UserPromptSubmit') ? work.live.beforePrompt(message) : undefined),
    afterAnswer: () => (work && hears('PostSampling') ? work.live.afterAnswer : undefined),
    async beforeStop(answer) {
      if (!work || !hears('Stop')) return undefined;
      const words = await work.live.beforeStop(answer, stopHookActive);
      stopHookActive = words !== undefined;
      return words;
    },
    halted: () => work?.live.halted(),
    async compacted() {
      if (work && hears('Compact')) await work.live.tell('Compact', { trigger: 'auto' });
    },

    async begin(signal) {
      stopHookActive = false;
      try {
        for (const text of (await reread?.()) ?? []) place.notice('warning', text);
      } catch (error) {
        place.notice('warning', `The hooks from before stay: ${describeError(error)}`);
      }
      if (!work) return [];
      work.live.begin(signal);
      return work.sitting.begin();
    },
    async close(reason) {
      if (!work) return;
      work.live.begin(new AbortController().signal);
      await work.sitting.end(reason);
      work.leave();
      work.log.close();
      await work.live.close();
    },
  };
}

function listed(hook: Hook): ListedHook {
  const { event, source, tools, rules, matcher } = hook;
  const only = [...(matcher === undefined ? [] : [matcher]), ...(tools.length > 0 ? [tools.join(', ')] : []), ...rules];
  return {
    event,
    source: source.file,
    layer: source.layer,
    what: deedOf(hook),
    ...(only.length > 0 && { only: only.join('; ') }),
  };
}
