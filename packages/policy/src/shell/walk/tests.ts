/** `[[ … ]]`: it looks, and with the comparisons of numbers it evaluates. */
import type { Word as Node, TestCommand, TestExpression } from 'unbash';
import { does, readsFiles } from '../programs/findings.ts';
import { pathComparisons, pathTests } from '../programs/talk.ts';
import { operand } from './arithmetic.ts';
import { placed } from './folders.ts';
import { visitNested } from './nested.ts';
import { doubt, emit, invocationOf, type Spot, type Walk } from './state.ts';
import { single } from './words.ts';

const comparesNumbers = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

export function walkTest(node: TestCommand, spot: Spot, walk: Walk): void {
  const mark = walk.parts.length;
  const operands: Node[] = [];
  const files: Node[] = [];
  const waiting: TestExpression[] = [node.expression];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    switch (next.type) {
      case 'TestUnary':
        operands.push(next.operand);
        if (pathTests.has(next.operator)) files.push(next.operand);
        if (next.operator === '-v' || next.operator === '-R') evaluates(next.operand, walk);
        break;
      case 'TestBinary':
        operands.push(next.left, next.right);
        if (pathComparisons.has(next.operator)) files.push(next.left, next.right);
        if (comparesNumbers.has(next.operator)) for (const side of [next.left, next.right]) counts(side, walk);
        break;
      case 'TestLogical':
        for (const one of [...next.operands].reverse()) waiting.push(one);
        break;
      case 'TestNot':
        waiting.push(next.operand);
        break;
      case 'TestGroup':
        waiting.push(next.expression);
        break;
    }
  }
  for (const word of operands) visitNested(word, spot, walk);
  const words = operands.map((word) => single(word, spot, walk));
  const looked = does('read-only', readsFiles(files.map((word) => single(word, spot, walk))));
  const nested = walk.parts.splice(mark);
  emit(walk, invocationOf(['[[', ...words, ']]'], spot), placed(looked, spot.folders, walk.facts.cwd));
  for (const part of nested) walk.parts.push(part);
}

/** `-v a[$(x)]` runs x. */
function evaluates(word: Node, walk: Walk): void {
  if (!/^\w+$/.test(word.text)) doubt(walk, 'a test in it evaluates what it is given');
}

function counts(word: Node, walk: Walk): void {
  operand(word.text.replace(/^"(.*)"$/s, '$1'), walk);
}
