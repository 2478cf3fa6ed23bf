/**
 * A user's keybindings.json over the defaults. Either an object, action to key, keys or null, or a list of
 * `{ key, action, context? }`; comments are allowed. What is wrong is said with its place and left out, the rest counts.
 */
import type { Node, ParseError } from 'jsonc-parser';
import type { Action, Binding } from './action.ts';
import { bindingsOf } from './keymap.ts';
import { needsKitty } from './legacy.ts';
import { keyParts, namedKeys, normalChord } from './name.ts';
import { nearestName } from './nearest.ts';
import { type Preset, toolkitPresets } from './presets.ts';
import { printKey } from './print.ts';

export interface KeyProblem {
  /** A note is no mistake: the key works on some terminals only. */
  severity: 'error' | 'note';
  message: string;
  /** From 1. */
  line: number;
  column: number;
}

export interface Keybindings {
  bindings: readonly Binding[];
  problems: readonly KeyProblem[];
  preset: string;
}

export interface KeybindingsOptions {
  actions: readonly Action[];
  presets?: Readonly<Record<string, Preset>>;
  /** The terminal speaks the Kitty protocol, so every key can be sent. */
  kitty?: boolean;
}

const maxBytes = 1024 * 1024;

export async function readKeybindings(text: string, options: KeybindingsOptions): Promise<Keybindings> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const problems: KeyProblem[] = [];
  const say = (message: string, offset: number, severity: KeyProblem['severity'] = 'error') =>
    problems.push({ severity, message, ...placeOf(text, offset) });
  const defaults = { bindings: bindingsOf(options.actions), problems, preset: 'default' };
  if (text.length > maxBytes) {
    say('The file is larger than 1 MB, so it is not read. Keep only bindings in it.', 0);
    return defaults;
  }
  const errors: ParseError[] = [];
  const root = text.trim() === '' ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  const broken = errors[0];
  if (broken) {
    const what = printParseErrorCode(broken.error);
    say(`This is not valid JSON (${what}). The default keys are in force until it is mended.`, broken.offset);
    return defaults;
  }
  if (!root) return defaults;
  if (root.type !== 'object' && root.type !== 'array') {
    say('Expected an object of actions or a list of { "key", "action" }.', root.offset);
    return defaults;
  }
  const wishes: Wish[] = [];
  const presets = { ...toolkitPresets, ...options.presets };
  let preset = 'default';
  const reader = { actions: options.actions, kitty: options.kitty === true, say, wishes };
  if (root.type === 'array') readList(root, reader);
  else {
    for (const { name, value, offset } of propertiesOf(root)) {
      if (name === '$schema') continue;
      if (name === 'bindings') readList(value, reader);
      else if (name === 'preset') preset = presetName(value, presets, say) ?? preset;
      else readAction(name, value, offset, reader);
    }
  }
  return { bindings: merged(options.actions, presets[preset] ?? {}, wishes, say), problems, preset };
}

type Say = (message: string, offset: number, severity?: KeyProblem['severity']) => void;

/** What the file asks for, in its order. */
type Wish =
  | { kind: 'only'; action: string; keys: readonly (readonly string[])[]; context: string; offset: number }
  | { kind: 'add'; action: string; keys: readonly string[]; context: string; offset: number }
  | { kind: 'free'; keys: readonly string[]; context: string | undefined };

interface Reader {
  actions: readonly Action[];
  kitty: boolean;
  say: Say;
  wishes: Wish[];
}

function readAction(name: string, value: Node, offset: number, reader: Reader): void {
  const action = knownAction(name, offset, reader);
  if (!action) return;
  const values = value.type === 'array' ? (value.children ?? []) : value.type === 'null' ? [] : [value];
  const keys = values.flatMap((node) => {
    const chord = readKey(node, reader);
    return chord ? [chord] : [];
  });
  // A list of nothing but mistakes would leave the action without a key.
  if (values.length > 0 && keys.length === 0) return;
  reader.wishes.push({ kind: 'only', action: name, keys, context: action.context, offset });
}

function readList(node: Node, reader: Reader): void {
  if (node.type !== 'array') {
    reader.say('Expected a list of { "key", "action" }.', node.offset);
    return;
  }
  for (const item of node.children ?? []) readItem(item, reader);
}

function readItem(item: Node, reader: Reader): void {
  const { say, actions, wishes } = reader;
  const fields = new Map(propertiesOf(item).map((property) => [property.name, property]));
  const key = fields.get('key');
  const action = fields.get('action');
  if (!key || !action) {
    say('A binding needs "key" and "action".', item.offset);
    return;
  }
  for (const { name, offset } of fields.values()) {
    if (name !== 'key' && name !== 'action' && name !== 'context') {
      say(`A binding has "key", "action" and "context"; "${name}" is none of them.`, offset);
    }
  }
  const keys = readKey(key.value, reader);
  if (!keys) return;
  const where = fields.get('context');
  const context: unknown = where?.value.value;
  const contexts = [...new Set(actions.map((known) => known.context))];
  if (where && (typeof context !== 'string' || !contexts.includes(context))) {
    const near = typeof context === 'string' ? nearestName(context, contexts) : undefined;
    say(`There is no context ${shown(context)}${didYouMean(near)}. There are: ${contexts.join(', ')}.`, where.offset);
    return;
  }
  const inContext = typeof context === 'string' ? context : undefined;
  if (action.value.type === 'null') {
    wishes.push({ kind: 'free', keys, context: inContext });
    return;
  }
  const known = knownAction(action.value.value, action.value.offset, reader);
  if (!known) return;
  wishes.push({ kind: 'add', action: known.name, keys, context: inContext ?? known.context, offset: item.offset });
}

function knownAction(name: unknown, offset: number, { actions, say }: Reader): Action | undefined {
  const action = actions.find((known) => known.name === name);
  if (action) return action;
  const names = actions.map((known) => known.name);
  say(`There is no action ${shown(name)}${didYouMean(nearestName(String(name), names))}.`, offset);
  return undefined;
}

function readKey(node: Node, { say, kitty }: Reader): readonly string[] | undefined {
  const text: unknown = node.value;
  const keys = typeof text === 'string' && text.trim() !== '' ? normalChord(text) : undefined;
  if (!keys || typeof text !== 'string') {
    const near = typeof text === 'string' ? nearKey(text) : undefined;
    say(`${shown(text)} is not a key${didYouMean(near)}. Write keys like ctrl+p, alt+enter or f1.`, node.offset);
    return undefined;
  }
  if (keys.length > 4) {
    say(`${shown(text)} has ${keys.length} keys; a chord has at most 4.`, node.offset);
    return undefined;
  }
  for (const key of kitty ? [] : keys) {
    const why = needsKitty(key);
    if (why) say(`${printKey(key)}: ${why}, unless they speak the Kitty keyboard protocol.`, node.offset, 'note');
  }
  return keys;
}

/** The name with its wrong part replaced by the nearest right one. */
function nearKey(text: string): string | undefined {
  const words = text.trim().split(/\s+/);
  const wrong = words.find((word) => keyParts(word) === undefined) ?? '';
  const cut = wrong.lastIndexOf('+', wrong.length - 2);
  const key = wrong.slice(cut + 1);
  const base = keyParts(key) ? key : nearestName(key, namedKeys);
  const modifiers = cut < 0 ? [] : wrong.slice(0, cut).split('+');
  const known = ['ctrl', 'alt', 'shift', 'super'];
  const fixed = modifiers.map((word) => (keyParts(`${word}+a`) ? word : nearestName(word, known)));
  if (base === undefined || fixed.includes(undefined)) return undefined;
  return normalChord([...fixed, base].join('+'))?.join(' ');
}

function presetName(node: Node, presets: Readonly<Record<string, Preset>>, say: Say): string | undefined {
  const names = Object.keys(presets);
  const name: unknown = node.value;
  if (typeof name === 'string' && names.includes(name)) return name;
  const near = nearestName(String(name), names);
  say(`There is no preset ${shown(name)}${didYouMean(near)}. There are: ${names.join(', ')}.`, node.offset);
  return undefined;
}

/** Defaults, then the preset, then the file. Who comes later takes a key from who had it in the same context. */
function merged(actions: readonly Action[], preset: Preset, wishes: readonly Wish[], say: Say): Binding[] {
  const usual = actions.map((action) => ({ ...action, keys: preset[action.name] ?? action.keys }));
  const changed = new Set(wishes.flatMap((wish) => (wish.kind === 'only' ? [wish.action] : [])));
  const own: (Binding & { offset: number })[] = [];
  const freed: { keys: readonly string[]; context: string | undefined }[] = [];
  for (const wish of wishes) {
    if (wish.kind === 'free') freed.push(wish);
    else for (const keys of wish.kind === 'only' ? wish.keys : [wish.keys]) own.push({ ...wish, keys });
  }
  const kept = own.filter((binding, index) => {
    const rival = own.slice(0, index).find((other) => clash(other, binding) && other.action !== binding.action);
    if (!rival) return true;
    const key = printKey(binding.keys.join(' '));
    say(
      `${key} already does ${rival.action} in ${binding.context}, so it does not do ${binding.action}.`,
      binding.offset,
    );
    return false;
  });
  const left = bindingsOf(usual).filter(
    (binding) =>
      !changed.has(binding.action) &&
      !kept.some((other) => clash(other, binding)) &&
      !freed.some(({ keys, context }) => same(keys, binding.keys) && (context ?? binding.context) === binding.context),
  );
  return [...kept.map(({ keys, action, context }) => ({ keys, action, context })), ...left];
}

/** One of them could never be typed: the same keys, or one begins with all of the other. */
function clash(a: Binding, b: Binding): boolean {
  const length = Math.min(a.keys.length, b.keys.length);
  return a.context === b.context && same(a.keys.slice(0, length), b.keys.slice(0, length));
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

function propertiesOf(node: Node): { name: string; value: Node; offset: number }[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children, offset }) => {
    const [key, value] = children ?? [];
    return key && value ? [{ name: String(key.value), value, offset }] : [];
  });
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'without a name';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : ` (did you mean "${near}"?)`;
}
