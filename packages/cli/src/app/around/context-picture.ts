/** `/context` at the screen: one bar for the whole window, a colour for each kind, and what each of them takes. */
import type { Agent } from '@tau/agent';
import { cut, type Role, type Theme } from '@tau/tui';
import { sharesOf } from '../../commands/context.ts';
import { thousands } from './meter.ts';

/** One for each kind, in the order of a request. */
const colours: readonly Role[] = [
  'info',
  'path',
  'syntaxType',
  'accent',
  'success',
  'warning',
  'toolInput',
  'syntaxNumber',
];
const maxBar = 80;

export function contextPicture(agent: Agent, theme: Theme, width: number): string[] {
  const shares = sharesOf(agent);
  const total = shares.reduce((sum, { tokens }) => sum + tokens, 0);
  const window = agent.model.contextWindow ?? total;
  const cells = Math.max(10, Math.min(maxBar, width - 2));
  const colour = (at: number) => colours[at % colours.length] ?? 'accent';
  const counts = cellsOf(
    shares.map(({ tokens }) => tokens),
    Math.max(window, total),
    cells,
  );
  const used = counts.reduce((sum, count) => sum + count, 0);
  const bar = counts.map((count, at) => theme.paint(colour(at), '█'.repeat(count))).join('');
  const muted = (text: string) => theme.paint('muted', text);
  const of = agent.model.contextWindow === undefined ? '' : ` of ${thousands(window)}`;
  const widest = Math.max(...shares.map(({ what }) => what.length));
  return [
    `${theme.paint('title', `About ${thousands(total)} tokens${of}`)} ${muted('estimated by kind')}`,
    bar + theme.paint('progressRest', '░'.repeat(Math.max(0, cells - used))),
    ...shares.map(({ what, tokens }, at) => {
      const part = `${((100 * tokens) / Math.max(1, window)).toFixed(1)} %`;
      return `${theme.paint(colour(at), '■')} ${what.padEnd(widest)} ${thousands(tokens).padStart(6)} ${muted(part)}`;
    }),
    ...(total < window ? [muted(`░ ${'free'.padEnd(widest)} ${thousands(window - total).padStart(6)}`)] : []),
  ].map((line) => cut(line, width));
}

/** Every kind that is there is seen, if only in one cell; together they are never wider than the bar. */
export function cellsOf(amounts: readonly number[], whole: number, cells: number): number[] {
  let left = cells;
  return amounts.map((amount, at) => {
    const others = amounts.length - at - 1;
    const wanted = amount === 0 ? 0 : Math.max(1, Math.round((amount / Math.max(1, whole)) * cells));
    const count = Math.max(0, Math.min(wanted, left - others));
    left -= count;
    return count;
  });
}
