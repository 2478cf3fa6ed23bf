/**
 * Which action a key means where. Contexts are asked from the inner to the outer; a chord is remembered between keys and
 * forgotten after a while. Without timers: what is too old is found out when the next key comes.
 */
import type { InputEvent } from '../input/event.ts';
import type { Action, Binding } from './action.ts';
import { normalChord } from './name.ts';

/**
 * `pending`: the key belongs to a chord that is not complete, or broke one off, so it types nothing. Undefined in a chord
 * means that another context goes on with it: pass the event on. The outer part of a program is asked first.
 */
export type Match = { action: string } | 'pending' | undefined;

/** What a component needs of a keymap. */
export interface KeyMatcher {
  match(event: InputEvent, contexts: string | readonly string[]): Match;
  /** The keys that do this, normal names, the first is the one to show. */
  keysFor(action: string): readonly string[];
}

export interface Keymap extends KeyMatcher {
  /** The keys of a chord so far, to be shown. */
  readonly pending: readonly string[];
  readonly bindings: readonly Binding[];
  readonly actions: readonly Action[];
}

export interface KeymapOptions {
  actions: readonly Action[];
  /** What is in force, if not the actions' own keys: `readKeybindings` makes it from a user's file. */
  bindings?: readonly Binding[];
  /** How long a chord waits for its next key. */
  chordMs?: number;
  now?(): number;
}

export function createKeymap(options: KeymapOptions): Keymap {
  const { actions, bindings = bindingsOf(actions), chordMs = 2_000, now = Date.now } = options;
  const contexts = indexed(bindings);
  const known = new Set([...contexts.values()].flatMap((steps) => [...steps.keys()]));
  const byAction = new Map<string, string[]>();
  for (const { action, keys } of bindings) byAction.set(action, [...(byAction.get(action) ?? []), keys.join(' ')]);

  let pending: readonly string[] = [];
  let since = 0;
  // Several components may be asked about the same event: all see the chord as it was before it.
  let current: InputEvent | undefined;
  let before: readonly string[] = [];

  function begin(event: InputEvent): void {
    if (event === current) return;
    current = event;
    before = now() - since > chordMs ? [] : pending;
    pending = [];
  }

  return {
    get pending() {
      return pending.length > 0 && now() - since > chordMs ? [] : pending;
    },
    bindings,
    actions,
    keysFor: (action) => byAction.get(action) ?? [],
    match(event, asked) {
      if (event.type !== 'key' || event.kind === 'release') return undefined;
      begin(event);
      const keys = [...before, event.key];
      const typed = keys.join(' ');
      for (const context of typeof asked === 'string' ? [asked] : asked) {
        const found = contexts.get(context)?.get(typed);
        if (found === undefined) continue;
        if (found !== 'pending') {
          pending = [];
          return { action: found.action };
        }
        pending = keys;
        since = now();
        return 'pending';
      }
      return before.length > 0 && !known.has(typed) ? 'pending' : undefined;
    },
  };
}

type Step = { action: string } | 'pending';

/** By context, the keys typed so far to what they mean. A key that does something is never the beginning of a chord. */
function indexed(bindings: readonly Binding[]): Map<string, Map<string, Step>> {
  const contexts = new Map<string, Map<string, Step>>();
  for (const { keys, action, context } of bindings) {
    const steps = contexts.get(context) ?? new Map<string, Step>();
    contexts.set(context, steps);
    for (let length = 1; length < keys.length; length += 1) {
      const start = keys.slice(0, length).join(' ');
      if (!steps.has(start)) steps.set(start, 'pending');
    }
    const typed = keys.join(' ');
    if (steps.get(typed) === undefined || steps.get(typed) === 'pending') steps.set(typed, { action });
  }
  return contexts;
}

/** The actions with the keys they come with. */
export function bindingsOf(actions: readonly Action[]): Binding[] {
  return actions.flatMap(({ name, keys, context }) =>
    keys.flatMap((text) => {
      const chord = normalChord(text);
      return chord ? [{ keys: chord, action: name, context }] : [];
    }),
  );
}
