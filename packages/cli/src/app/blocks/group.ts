/** Reads and searches that follow one another, as one block: what was looked at, a line each. */
import { cut } from '@tau/tui';
import type { Block } from '../transcript.ts';
import type { CallBlock } from './call.ts';
import type { CardWorld } from './card.ts';

export interface GroupBlock extends Block {
  add(call: CallBlock): void;
  /** Something else follows. */
  close(): void;
}

const grouped: Readonly<Partial<Record<string, { one: string; many: string }>>> = {
  read: { one: 'read 1 file', many: 'read # files' },
  grep: { one: '1 search', many: '# searches' },
  glob: { one: '1 search', many: '# searches' },
  ls: { one: 'listed 1 folder', many: 'listed # folders' },
};

export function isGrouped(tool: string): boolean {
  return Object.hasOwn(grouped, tool);
}

const maxLines = 6;
const maxErrorLines = 3;

export function groupBlock({ theme }: CardWorld): GroupBlock {
  const calls: CallBlock[] = [];
  let closed = false;
  let given = false;
  const isOver = () => closed && calls.every(({ done }) => done);

  function title(width: number): string {
    const failed = calls.filter(({ state }) => state === 'failed' || state === 'denied').length;
    const running = calls.some(({ done }) => !done);
    const mark = running
      ? theme.paint('toolPending', '●')
      : failed === calls.length
        ? theme.paint('toolError', '✗')
        : theme.paint('toolSuccess', '✓');
    const bad = failed > 0 ? theme.paint('toolError', ` · ${failed} failed`) : '';
    return cut(`${mark} ${theme.paint('toolTitle', countsOf(calls))}${bad}`, width);
  }

  /** The last ones while it goes on; afterwards the first, and whatever went wrong. */
  function lines(width: number, rows: number): string[] {
    const [only] = calls;
    if (calls.length === 1 && only) return [...only.live(width, rows)];
    const room = Math.max(0, rows - 1);
    if (!isOver()) return [title(width), ...members(calls, width, Math.min(room, maxLines), true)].slice(0, rows);
    return [title(width), ...members(calls, width, maxLines, false)].slice(0, rows);
  }

  function members(all: readonly CallBlock[], width: number, most: number, isLive: boolean): string[] {
    if (most <= 0) return [];
    const isTooMany = all.length > most;
    const matters = (call: CallBlock) => call.state !== 'done';
    // What goes wrong or is still at work is seen before what went well.
    const chosen = isTooMany
      ? new Set([...all.filter(matters), ...all.filter((call) => !matters(call))].slice(0, most - 1))
      : new Set(all);
    const shown = all.filter((call) => chosen.has(call));
    const more = all.length - shown.length;
    return [
      ...shown.flatMap((call) =>
        call.live(Math.max(1, width - 2), isLive || call.state === 'done' ? 1 : 1 + maxErrorLines),
      ),
      ...(more > 0 ? [theme.paint('muted', `… and ${more} more`)] : []),
    ].map((line) => cut(`  ${line}`, width));
  }

  return {
    get done() {
      return isOver();
    },
    add: (call) => void calls.push(call),
    close() {
      closed = true;
    },
    take(width) {
      if (given || !isOver()) return [];
      given = true;
      const [only] = calls;
      return calls.length === 1 && only ? only.take(width) : lines(width, Number.POSITIVE_INFINITY);
    },
    live: (width, rows) => (given ? [] : lines(width, rows)),
  };
}

function countsOf(calls: readonly CallBlock[]): string {
  const counts = new Map<string, number>();
  const forms = new Map<string, { one: string; many: string }>();
  for (const { tool } of calls) {
    const form = grouped[tool];
    if (!form) continue;
    counts.set(form.many, (counts.get(form.many) ?? 0) + 1);
    forms.set(form.many, form);
  }
  return [...forms]
    .map(([key, { one, many }]) => (counts.get(key) === 1 ? one : many.replace('#', String(counts.get(key)))))
    .join(', ');
}
