/** From the events of a run to blocks: what is said, thought and done, in the order in which the model said it. */
import {
  isOwnCommand,
  jobEntry,
  type Message,
  type StampedEvent,
  textOf,
  toolCallsOf,
  wordEntry,
  wordsOf,
} from '@tau/agent';
import { type Differ, loadDiffer, type MarkdownOptions } from '@tau/tui';
import { firstLine } from '../commands/tree.ts';
import { violationTeller } from '../render/sandbox.ts';
import { type AnswerBlock, answerBlock } from './blocks/answer.ts';
import { type Arriving, createArriving } from './blocks/arriving.ts';
import { type CallBlock, callBlock } from './blocks/call.ts';
import { changing } from './blocks/call-body.ts';
import type { CardWorld } from './blocks/card.ts';
import { type GroupBlock, groupBlock, isGrouped } from './blocks/group.ts';
import { noteBlock, userBlock } from './blocks/said.ts';
import { type ThinkingBlock, thinkingBlock } from './blocks/thinking.ts';
import { ownCommandIn } from './shell.ts';
import type { Block, Transcript } from './transcript.ts';

export interface NarratorOptions extends Omit<CardWorld, 'differ'> {
  transcript: Transcript;
  markdown(): Omit<MarkdownOptions, 'theme' | 'onChange'>;
  showsThinking(): boolean;
  /** Something that was waited for has arrived, so a frame is worth drawing. */
  onChange(): void;
}

export interface Narrator {
  event(event: StampedEvent): void;
  /** What was said before this sitting, as far as it is to be seen again. */
  recall(messages: readonly Message[]): void;
  /** Once there was something to compare. */
  differ(): Differ | undefined;
}

export function createNarrator(options: NarratorOptions): Narrator {
  const { transcript, theme, now, onChange } = options;
  let answer: AnswerBlock | undefined;
  let thinking: ThinkingBlock | undefined;
  let group: GroupBlock | undefined;
  /** The prompt of the run, which stands there already, has not been heard yet. */
  let isPromptDue = false;
  const calls = new Map<string, CallBlock>();
  const violationText = violationTeller();
  /** Arguments that still arrive, by the place of the call in the message. */
  const arriving = new Map<number, Arriving>();
  const differ = createDiffer();
  const world: CardWorld = { ...options, differ: differ.get };

  function endWords(): void {
    answer?.end();
    thinking?.end();
    answer = undefined;
    thinking = undefined;
  }

  function endGroup(): void {
    group?.close();
    group = undefined;
  }

  function add(block: Block): void {
    endWords();
    endGroup();
    transcript.add(block);
  }

  function openCall(id: string, tool: string): CallBlock {
    const known = calls.get(id);
    if (known) return known;
    const call = callBlock({ ...world, id, tool, isUsers: isOwnCommand(id) });
    calls.set(id, call);
    if (changing.includes(tool)) differ.load();
    if (isOwnCommand(id)) transcript.add(call, { isLoose: true });
    else if (!isGrouped(tool)) add(call);
    else {
      endWords();
      if (!group) {
        group = groupBlock(world);
        transcript.add(group);
      }
      group.add(call);
    }
    return call;
  }

  function say(text: string): void {
    // A blank line before a call is nothing said.
    if (!answer && text.trim() === '') return;
    if (!answer) {
      const block = answerBlock({ ...options.markdown(), theme, onChange });
      add(block);
      answer = block;
    }
    answer.push(text);
  }

  function think(text: string): void {
    if (!thinking && text.trim() === '') return;
    if (!thinking) {
      const block = thinkingBlock(theme, options.showsThinking, now);
      add(block);
      thinking = block;
    }
    thinking.push(text);
  }

  function note(text: string, role: 'noticeText' | 'warning' | 'error', mark: string): void {
    add(noteBlock(text, theme, role, mark));
  }

  function hear(message: Message): void {
    if (message.role === 'assistant') {
      endWords();
      arriving.clear();
      for (const call of toolCallsOf(message)) calls.get(call.id)?.arrived(call.arguments);
    } else if (message.role === 'user') {
      if (message.origin !== undefined) told(message.origin, textOf(message));
      else if (isPromptDue) isPromptDue = false;
      else add(userBlock(wordsOf(message), theme));
    }
  }

  /** Nobody typed it. How a command in the background ended was said when it did. */
  function told(origin: string, text: string): void {
    if (origin === wordEntry) note(text, 'noticeText', '·');
  }

  function recall(message: Message): void {
    switch (message.role) {
      case 'user': {
        if (message.origin === jobEntry) note(firstLine(textOf(message)), 'noticeText', '◷');
        else if (message.origin !== undefined) told(message.origin, textOf(message));
        if (message.origin !== undefined) break;
        const own = ownCommandIn(textOf(message));
        add(own ? noteBlock(own.command, theme, 'bashMode', '!') : userBlock(wordsOf(message), theme));
        break;
      }
      case 'assistant':
        for (const block of message.content) {
          if (block.type === 'text') say(lastOf(block.text));
          else if (block.type === 'toolCall') openCall(block.id, block.name).starts(block.arguments);
        }
        if (message.stopReason === 'aborted') note('Stopped.', 'noticeText', '·');
        else if (message.errorMessage !== undefined) note(message.errorMessage, 'error', '✗');
        endWords();
        break;
      case 'toolResult': {
        const { toolCallId, toolName, content, details, isError } = message;
        openCall(toolCallId, toolName).ends({ content, details, isError });
        calls.delete(toolCallId);
      }
    }
  }

  return {
    event(event) {
      switch (event.type) {
        case 'agent_start':
          isPromptDue = true;
          break;
        case 'message_update': {
          const { delta } = event;
          if (delta.kind === 'text') say(delta.text);
          else if (delta.kind === 'thinking') think(delta.text);
          else if (delta.kind === 'toolCallStart') {
            const one = createArriving();
            arriving.set(delta.index, one);
            openCall(delta.id, delta.name).arrives(one.value);
          } else if (delta.kind === 'toolCallArguments') arriving.get(delta.index)?.push(delta.text);
          break;
        }
        case 'message_end':
          hear(event.message);
          break;
        case 'tool_execution_start':
          openCall(event.toolCallId, event.toolName).starts(event.input);
          break;
        case 'tool_execution_update':
          calls.get(event.toolCallId)?.writes(event.delta);
          break;
        case 'tool_execution_end':
          openCall(event.toolCallId, event.toolName).ends(event.result);
          calls.delete(event.toolCallId);
          break;
        case 'permission_request':
          openCall(event.toolCallId, event.toolName).asked();
          break;
        case 'permission_response':
          calls.get(event.toolCallId)?.answered(event.outcome === 'allow');
          break;
        case 'sandbox_violation': {
          const refused = violationText(event);
          if (refused !== undefined) note(refused, 'warning', '⚠');
          break;
        }
        case 'retry':
          note(`${event.message}; asking ${event.model} again (${event.attempt})`, 'warning', '↻');
          break;
        case 'recovery':
          note(event.text, 'warning', '↻');
          break;
        case 'job_end':
          note(`${event.id} (${event.command}) ${event.how}`, 'noticeText', '◷');
          break;
        case 'notice':
          note(event.text, event.level === 'warning' ? 'warning' : 'noticeText', event.level === 'warning' ? '⚠' : '·');
          break;
        case 'error':
          // That it was stopped is said at its end.
          if (event.class !== 'aborted') note(event.message, 'error', '✗');
          break;
        case 'agent_end':
          endWords();
          endGroup();
          arriving.clear();
          // What runs gets its end; what never began gets none.
          for (const [id, call] of calls) {
            if (call.state === 'running') continue;
            call.drop('stopped');
            calls.delete(id);
          }
          break;
        default:
          break;
      }
    },
    differ: differ.get,
    recall(messages) {
      for (const message of messages) recall(message);
      for (const call of calls.values()) call.drop('no result');
      calls.clear();
      endGroup();
    },
  };
}

const maxRecalled = 4000;

/** Of an answer from before, the end is enough. */
function lastOf(text: string): string {
  if (text.length <= maxRecalled) return text;
  const end = text.slice(-maxRecalled);
  const paragraph = end.indexOf('\n\n');
  return `…\n\n${paragraph < 0 ? end : end.slice(paragraph + 2)}`;
}

/** Loaded when the first change begins; until it is there, lines are compared as a whole. */
function createDiffer() {
  let made: Differ | undefined;
  let asked = false;
  return {
    get: () => made,
    load() {
      if (asked) return;
      asked = true;
      void loadDiffer().then(
        (differ) => {
          made = differ;
        },
        // Without it a diff has no marks inside of its lines, and all else.
        () => undefined,
      );
    },
  };
}
