/** Everything that holds commands: lists, pipelines, groups, conditions, loops, functions. */
import type {
  AndOr,
  Case,
  CommandNode,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  Pipeline,
  PipelineNode,
  Script,
  Select,
  Statement,
  While,
} from 'unbash';
import type { Part } from '../analysis.ts';
import type { Word } from '../invocation.ts';
import { arithmetic } from './arithmetic.ts';
import { walkCommand } from './command.ts';
import { merge } from './folders.ts';
import { visitNested } from './nested.ts';
import { redirect } from './redirects.ts';
import {
  deeper,
  doubt,
  emit,
  endanger,
  type Flow,
  invocationOf,
  limits,
  type Spot,
  stay,
  tooLong,
  usesNetwork,
  type Walk,
} from './state.ts';
import { walkTest } from './tests.ts';
import { isOwnName } from './variables.ts';
import { followInto, isForeign } from './words.ts';

export function walkScript(
  script: Script & { errors?: readonly { message: string }[] | undefined },
  spot: Spot,
  walk: Walk,
): Flow {
  const [error] = script.errors ?? [];
  if (error) walk.problem ??= error.message;
  return walkList(script.commands, script.source === undefined ? spot : { ...spot, source: script.source }, walk);
}

function walkList(statements: readonly Statement[], spot: Spot, walk: Walk): Flow {
  if (spot.depth > limits.depth) walk.problem ??= tooLong;
  let { folders } = spot;
  let flow = stay(spot);
  for (const statement of statements) {
    if (walk.problem !== undefined) return flow;
    flow = walkStatement(statement, { ...spot, folders }, walk);
    folders = merge(flow.ok, flow.fail);
  }
  return flow;
}

function body(list: CompoundList, spot: Spot, walk: Walk): Flow {
  return walkList(list.commands, deeper(spot), walk);
}

function walkStatement({ command, background }: Statement, spot: Spot, walk: Walk): Flow {
  if (!background) return walkNode(command, spot, walk);
  doubt(walk, 'it goes on in the background');
  walkNode(command, { ...spot, beside: true }, walk);
  return stay(spot);
}

function walkNode(node: PipelineNode | AndOr, spot: Spot, walk: Walk): Flow {
  switch (node.type) {
    case 'AndOr':
      return andOr(node, spot, walk);
    case 'Pipeline':
      return pipeline(node, spot, walk);
    case 'Command':
      return walkCommand(node, spot, walk);
    case 'Redirected':
      return redirected(node, spot, walk);
    case 'Function':
      return defined(node, spot, walk);
    case 'Coproc':
      doubt(walk, 'it goes on in the background');
      if (node.body.type === 'CompoundList') body(node.body, { ...spot, beside: true }, walk);
      else walkNode(node.body, deeper(spot, { beside: true }), walk);
      return stay(spot);
    case 'Subshell':
      body(node.body, spot, walk);
      return stay(spot);
    case 'BraceGroup':
      return body(node.body, spot, walk);
    case 'If':
      return condition(node, spot, walk);
    case 'For':
    case 'Select':
      return forEach(node, spot, walk);
    case 'While':
      return repeat(node, spot, walk);
    case 'ArithmeticFor':
      for (const one of [node.initialize, node.test, node.update]) if (one) counted(one, spot, walk);
      return open(spot, walk, (within) => body(node.body, within, walk));
    case 'Case':
      return choice(node, spot, walk);
    case 'TestCommand':
      walkTest(node, spot, walk);
      return stay(spot);
    case 'ArithmeticCommand':
      emit(walk, invocationOf(['(('], spot), { class: 'read-only', known: true, effects: [] });
      if (node.expression) counted(node.expression, spot, walk);
      else doubt(walk, 'arithmetic in it cannot be read');
      return stay(spot);
  }
}

function counted(
  expression: Parameters<typeof visitNested>[0] & Parameters<typeof arithmetic>[0],
  spot: Spot,
  walk: Walk,
): void {
  visitNested(expression, spot, walk);
  arithmetic(expression, walk);
}

function andOr({ commands, operators }: AndOr, spot: Spot, walk: Walk): Flow {
  let flow: Flow | undefined;
  for (const [index, command] of commands.entries()) {
    if (walk.problem !== undefined) break;
    if (flow === undefined) {
      flow = walkNode(command, spot, walk);
      continue;
    }
    const before: Flow = flow;
    const isAnd = operators[index - 1] === '&&';
    const after = walkNode(command, { ...spot, folders: isAnd ? before.ok : before.fail }, walk);
    flow = isAnd
      ? { ok: after.ok, fail: merge(before.fail, after.fail) }
      : { ok: merge(before.ok, after.ok), fail: after.fail };
  }
  return flow ?? stay(spot);
}

function pipeline({ commands, prefixes }: Pipeline, spot: Spot, walk: Walk): Flow {
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) {
    const flow = walkNode(only, spot, walk);
    const isTurned = prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1;
    return isTurned ? { ok: flow.fail, fail: flow.ok } : flow;
  }
  let { input } = spot;
  let given: Word;
  for (const command of commands) {
    if (walk.problem !== undefined) break;
    const mark = walk.parts.length;
    // Only a simple command reads all of it.
    const heard = command.type === 'Command' ? given : undefined;
    walkNode(command, deeper(spot, { input, given: heard, beside: true }), walk);
    given = echoed(command, walk.parts.slice(mark));
    input = input === 'network' || usesNetwork(walk, mark) ? 'network' : 'command';
  }
  return stay(spot);
}

/** What `echo` writes into a pipe, when it is certain. */
function echoed(command: CommandNode, [part, more]: readonly Part[]): Word {
  if (command.type !== 'Command' || command.redirects.length > 0 || part === undefined || more) return undefined;
  const [name, ...words] = part.invocation.words;
  const certain = words.every((word) => word !== undefined && !word.includes('\\'));
  return name === 'echo' && certain && !part.invocation.open && !words[0]?.startsWith('-')
    ? `${words.join(' ')}\n`
    : undefined;
}

function redirected(
  { command, redirects }: Extract<CommandNode, { type: 'Redirected' }>,
  spot: Spot,
  walk: Walk,
): Flow {
  const mark = walk.parts.length;
  const { input, danger } = redirect(redirects, spot, walk);
  const nested = walk.parts.splice(mark);
  const flow = walkNode(command, { ...spot, input }, walk);
  if (danger !== undefined) endanger(walk, mark, danger, spot);
  for (const part of nested) walk.parts.push(part);
  return flow;
}

/** A function is looked through where it is made: whoever calls it does no more than that. */
function defined({ name, body: block }: FunctionNode, spot: Spot, walk: Walk): Flow {
  walk.functions.add(name.text);
  const folders = movesAbout(walk) ? undefined : spot.folders;
  const within = deeper(spot, { folders, again: true, inside: [...spot.inside, name.text], values: new Map() });
  if (block.type === 'CompoundList') body(block, within, walk);
  else walkNode(block, within, walk);
  return stay(spot);
}

/** Something in the line may change the folder. */
function movesAbout({ mentions }: Walk): boolean {
  return mentions('cd') + mentions('pushd') + mentions('popd') > 0;
}

function condition(node: If, spot: Spot, walk: Walk): Flow {
  const ends: Flow[] = [];
  let clause = body(node.clause, spot, walk);
  ends.push(body(node.then, { ...spot, folders: clause.ok }, walk));
  for (const one of node.elif) {
    clause = body(one.clause, { ...spot, folders: clause.fail }, walk);
    ends.push(body(one.then, { ...spot, folders: clause.ok }, walk));
  }
  if (node.else) ends.push(body(node.else, { ...spot, folders: clause.fail }, walk));
  const passed = node.else ? [] : [clause.fail];
  return { ok: merge(...ends.map(({ ok }) => ok), ...passed), fail: merge(...ends.map(({ fail }) => fail)) };
}

function choice({ word, items }: Case, spot: Spot, walk: Walk): Flow {
  visitNested(word, spot, walk);
  let { folders } = spot;
  for (const item of items) {
    for (const pattern of item.pattern) visitNested(pattern, spot, walk);
    // After `;&` the next one goes on where this one ended.
    const flow = body(item.body, { ...spot, folders }, walk);
    folders = merge(folders, flow.ok, flow.fail);
  }
  return stay({ folders });
}

function forEach(node: For | Select, spot: Spot, walk: Walk): Flow {
  const name = node.name.text;
  if (!isOwnName(name)) doubt(walk, `it sets the variable ${name}`);
  for (const word of node.wordlist ?? []) visitNested(word, spot, walk);
  const lists = node.wordlist && followInto(name, node.wordlist, spot, walk);
  // Without a list it goes through the words that the line or a function was given.
  if (lists === undefined) walk.patterned.add(name);
  if (node.type === 'Select' && node.wordlist?.some((word) => isForeign(word, spot, walk)) !== false) {
    doubt(walk, 'it prints what the environment holds');
  }
  const values = node.type === 'For' && isOwnName(name) && lists ? valuesOf(lists) : undefined;
  if (spot.values.has(name)) walk.assigned.add(name);
  const isNumber = values?.every((value) => /^\d+$/.test(value));
  if (!isNumber) walk.texts.add(name);
  const rounds = spot.rounds * (values?.length ?? 0);
  if (values === undefined || rounds === 0 || rounds > limits.rounds) {
    walk.assigned.add(name);
    if (node.wordlist === undefined || node.wordlist.some((word) => isForeign(word, spot, walk))) {
      walk.foreign.add(name);
    }
    return open(spot, walk, (within) => body(node.body, { ...within, values: without(spot.values, name) }, walk));
  }
  walk.certain.add(name);
  let { folders } = spot;
  for (const value of values) {
    if (walk.problem !== undefined) break;
    const known = new Map(spot.values).set(name, value);
    const flow = body(node.body, { ...spot, folders, values: known, rounds }, walk);
    folders = merge(folders, flow.ok, flow.fail, walk.escapes);
  }
  return stay({ folders });
}

function valuesOf(lists: ReturnType<typeof followInto>): string[] | undefined {
  const values: string[] = [];
  for (const { args, open: isOpen } of lists) {
    if (isOpen) return undefined;
    for (const { value } of args) {
      if (value === undefined) return undefined;
      values.push(value);
    }
  }
  return values;
}

function without(values: Spot['values'], name: string): Spot['values'] {
  const rest = new Map(values);
  rest.delete(name);
  return rest;
}

function repeat({ kind, clause, body: block }: While, spot: Spot, walk: Walk): Flow {
  return open(spot, walk, (within) => {
    const first = body(clause, within, walk);
    const next = body(block, { ...within, folders: kind === 'while' ? first.ok : first.fail }, walk);
    return { ok: merge(first.ok, next.ok), fail: merge(first.fail, next.fail) };
  });
}

/** A loop of which nobody knows how often it runs. */
function open(spot: Spot, walk: Walk, round: (within: Spot) => Flow): Flow {
  const folders = movesAbout(walk) ? undefined : spot.folders;
  const flow = round(deeper(spot, { folders, again: true }));
  return stay({ folders: merge(spot.folders, flow.ok, flow.fail, walk.escapes) });
}
