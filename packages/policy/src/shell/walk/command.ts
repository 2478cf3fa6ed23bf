/** A simple command: its words, its assignments, its redirections. */
import type { Assignment, Command } from 'unbash';
import type { Word } from '../invocation.ts';
import type { Call } from './calls.ts';
import { hold } from './holding.ts';
import { visitNested } from './nested.ts';
import { redirect } from './redirects.ts';
import { start } from './start.ts';
import { doubt, endanger, type Flow, type Spot, stay, type Walk } from './state.ts';
import { isOwnName } from './variables.ts';
import { type Arg, follow, followInto, isForeign, single } from './words.ts';

export function walkCommand(node: Command, reached: Spot, walk: Walk): Flow {
  // What nobody gets to is still told of, and nothing is taken for certain there.
  const spot = reached.folders?.length === 0 ? { ...reached, folders: undefined } : reached;
  if (spot.source !== undefined && !isWhole(node, spot.source)) walk.problem ??= 'some of it cannot be read';
  const mark = walk.parts.length;
  const words = node.name === undefined ? [] : [node.name, ...node.args];
  const assigned = node.prefix.filter((one): one is Assignment => one.type === 'Assignment');
  for (const one of assigned) visitNested(one, spot, walk);
  const networks = words.map((word) => visitNested(word, spot, walk));
  const { input, stdin, danger } = redirect(node.redirects, spot, walk);
  const args: Arg[] = [];
  let open = false;
  for (const [index, word] of words.entries()) {
    const network = networks[index] ?? false;
    if (word.type === 'Assignment') {
      args.push({ value: assignmentText(word, spot, walk), plain: false, network, globbed: false, derived: false });
      continue;
    }
    const expanded = follow(word, spot, walk, network);
    for (const arg of expanded.args) args.push(arg);
    open ||= expanded.open;
  }
  // What is nested runs first, but is told of after what holds it.
  const nested = walk.parts.splice(mark);
  const flow = run({ args, open, stdin }, assigned, { ...spot, input, given: undefined }, walk);
  if (danger !== undefined) endanger(walk, mark, danger, spot);
  for (const part of nested) walk.parts.push(part);
  return flow;
}

/** The parser leaves nothing out: between the words there are only blanks, and no parenthesis follows the name. */
function isWhole(node: Command, source: string): boolean {
  let at = node.pos;
  for (const child of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]) {
    if (child.pos > at && !/^(\s|\\\n)*$/.test(source.slice(at, child.pos))) return false;
    // A word that begins where another thing ends is a part of it, whatever the parser says.
    if (child.pos === at && at > node.pos && (child.type === 'Word' || child.type === 'Assignment')) return false;
    at = Math.max(at, child.end);
  }
  const parenthesis = /(?:[ \t]|\\\n)*\(/y;
  parenthesis.lastIndex = node.name?.end ?? source.length;
  return !parenthesis.test(source);
}

function run(call: Call, assigned: readonly Assignment[], spot: Spot, walk: Walk): Flow {
  if (call.args.length === 0) {
    for (const one of assigned) setVariable(one, spot, walk);
    return stay(spot);
  }
  if (assigned.length === 0) return start(call, spot, walk);
  const assigns = assigned.map((one) => ({ name: one.name, value: assignedValue(one, spot, walk) }));
  return start(call, { ...spot, assigns: [...spot.assigns, ...assigns] }, walk);
}

function assignedValue({ value, index, append }: Assignment, spot: Spot, walk: Walk): Word {
  return value.type === 'ArrayValue' || index || append ? undefined : single(value, spot, walk);
}

function assignmentText(assignment: Assignment, spot: Spot, walk: Walk): Word {
  const value = assignedValue(assignment, spot, walk);
  return value === undefined ? undefined : `${assignment.name}=${value}`;
}

function holdsForeign({ value }: Assignment, spot: Spot, walk: Walk): boolean {
  const words = value.type === 'ArrayValue' ? value.elements : [value];
  return words.some((word) => isForeign(word, spot, walk));
}

/** Variables of the line's own are nobody else's business, as long as arithmetic does not run what is in them. */
function setVariable(assignment: Assignment, spot: Spot, walk: Walk): void {
  const { name, index, value } = assignment;
  walk.assigned.add(name);
  holdAll(assignment, spot, walk);
  if (holdsForeign(assignment, spot, walk)) walk.foreign.add(name);
  // What stands in `[ ]` is evaluated, before a value and before one in a list.
  const places = value.type === 'ArrayValue' && value.elements.some(({ text }) => /^\[(?!\d+\]\+?=)/.test(text));
  const clear = !places && (index === undefined || /^\d+$/.test(index.text));
  if (!clear || !isOwnName(name)) doubt(walk, `it sets the variable ${name}`);
  else if (!isCount(value) && !/^\d+$/.test(assignedValue(assignment, spot, walk) ?? '')) walk.texts.add(name);
}

/** The elements of a list are followed like the words of a command. */
function holdAll({ name, value }: Assignment, spot: Spot, walk: Walk): void {
  if (value.type === 'Word') hold(name, value, spot, walk);
  else followInto(name, value.elements, spot, walk);
}

/** What arithmetic makes is a number. */
function isCount(value: Assignment['value']): boolean {
  return value.type === 'Word' && value.parts?.length === 1 && value.parts[0]?.type === 'ArithmeticExpansion';
}
