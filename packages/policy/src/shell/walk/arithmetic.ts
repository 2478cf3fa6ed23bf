/** Arithmetic evaluates what variables hold, and what they hold may be code. */
import type { ArithmeticExpression } from 'unbash';
import { doubt, type Walk } from './state.ts';
import { isOwnName } from './variables.ts';

/** Plain numbers and the line's own counters are fine; the names go to `walk.counted`. */
export function arithmetic(expression: ArithmeticExpression | undefined, walk: Walk): void {
  const waiting: (ArithmeticExpression | undefined)[] = [expression];
  while (waiting.length > 0) {
    const next = waiting.pop();
    switch (next?.type) {
      case undefined:
        doubt(walk, 'arithmetic in it cannot be read');
        break;
      case 'ArithmeticBinary':
        if (/^([-+*/%&|^]|<<|>>)?=$/.test(next.operator)) sets(next.left, walk);
        waiting.push(next.left, next.right);
        break;
      case 'ArithmeticUnary':
        if (next.operator === '++' || next.operator === '--') sets(next.operand, walk);
        waiting.push(next.operand);
        break;
      case 'ArithmeticTernary':
        waiting.push(next.test, next.consequent, next.alternate);
        break;
      case 'ArithmeticGroup':
        waiting.push(next.expression);
        break;
      case 'ArithmeticWord':
        operand(next.value, walk);
        break;
      case 'ArithmeticCommandExpansion':
        operand('$()', walk);
        break;
    }
  }
}

function sets(target: ArithmeticExpression, walk: Walk): void {
  if (target.type === 'ArithmeticWord') walk.assigned.add(target.value.trim());
  else if (target.type === 'ArithmeticGroup') sets(target.expression, walk);
}

/** A number, or a variable of the line's own. */
export function operand(written: string, walk: Walk): void {
  const value = written.trim();
  if (/^[+-]?(\d+|0x[\da-f]+)$/i.test(value)) return;
  const name = /^\$?(\w+)$/.exec(value)?.[1] ?? /^\$\{(\w+)\}$/.exec(value)?.[1];
  if (name !== undefined && isOwnName(name)) walk.counted.add(name);
  else doubt(walk, `arithmetic in it evaluates ${name ?? 'what is known only when it runs'}`);
}
