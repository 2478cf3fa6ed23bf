/** What can be gone back to, as a list: what the user said, the newest first, then the branches that were left. */
import type { Branch, Said } from '@tau/agent';
import type { SelectItem } from '@tau/tui';
import { firstLine } from '../../commands/tree.ts';
import { ago } from './sessions.ts';

export function saidItems(said: readonly Said[], left: readonly Branch[], now: number): SelectItem<string>[] {
  const item = ({ entryId, text, at }: Said) => ({
    ...{ value: entryId, label: firstLine(text) || '(without words)' },
    description: `${timeOf(at)}, ${ago(now - at)}`,
  });
  const here = said.map(item);
  if (left.length === 0) return here;
  return [
    ...here.map((one) => ({ ...one, group: 'To before' })),
    ...left.map((one) => ({ ...item(one), group: 'To where a branch was left, after' })),
  ];
}

function timeOf(at: number): string {
  const time = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}
