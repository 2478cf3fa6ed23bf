/** A session as a person reads it: the facts, then what was said and done, results cut to their end. */
import { describeOwner, type SessionInfo, type ShownSession, textOf } from '@tau/agent';
import type { Style } from '../render/style.ts';
import { callLine, resultLines } from '../render/tool.ts';
import { visible } from '../render/visible.ts';
import { oneLine } from './table.ts';

type Entry = ShownSession['entries'][number];

const resultHeight = 5;

export function transcriptLines(info: SessionInfo, entries: readonly Entry[], style: Style): string[] {
  return [...factLines(info, style), ...entries.flatMap((entry) => entryLines(entry, style))];
}

function factLines(info: SessionInfo, style: Style): string[] {
  const facts: [string, string | undefined][] = [
    ['id', info.id],
    ['name', info.name],
    ['folder', info.cwd],
    ['begun', info.created],
    ['last used', info.modified],
    ['model', info.model],
    ['file', info.path],
    ['copied from', info.parentSession],
    ['in use by', info.owner && describeOwner(info.owner)],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${style.dim(name.padEnd(12))} ${oneLine(value)}`],
  );
}

function entryLines(entry: Entry, style: Style): string[] {
  switch (entry.type) {
    case 'message':
      return messageLines(entry.message, style);
    case 'compaction':
      return ['', style.dim('── what came before was summed up ──'), visible(entry.summary)];
    case 'branch_summary':
      return ['', style.dim('── a branch was left ──'), visible(entry.summary)];
    default:
      return [];
  }
}

function messageLines(message: Extract<Entry, { type: 'message' }>['message'], style: Style): string[] {
  switch (message.role) {
    case 'user':
      return ['', `${style.bold('>')} ${visible(textOf(message)).replaceAll('\n', '\n  ')}`];
    case 'assistant': {
      const text = textOf(message).trim();
      const calls = message.content.flatMap((block) =>
        block.type === 'toolCall' ? [callLine(block.name, block.arguments, style)] : [],
      );
      return ['', ...(text === '' ? [] : [visible(text)]), ...calls];
    }
    case 'toolResult':
      return resultLines({ ...message }, style, resultHeight);
    case 'bashExecution':
      return ['', `${style.bold('!')} ${visible(message.command)}`];
    default:
      return [];
  }
}
