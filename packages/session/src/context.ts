/** What the model is told of a chain: its messages, with summaries in place of what was compacted or left behind. */
import type { BashExecutionMessage, Message, ResultBlock, SessionEntry, SessionMessage, UserMessage } from '@tau/core';
import { isRecord, userMessage } from '@tau/core';
import { withPairedResults } from './pairs.ts';

export function contextOf(chain: readonly SessionEntry[]): Message[] {
  const messages: Message[] = [];
  for (const entry of visibleEntries(chain)) {
    const message = messageOf(entry);
    if (message !== undefined) messages.push(message);
  }
  return withPairedResults(messages);
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

function modelMessage(message: SessionMessage, time: number): Message | undefined {
  switch (message.role) {
    case 'user':
    case 'assistant':
    case 'toolResult':
      return message;
    case 'bashExecution':
      return message.excludeFromContext === true ? undefined : userMessage(commandText(message), time);
    default:
      return foreignMessage(message, time);
  }
}

function commandText({ command, output, truncated, cancelled, exitCode }: BashExecutionMessage): string {
  const lines = [`I ran this command myself: ${command}`];
  if (output !== '') lines.push('Its output:', output);
  if (truncated) lines.push('(the output was cut)');
  if (cancelled) lines.push('(it was cancelled)');
  else if (exitCode !== undefined) lines.push(`(exit code ${exitCode})`);
  return lines.join('\n');
}

/** Roles that only other programs write and no model knows: summaries, an extension's words. */
function foreignMessage(message: unknown, time: number): UserMessage | undefined {
  if (!isRecord(message)) return undefined;
  if (typeof message.summary === 'string') return userMessage(message.summary, time);
  if (typeof message.content === 'string') return userMessage(message.content, time);
  if (!Array.isArray(message.content)) return undefined;
  const blocks: unknown[] = message.content;
  const content = blocks.filter(isResultBlock);
  return content.length === 0 ? undefined : { role: 'user', content, timestamp: time };
}

function isResultBlock(block: unknown): block is ResultBlock {
  if (!isRecord(block)) return false;
  if (block.type === 'text') return typeof block.text === 'string';
  return block.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string';
}
