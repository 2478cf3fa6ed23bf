/** What is collected on the way through a line, and what holds at a place in it. */
import type { Effect } from '@tau/core';
import type { Script } from 'unbash';
import type { Part } from '../analysis.ts';
import type { Finding, Invocation, ShellFacts, Word } from '../invocation.ts';
import type { Folders } from './folders.ts';
import { afterMoves, type Move } from './moves.ts';

/** The parts of the parser that are used. */
export type Syntax = Pick<typeof import('unbash'), 'parse' | 'forEachChild'>;

/** Where a command ends up, by how it went: after `cd x` the folder is x, or what it was. */
export interface Flow {
  ok: Folders;
  fail: Folders;
}

export const limits = {
  parts: 20_000,
  effects: 20_000,
  depth: 60,
  doubts: 50,
  characters: 1 << 19,
  rounds: 100,
  moves: 50,
  patterns: 64,
} as const;
export const tooLong = 'it is too long to be taken apart';

export interface Walk {
  facts: ShellFacts;
  /** Absent when the line is plain: then nothing has to be parsed. */
  syntax: Syntax | undefined;
  /** How often the line names something without reading it by `$`: a variable that it sets is among them. */
  mentions(name: string): number;
  parts: Part[];
  redirects: Effect[];
  doubts: Set<string>;
  /** Names that the line gives another meaning. */
  functions: Set<string>;
  /** Variables that may hold any text, and those that arithmetic evaluates: nothing may be both. */
  texts: Set<string>;
  counted: Set<string>;
  /** Variables that the line has set, and those whose value was taken for certain: again, nothing may be both. */
  assigned: Set<string>;
  certain: Set<string>;
  /** Variables that may hold something of the environment, and those that were taken to hold only the line's own. */
  foreign: Set<string>;
  trusted: Set<string>;
  /**
   * Variables that may hold a pattern, those that were made of each, and those that stood outside quotes, where a pattern
   * would be followed.
   */
  patterned: Set<string>;
  copies: Map<string, Set<string>>;
  followed: Set<string>;
  /** Something before this may have changed files, so that a pattern may find others than now. */
  dirty: boolean;
  /** How many patterns have been followed: each is a look at the disk. */
  patterns: number;
  /** What has been put elsewhere before this. */
  moves: Move[];
  /** Folders at a `break`, a `continue` or a `return`: where a loop or a function may end as well. */
  escapes: Folders;
  problem: string | undefined;
  effects: number;
  characters: number;
  /** Goes through a script that was found inside the line. */
  script(script: Script, spot: Spot, walk: Walk): Flow;
}

/** What is found on the way, before the first step. */
export function nothingFound() {
  return {
    parts: [],
    redirects: [],
    doubts: new Set(),
    functions: new Set(),
    texts: new Set(),
    counted: new Set(),
    assigned: new Set(),
    certain: new Set(),
    foreign: new Set(),
    trusted: new Set(),
    patterned: new Set(),
    copies: new Map(),
    followed: new Set(),
    moves: [],
    escapes: [],
  } satisfies Partial<Walk>;
}

/** A place in the line. */
export interface Spot {
  /** The text that positions in the tree mean; a plain line has none. */
  source: string | undefined;
  folders: Folders;
  input: Invocation['input'];
  /** What it is given to read, where the line says so. */
  given: Word;
  through: readonly string[];
  assigns: Invocation['assigns'];
  /** Variables of loops whose value is certain here. */
  values: ReadonlyMap<string, string>;
  depth: number;
  /** Started by another program: what the shell does itself is out of reach. */
  external: boolean;
  /** In a pipe or in the background, so that more than one may run. */
  beside: boolean;
  /** May run again after what comes later. */
  again: boolean;
  /** How often loops with certain values go through this already. */
  rounds: number;
  /** The functions whose bodies this is in. */
  inside: readonly string[];
}

export function stay({ folders }: Pick<Spot, 'folders'>): Flow {
  return { ok: folders, fail: folders };
}

export function deeper(spot: Spot, change: Partial<Spot> = {}): Spot {
  return { ...spot, depth: spot.depth + 1, ...change };
}

export function doubt(walk: Walk, why: string): void {
  if (walk.doubts.size < limits.doubts) walk.doubts.add(why);
}

export function emit(walk: Walk, invocation: Invocation, finding: Finding): void {
  walk.effects += finding.effects.length;
  doubtMoves(walk, finding.effects);
  if (walk.parts.length >= limits.parts || walk.effects > limits.effects) walk.problem ??= tooLong;
  else walk.parts.push({ invocation, finding });
  walk.dirty ||= !invocation.wrapper && !(finding.known && finding.effects.every(({ kind }) => kind === 'read'));
}

function doubtMoves(walk: Walk, effects: readonly Effect[]): void {
  const why = walk.moves.length > limits.moves ? tooLong : afterMoves(effects, walk.moves, walk.facts);
  if (why !== undefined) doubt(walk, why);
}

export function emitRedirect(walk: Walk, effect: Effect): void {
  walk.effects += 1;
  doubtMoves(walk, [effect]);
  if (walk.effects > limits.effects) walk.problem ??= tooLong;
  else walk.redirects.push(effect);
  walk.dirty ||= effect.kind !== 'read';
}

/** A danger that is not of the program but of how it is called: it belongs to the first part since `mark`. */
export function endanger(walk: Walk, mark: number, why: string, spot: Spot): void {
  const part = walk.parts[mark];
  if (part === undefined) {
    emit(walk, invocationOf(['>'], spot), { class: 'dangerous', known: true, effects: [], danger: why });
  } else {
    walk.parts[mark] = { ...part, finding: { ...part.finding, danger: part.finding.danger ?? why } };
  }
}

export function invocationOf(words: readonly Word[], spot: Spot, more: Partial<Invocation> = {}): Invocation {
  const { folders, through, assigns, input } = spot;
  return { words, plainName: true, folders, through, wrapper: false, assigns, open: false, input, ...more };
}

/** True when one of the parts since `mark` has to do with the network. */
export function usesNetwork(walk: Walk, mark: number): boolean {
  for (let at = mark; at < walk.parts.length; at++) {
    const part = walk.parts[at];
    if (part?.finding.class === 'network' || part?.finding.effects.some(({ kind }) => kind === 'net')) return true;
  }
  return false;
}
