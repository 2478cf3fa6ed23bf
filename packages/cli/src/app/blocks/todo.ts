/** The card of a todo list: its tasks with their states, from the first one that arrives. */
import { isRecord, type ToolInput, type ToolResult } from '@tau/agent';
import { cut, printableLine, type Role } from '@tau/tui';
import { type CallBody, type CardWorld, errorLines, innerWidth, inset, textOfResult } from './card.ts';

const maxTasks = 15;

const looks: Readonly<Partial<Record<string, { mark: string; role: Role }>>> = {
  pending: { mark: '☐', role: 'text' },
  in_progress: { mark: '▸', role: 'accent' },
  completed: { mark: '☒', role: 'muted' },
  cancelled: { mark: '-', role: 'markdownStrike' },
};

export function todoBody(world: CardWorld): CallBody {
  let input: ToolInput = {};
  let result: ToolResult | undefined;
  const lines = (width: number, most: number) => inset(todoLines(input.todos, world, innerWidth(width), most));
  return {
    input(next) {
      input = next;
    },
    write() {},
    end(ended) {
      result = ended;
    },
    live: (width, rows) => lines(width, rows),
    final: (width) =>
      result?.isError ? inset(errorLines(textOfResult(result), world, innerWidth(width))) : lines(width, maxTasks),
  };
}

/** Where there are too many, those that are done go first: what is left to do matters. */
export function todoLines(todos: unknown, { theme }: CardWorld, width: number, most: number): string[] {
  const all = Array.isArray(todos) ? todos.filter(isRecord) : [];
  if (all.length <= most) return all.map((one) => line(one));
  const open = all.findIndex(({ status }) => status !== 'completed' && status !== 'cancelled');
  const first = Math.max(0, Math.min(open === -1 ? all.length : open, all.length - most + 1));
  const shown = all.slice(first, first + most - (first > 0 ? 1 : 0));
  const rest = all.length - first - shown.length;
  const kept = rest > 0 ? shown.slice(0, -1) : shown;
  const note = (count: number, what: string) => cut(theme.paint('muted', `… ${count} ${what}`), width);
  return [
    ...(first > 0 ? [note(first, 'before')] : []),
    ...kept.map((one) => line(one)),
    ...(rest > 0 ? [note(rest + 1, 'more')] : []),
  ];

  function line({ task, status }: Record<string, unknown>): string {
    const { mark, role } = (typeof status === 'string' ? looks[status] : undefined) ?? { mark: '☐', role: 'text' };
    return cut(theme.paint(role, `${mark} ${printableLine(typeof task === 'string' ? task : '')}`), width);
  }
}
