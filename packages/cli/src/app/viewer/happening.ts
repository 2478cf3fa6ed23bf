/** What a run is at this moment, before it is a message on record: half an answer, calls at work and what they print. */
import { isOwnCommand, type StampedEvent, type ToolInput, type ToolResult } from '@tau/agent';
import { type Arriving, createArriving } from '../blocks/arriving.ts';

type Part = { kind: 'text' | 'thinking'; text: string } | { kind: 'call'; id: string; tool: string; input: ToolInput };

export interface OwnCommand {
  id: string;
  command: string;
  /** When it began, in Unix milliseconds. */
  at: number;
  result: ToolResult | undefined;
}

export interface Happening {
  event(event: StampedEvent): void;
  /** Of the message that is being said. */
  parts(): readonly Part[];
  /** Whether the call has no result yet. */
  isOpen(callId: string): boolean;
  /** What an open call has printed. */
  printed(callId: string): string;
  /** The user's, of this sitting; the model may not know of them. */
  commands(): readonly OwnCommand[];
}

const maxPrinted = 200_000;
const maxCommands = 200;

type Growing = { kind: 'text' | 'thinking'; text: string } | { kind: 'call'; id: string; tool: string; json: Arriving };

export function createHappening(): Happening {
  const parts = new Map<number, Growing>();
  const open = new Map<string, string>();
  const commands = new Map<string, OwnCommand>();

  function grow(index: number, kind: 'text' | 'thinking', text: string): void {
    const known = parts.get(index);
    if (known && known.kind === kind) known.text += text;
    else parts.set(index, { kind, text });
  }

  return {
    event(event) {
      switch (event.type) {
        case 'message_update': {
          const { delta } = event;
          if (delta.kind === 'text' || delta.kind === 'thinking') grow(delta.index, delta.kind, delta.text);
          else if (delta.kind === 'toolCallStart') {
            parts.set(delta.index, { kind: 'call', id: delta.id, tool: delta.name, json: createArriving() });
            open.set(delta.id, '');
          } else if (delta.kind === 'toolCallArguments') {
            const part = parts.get(delta.index);
            if (part?.kind === 'call') part.json.push(delta.text);
          }
          break;
        }
        case 'message_end':
          if (event.message.role === 'assistant') parts.clear();
          else if (event.message.role === 'toolResult') open.delete(event.message.toolCallId);
          break;
        case 'tool_execution_start': {
          const { toolCallId: id, input } = event;
          open.set(id, '');
          const at = Date.parse(event.timestamp);
          if (isOwnCommand(id)) commands.set(id, { id, command: String(input.command), at, result: undefined });
          const [oldest] = commands.keys();
          if (commands.size > maxCommands && oldest !== undefined) commands.delete(oldest);
          break;
        }
        case 'tool_execution_update':
          open.set(event.toolCallId, ((open.get(event.toolCallId) ?? '') + event.delta).slice(-maxPrinted));
          break;
        case 'tool_execution_end': {
          const own = commands.get(event.toolCallId);
          if (!own) break;
          own.result = event.result;
          open.delete(event.toolCallId);
          break;
        }
        case 'agent_end':
          parts.clear();
          for (const id of open.keys()) if (!isOwnCommand(id)) open.delete(id);
          break;
        default:
          break;
      }
    },
    parts: () =>
      [...parts.values()].map((part) =>
        part.kind === 'call' ? { kind: 'call', id: part.id, tool: part.tool, input: part.json.value() } : part,
      ),
    isOpen: (id) => open.has(id),
    printed: (id) => open.get(id) ?? '',
    commands: () => [...commands.values()],
  };
}
