/** What the model is told of a chain: its messages, with summaries in place of what was compacted or left behind. */
import type { Message, ResultBlock, SessionEntry, UserMessage } from '@tau/core';
import { userMessage } from '@tau/core';

export function contextOf(chain: readonly SessionEntry[]): Message[] {
  const messages: Message[] = [];
  for (const entry of visibleEntries(chain)) {
    const message = messageOf(entry);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/** The last compaction first, then what it kept, then what came after it. */
function visibleEntries(chain: readonly SessionEntry[]): readonly SessionEntry[] {
  const place = chain.findLastIndex((entry) => entry.type === 'compaction');
  const compaction = chain[place];
  if (compaction?.type !== 'compaction') return chain;
  const before = chain.slice(0, place);
  const kept = before.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  const stillThere = kept < 0 ? [] : before.slice(kept).filter((entry) => entry.type !== 'compaction');
  return [compaction, ...stillThere, ...chain.slice(place + 1)];
}

function messageOf(entry: SessionEntry): Message | undefined {
  const time = Date.parse(entry.timestamp);
  switch (entry.type) {
    case 'message':
      return modelMessage(entry.message, time);
    case 'compaction':
      return userMessage(`Summary of the conversation up to here:\n\n${entry.summary}`, time);
    case 'branch_summary':
      return userMessage(`Summary of a branch of this conversation that was left:\n\n${entry.summary}`, time);
    case 'custom_message':
      return { role: 'user', content: entry.content, timestamp: time };
    default:
      return undefined;
  }
}

function modelMessage(message: Message, time: number): Message | undefined {
  switch (message.role) {
    case 'user':
    case 'assistant':
    case 'toolResult':
      return message;
    default:
      return foreignMessage(message, time);
  }
}

/** Roles that other programs write and no model knows: a user's own command, summaries, an extension's words. */
function foreignMessage(message: unknown, time: number): UserMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('command' in message && typeof message.command === 'string') {
    if ('excludeFromContext' in message && message.excludeFromContext === true) return undefined;
    return userMessage(commandText(message.command, message), time);
  }
  if ('summary' in message && typeof message.summary === 'string') return userMessage(message.summary, time);
  if (!('content' in message)) return undefined;
  if (typeof message.content === 'string') return userMessage(message.content, time);
  if (!Array.isArray(message.content)) return undefined;
  const blocks: unknown[] = message.content;
  const content = blocks.filter(isResultBlock);
  return content.length === 0 ? undefined : { role: 'user', content, timestamp: time };
}

function commandText(command: string, message: object): string {
  const lines = [`I ran this command myself: ${command}`];
  if ('output' in message && typeof message.output === 'string' && message.output !== '') {
    lines.push('Its output:', message.output);
  }
  if ('truncated' in message && message.truncated === true) lines.push('(the output was cut)');
  if ('cancelled' in message && message.cancelled === true) lines.push('(it was cancelled)');
  else if ('exitCode' in message && typeof message.exitCode === 'number') lines.push(`(exit code ${message.exitCode})`);
  return lines.join('\n');
}

function isResultBlock(block: unknown): block is ResultBlock {
  if (typeof block !== 'object' || block === null || !('type' in block)) return false;
  if (block.type === 'text') return 'text' in block && typeof block.text === 'string';
  return block.type === 'image' && 'data' in block && 'mimeType' in block;
}
