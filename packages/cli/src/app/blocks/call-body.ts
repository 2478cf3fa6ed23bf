/** Which kind of card a tool has. */
import type { CallBody, CardWorld } from './card.ts';
import { changeBody } from './change.ts';
import { outputBody } from './output.ts';
import { quietBody } from './quiet.ts';
import { todoBody } from './todo.ts';

const quiet = ['read', 'grep', 'glob', 'ls', 'web_fetch', 'tool_search', 'send_file'];

export const changing = ['edit', 'write', 'apply_patch'];

export function bodyOf(tool: string, world: CardWorld): CallBody {
  if (changing.includes(tool)) return changeBody(tool, world);
  if (quiet.includes(tool)) return quietBody(world);
  return tool === 'todo' ? todoBody(world) : outputBody(world);
}
