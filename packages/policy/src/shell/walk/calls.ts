/** One command, ready to be started, and how it becomes a part. */
import type { Effect } from '@tau/core';
import type { Finding, Invocation, Word } from '../invocation.ts';
import { judgeProgram } from '../programs/table.ts';
import { placed } from './folders.ts';
import { moveOf } from './moves.ts';
import { doubt, emit, invocationOf, type Spot, type Walk } from './state.ts';
import { isHarmlessAssignment } from './variables.ts';
import { type Arg, isHidden } from './words.ts';

export interface Call {
  /** The program, then what it is given. Never empty. */
  args: readonly Arg[];
  open: boolean;
  /** What it is given to read, where the line says it. */
  stdin: Word;
}

type Words = Pick<Call, 'args' | 'open'>;

export function wordsOf(args: readonly Arg[]): Word[] {
  return args.map(({ value }) => value);
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** A program that the table may know. `judged`: what it is judged by, when that is not what it gets. */
export function program(call: Call, spot: Spot, walk: Walk, judged: Words = printed(call)): Finding {
  const { args, open } = call;
  const invocation = invocationOf(wordsOf(args), spot, { plainName: args[0]?.plain ?? false, open });
  const finding = findingOf({ ...invocation, open: judged.open }, judged.args, spot, walk);
  emit(walk, invocation, finding);
  const move = moveOf(invocation, finding, walk.facts);
  if (move) walk.moves.push(move);
  if (move && (spot.again || spot.beside)) doubt(walk, 'it moves files while other commands run');
  return finding;
}

/** What the line itself has made may be printed: where it comes from is judged there. */
function printed(call: Call): Words {
  const [name, ...rest] = call.args;
  const isPrinter = name?.value === 'echo' || (name?.value === 'printf' && rest[0]?.value !== undefined);
  if (!isPrinter || !rest.every(({ value, derived }) => value !== undefined || derived)) return call;
  if (rest.length === 0 || rest.every(({ value }) => value !== undefined)) return call;
  return { args: call.args.map((arg) => (arg.value === undefined ? { ...arg, value: 'x' } : arg)), open: false };
}

function findingOf(invocation: Invocation, args: readonly Arg[], spot: Spot, walk: Walk): Finding {
  const judge = (words: readonly Word[]) => judgeProgram({ ...invocation, words }, walk.facts);
  const found = judge(wordsOf(args));
  const finding = placed(found, spot.folders, walk.facts.cwd);
  const why =
    doubtOf(spot, walk) ??
    complaint(args) ??
    (dependsOnOrder(args, found, judge) ? 'its files have no certain order' : undefined);
  return why === undefined ? finding : { ...finding, known: false, why };
}

/** Why even a known program is not known where it stands. */
function doubtOf({ assigns, external }: Spot, { facts }: Walk): string | undefined {
  const set = assigns.find((assign) => !isHarmlessAssignment(assign));
  if (set) return `it sets the variable ${set.name}`;
  return external && !facts.trustedPath ? 'PATH may lead to a program that somebody else put there' : undefined;
}

/** `[ "$x" -eq 1 ]` prints what is no number. */
function complaint(args: readonly Arg[]): string | undefined {
  const [name] = args;
  if (name?.value !== '[' && name?.value !== 'test') return undefined;
  const counts = args.some(({ value }) => value !== undefined && /^-(eq|ne|lt|le|gt|ge)$/.test(value));
  return counts && args.some(isHidden) ? 'it prints a word that is no number, and that may be a secret' : undefined;
}

/** The files of a pattern come in an order of the machine's, so all of them must mean the same to the program. */
function dependsOnOrder(args: readonly Arg[], found: Finding, judge: (words: readonly Word[]) => Finding): boolean {
  if (args.filter(({ globbed }) => globbed).length < 2) return false;
  const names = wordsOf(args.filter(({ globbed }) => globbed));
  const turned = judge(args.map(({ value, globbed }) => (globbed ? names.pop() : value)));
  return turned.known !== found.known || keyOf(turned.effects) !== keyOf(found.effects);
}

function keyOf(effects: readonly Effect[]): string {
  return effects
    .map((effect) => JSON.stringify(effect))
    .sort()
    .join('\n');
}

/** A part that starts others and does nothing else, when it is understood. */
export function wrapperPart(
  { args, open }: Call,
  spot: Spot,
  walk: Walk,
  finding: {
    why?: string | undefined;
    danger?: string | undefined;
    effects?: readonly Effect[];
    /** The shell does it itself. */
    builtin?: boolean;
    /** What it has a shell read is not known. */
    hidden?: boolean | undefined;
    /** False when it starts nothing. */
    starts?: boolean;
  },
): void {
  const [name] = args;
  const { danger, effects = [], builtin = false, starts = true, hidden = false } = finding;
  const why =
    finding.why ??
    (hidden ? 'what it runs is known only when it runs' : undefined) ??
    doubtOf(spot, walk) ??
    (name?.plain ? undefined : `the name ${name?.value ?? 'of a program'} is written in a strange way`) ??
    (name?.value?.includes('/') ? `${name.value} may be any program` : undefined) ??
    (builtin || walk.facts.trustedPath ? undefined : 'PATH may lead to a program that somebody else put there');
  const known = why === undefined;
  const invocation = invocationOf(wordsOf(args), spot, {
    plainName: name?.plain ?? false,
    open,
    wrapper: starts && known && effects.length === 0,
  });
  const found: Finding = {
    class: danger !== undefined ? 'dangerous' : known ? (effects.length > 0 ? 'write' : 'read-only') : 'unknown',
    known,
    effects,
    ...(danger !== undefined && { danger }),
    ...(why !== undefined && { why }),
    ...(hidden && { hidden }),
  };
  emit(walk, invocation, placed(found, spot.folders, walk.facts.cwd));
}
