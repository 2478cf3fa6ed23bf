/**
 * Asks a terminal what it can do: all questions in one write, then none of them waited for. The last is one that every
 * terminal answers; behind that answer, or after a while, silence means no.
 */
import type { Reply } from '../input/reply.ts';
import type { ScreenCapabilities } from '../screen/canvas.ts';
import { type Capabilities, delaysOf, guessCapabilities, withReply } from './capabilities.ts';
import { fence } from './sequences.ts';

export interface Probe {
  /** The best that is known now. */
  readonly capabilities: Capabilities;
  /** What a screen has to know, with how late all comes. */
  forScreen(): ScreenCapabilities;
  /** Nothing more is expected. Late answers still count. */
  readonly settled: boolean;
  ask(): void;
  reply(reply: Reply): void;
  /** Stops waiting. */
  end(): void;
}

export interface ProbeOptions {
  environment: Readonly<Record<string, string | undefined>>;
  isTerminal: boolean;
  write(data: string): void;
  /** Something was found out, or all that will come has come. */
  onChange?(capabilities: Capabilities): void;
  waitMs?: number;
}

const keyboard = '\u001b[?u';
const synchronizedOutput = '\u001b[?2026$p';
const colours = '\u001b]10;?\u001b\\\u001b]11;?\u001b\\';
const version = '\u001b[>0q';
const graphics = '\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\';
/** They show the body of a string that they do not know, or take it for a title. */
const showsStrings = new Set(['apple', 'linux', 'tmux', 'screen']);

export function createProbe({ environment, isTerminal, write, onChange, waitMs = 1000 }: ProbeOptions): Probe {
  let capabilities = guessCapabilities(environment, isTerminal);
  let forScreen: { of: Capabilities; all: ScreenCapabilities } | undefined;
  let settled = false;
  let timer: NodeJS.Timeout | undefined;

  function settle(): void {
    clearTimeout(timer);
    if (settled) return;
    settled = true;
    onChange?.(capabilities);
  }

  return {
    get capabilities() {
      return capabilities;
    },
    get settled() {
      return settled;
    },
    forScreen() {
      // Every frame asks.
      if (forScreen?.of !== capabilities)
        forScreen = { of: capabilities, all: { ...capabilities, ...delaysOf(capabilities) } };
      return forScreen.all;
    },
    ask() {
      const questions = questionsFor(capabilities);
      if (questions === '') return settle();
      write(questions);
      timer = setTimeout(settle, waitMs);
      timer.unref();
    },
    reply(reply) {
      const better = withReply(capabilities, reply);
      const changed = better !== capabilities;
      capabilities = better;
      if (reply.type === 'attributes' && reply.level === 1 && !settled) settle();
      else if (changed) onChange?.(capabilities);
    },
    end() {
      clearTimeout(timer);
    },
  };
}

export function questionsFor({ plain, name }: Capabilities): string {
  if (plain || name === 'linux') return '';
  return keyboard + synchronizedOutput + colours + version + (showsStrings.has(name) ? '' : graphics) + fence;
}
