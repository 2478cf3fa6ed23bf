/** The messages of a conversation as sections of a viewer: each is laid out when it is seen, whole, and kept. */
import type { Message, ToolResult } from '@tau/agent';
import { textOf } from '@tau/agent';
import { createMarkdown, type MarkdownOptions, printable, type Section, wrap } from '@tau/tui';
import type { CardWorld } from '../blocks/card.ts';
import { ownCommandIn } from '../shell.ts';
import { type CallView, callSection } from './call-section.ts';
import type { Happening, OwnCommand } from './happening.ts';

export interface SectionsWorld extends CardWorld {
  markdown: Omit<MarkdownOptions, 'theme' | 'onChange'>;
  onChange(): void;
}

export interface SectionMaker {
  /** All of the conversation, then what happens now. */
  all(messages: readonly Message[], happening: Happening): Section[];
}

export function createSectionMaker(world: SectionsWorld): SectionMaker {
  const { theme, markdown, onChange } = world;
  // A message never changes, so what was made of it stays good.
  const known = new WeakMap<Message, Section[]>();
  const knownResults = new WeakMap<Message, { result: Message; section: Section }>();

  const words = (text: string): Section['lines'] => createMarkdown(text, { ...markdown, theme, onChange }).render;

  function thought(text: string, isRedacted: boolean): Section {
    const shown = isRedacted ? '(the provider keeps it to itself)' : text.trim();
    return {
      title: theme.paint('thinkingText', '✻ thinking'),
      lines: (width) => [
        ...wrap(printable(shown), Math.max(1, width - 2)).map((line) => theme.paint('thinkingText', `  ${line}`)),
        '',
      ],
    };
  }

  function said(text: string): Section {
    const render = words(text);
    return { lines: (width) => [...render(width), ''] };
  }

  /** What is short is seen also when all is folded: it is what the rest is about. */
  function user(message: Message): Section {
    const ran = ownCommandIn(textOf(message));
    if (ran) return call({ tool: 'bash', input: { command: ran.command }, isUsers: true, result: ran.result });
    const text = printable(textOf(message));
    const blocks = typeof message.content === 'string' ? [] : message.content;
    const images = blocks.filter(({ type }) => type === 'image').length;
    const words = text.slice(0, maxTitle).replaceAll('\n', ' ');
    const who = message.role === 'user' && message.origin !== undefined ? 'tau, to the model' : 'you';
    const title = theme.paint('title', `${who}${timeOf(message)}`);
    const lines = (width: number) => [
      ...wrap(text, width).map((line) => theme.paint('userMessageText', line)),
      ...(images > 0 ? [theme.paint('muted', `[${images} ${images === 1 ? 'image' : 'images'}]`)] : []),
      '',
    ];
    if (text.length <= maxShort) return { lines: (width) => [title, ...lines(width)] };
    return { title: `${title} ${theme.paint('muted', words)}`, lines };
  }

  const call = (view: CallView) => callSection(view, world);

  function ended(asked: Extract<Message, { role: 'assistant' }>, at: number, result: Message): Section {
    const block = asked.content[at];
    const kept = knownResults.get(result);
    if (kept) return kept.section;
    const section =
      block?.type === 'toolCall' && result.role === 'toolResult'
        ? call({ tool: block.name, input: block.arguments, result: resultOf(result) })
        : { lines: () => [] };
    knownResults.set(result, { result, section });
    return section;
  }

  function assistant(
    message: Extract<Message, { role: 'assistant' }>,
    results: ReadonlyMap<string, Message>,
    happening: Happening,
  ): Section[] {
    const plain = known.get(message) ?? plainParts(message);
    known.set(message, plain);
    return message.content.map((block, at) => {
      if (block.type !== 'toolCall') return plain[at] ?? { lines: () => [] };
      const result = results.get(block.id);
      if (happening.isOpen(block.id) || !result) {
        return call({ tool: block.name, input: block.arguments, printed: happening.printed(block.id) });
      }
      return ended(message, at, result);
    });
  }

  function plainParts({ content }: Extract<Message, { role: 'assistant' }>): Section[] {
    return content.map((block) => {
      if (block.type === 'text') return said(block.text);
      return block.type === 'thinking' ? thought(block.thinking, block.redacted === true) : { lines: () => [] };
    });
  }

  function own({ command, result, id }: OwnCommand, happening: Happening): Section {
    const state = result ? { result } : { printed: happening.printed(id) };
    return call({ tool: 'bash', input: { command }, isUsers: true, ...state });
  }

  return {
    all(messages, happening) {
      const sections: Section[] = [];
      const recorded = ownCommandsIn(messages);
      // Those on record stand there with what the model is told of them.
      const others = happening.commands().filter(({ command }) => !recorded.delete(command));
      for (const [at, message] of messages.entries()) {
        while (others[0] && others[0].at < message.timestamp)
          sections.push(...others.splice(0, 1).map((one) => own(one, happening)));
        if (message.role === 'toolResult') continue;
        if (message.role === 'user') {
          const made = known.get(message) ?? [user(message)];
          known.set(message, made);
          sections.push(...made);
          continue;
        }
        sections.push(...assistant(message, resultsBehind(messages, at), happening));
        if (message.errorMessage !== undefined) sections.push(failure(message.errorMessage));
      }
      for (const one of others) sections.push(own(one, happening));
      for (const part of happening.parts()) {
        if (part.kind === 'call') sections.push(call({ tool: part.tool, input: part.input, printed: '' }));
        else sections.push(part.kind === 'text' ? said(part.text) : thought(part.text, false));
      }
      return sections;
    },
  };

  function failure(text: string): Section {
    return { lines: (width) => [...wrap(printable(`✗ ${text}`), width).map((line) => theme.paint('error', line)), ''] };
  }
}

/** Characters of a prompt that need no fold, and of one in a title. */
const [maxShort, maxTitle] = [400, 100];

/** The commands of the user that the model is told of, by how the session words that. */
function ownCommandsIn(messages: readonly Message[]): Set<string> {
  const found = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'user' || typeof message.content !== 'string') continue;
    const { command } = ownCommandIn(message.content) ?? {};
    if (command !== undefined) found.add(command);
  }
  return found;
}

/** The results that stand right behind a message: ids repeat in a long conversation. */
function resultsBehind(messages: readonly Message[], at: number): Map<string, Message> {
  const results = new Map<string, Message>();
  for (let next = at + 1; messages[next]?.role === 'toolResult'; next++) {
    const message = messages[next];
    if (message?.role === 'toolResult') results.set(message.toolCallId, message);
  }
  return results;
}

function resultOf({ content, details, isError }: Extract<Message, { role: 'toolResult' }>): ToolResult {
  return { content, details, isError };
}

function timeOf({ timestamp }: Message): string {
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  return ` · ${two(time.getHours())}:${two(time.getMinutes())}`;
}
