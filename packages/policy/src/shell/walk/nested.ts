/** What is hidden in a word: scripts that run while it is expanded, and expansions that do more than expand. */
import type { ParameterExpansionPart, ParsedScript, SyntaxNode } from 'unbash';
import { arithmetic } from './arithmetic.ts';
import { deeper, doubt, type Spot, usesNetwork, type Walk } from './state.ts';

/** Goes through every script in a node. True when one of them uses the network. */
export function visitNested(node: SyntaxNode, spot: Spot, walk: Walk): boolean {
  if (walk.syntax === undefined || (node.type === 'Word' && node.parts === undefined)) return false;
  const mark = walk.parts.length;
  // Not recursive: expansions nest deeper than a stack should.
  const waiting: SyntaxNode[] = [node];
  for (let next = waiting.pop(); next !== undefined && walk.problem === undefined; next = waiting.pop()) {
    if (isScript(next)) {
      walk.script(next, deeper(spot, { values: spot.values }), walk);
      continue;
    }
    if (next.type === 'ParameterExpansion') expansion(next, walk);
    const found: SyntaxNode[] = [];
    walk.syntax.forEachChild(next, (child) => found.push(child));
    if (lacksScript(next, found) || lacksEnd(next) || isBrokenList(next))
      walk.problem ??= 'a substitution in it cannot be read';
    if (next.type === 'ArithmeticExpansion') arithmetic(next.expression, walk);
    for (const child of found.reverse()) waiting.push(child);
  }
  return usesNetwork(walk, mark);
}

function isScript(node: SyntaxNode): node is ParsedScript {
  return node.type === 'Script';
}

function lacksScript(node: SyntaxNode, children: readonly SyntaxNode[]): boolean {
  const substitutes =
    node.type === 'CommandExpansion' ||
    node.type === 'ProcessSubstitution' ||
    node.type === 'ArithmeticCommandExpansion';
  return substitutes && !children.some(isScript);
}

/** `a=($(x))y`: the shell runs what is in the list, and the parser takes all of it for a text. */
function isBrokenList(node: SyntaxNode): boolean {
  return node.type === 'Assignment' && node.value.type === 'Word' && node.value.text.startsWith('(');
}

/** In a here-document the parser lets it end with the text. */
function lacksEnd(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return !/^(`.*`|\$\{.*\}|[$<>]\(.*\))$/s.test(node.text) || node.text === '`';
    case 'ParameterExpansion':
      return !node.text.endsWith('}');
    case 'ArithmeticExpansion':
      return !/^(\$\(\(.*\)\)|\$\[.*\])$/s.test(node.text);
    default:
      return false;
  }
}

function expansion({ prefix, operation, index, text }: ParameterExpansionPart, walk: Walk): void {
  const more = 'an expansion in it can do more than expand';
  if (prefix === '!') doubt(walk, more);
  if (/['"]/.test(text)) doubt(walk, 'shells differ in how they read an expansion in it');
  if (index !== undefined && !/^([@*]|\d+)$/.test(index.text)) doubt(walk, more);
  switch (operation?.type) {
    case undefined:
      // An operation that the parser does not know leaves nothing but a name that is none.
      if (!/^\$\{[#!]?(\w+|[@*#?$!-])(\[.*\])?\}$/s.test(text)) doubt(walk, more);
      return;
    case 'Default':
      if (operation.operator === '=' || operation.operator === ':=') doubt(walk, more);
      // What follows `?` is printed.
      if (operation.operator.endsWith('?') && /[$`]/.test(operation.operand?.text ?? '')) doubt(walk, more);
      return;
    case 'Slice':
      for (const word of [operation.offset, operation.length]) {
        if (word !== undefined && !/^\s*-?\d*$/.test(word.text)) doubt(walk, more);
      }
      return;
    case 'Remove':
    case 'Replace':
    case 'CaseModification':
      return;
    case 'Transform':
    case 'Names':
    case 'Unknown':
      doubt(walk, more);
  }
}
