/** The line above the editor while tau works: what it does at this moment, for how long, and how much the model wrote. */
import type { StampedEvent, ToolInput } from '@tau/agent';
import { type Component, createSpinner, type Theme } from '@tau/tui';
import { thousands } from './meter.ts';

export interface WorkingOptions {
  theme: Theme;
  now(): number;
  /** Since when the run goes on. */
  since(): number;
  isStopping(): boolean;
  /** Only the user's own command runs. */
  isShell(): boolean;
}

export interface Working extends Component {
  /** How often it looks different. */
  readonly everyMs: number;
  event(event: StampedEvent): void;
}

/** What vendors count roughly; what they really counted comes with the end of the message. */
const charsPerToken = 4;
const slowestMs = 1000;

export function createWorking({ theme, now, since, isStopping, isShell }: WorkingOptions): Working {
  const running = new Map<string, string>();
  let doing = 'waiting for the model';
  /** Of the messages that have ended, and of the one under way. */
  let written = { tokens: 0, chars: 0 };

  const spinner = createSpinner({
    ...{ theme, now, text: 'working', shimmer: true },
    hint() {
      if (isShell()) return 'esc stops it';
      const tokens = written.tokens + Math.ceil(written.chars / charsPerToken);
      const parts = [
        lasting(now() - since()),
        ...(tokens > 0 ? [`↓ ${thousands(tokens)} tokens`] : []),
        isStopping() ? 'stopping' : 'esc stops',
      ];
      return `(${parts.join(' · ')})`;
    },
  });

  function words(): string {
    if (isShell()) return 'running your command';
    const [first, ...more] = running.values();
    if (first === undefined) return doing;
    return more.length === 0 ? first : `${first} and ${more.length} more`;
  }

  return {
    everyMs: spinner.everyMs ?? slowestMs,
    event(event) {
      switch (event.type) {
        case 'agent_start':
          running.clear();
          written = { tokens: 0, chars: 0 };
          break;
        case 'turn_start':
          doing = 'waiting for the model';
          break;
        case 'message_update':
          doing = doingOf(event.delta.kind, doing);
          if ('text' in event.delta) written.chars += event.delta.text.length;
          break;
        case 'message_end':
          if (event.message.role === 'assistant') {
            written = { tokens: written.tokens + event.message.usage.output, chars: 0 };
          }
          break;
        case 'tool_execution_start':
          running.set(event.toolCallId, `running ${nameOf(event.toolName, event.input)}`);
          break;
        case 'tool_execution_end':
          running.delete(event.toolCallId);
          break;
        case 'permission_request':
        case 'question_request':
          doing = 'waiting for your answer';
          break;
        case 'permission_response':
        case 'question_response':
          doing = 'working';
          break;
        case 'retry':
          doing = `asking ${event.model} again in ${lasting(event.delayMs)}`;
          break;
        default:
          break;
      }
    },
    render(width) {
      spinner.setText(words());
      return spinner.render(width);
    },
  };
}

type DeltaKind = Extract<StampedEvent, { type: 'message_update' }>['delta']['kind'];

function doingOf(kind: DeltaKind, before: string): string {
  switch (kind) {
    case 'text':
      return 'answering';
    case 'thinking':
      return 'thinking';
    case 'toolCallStart':
    case 'toolCallArguments':
      return 'preparing a call';
    case 'toolCallEnd':
      return before;
  }
}

/** A command by its first word, anything else by its tool. */
function nameOf(tool: string, { command }: ToolInput): string {
  const [program] = typeof command === 'string' ? command.trim().split(/\s+/) : [];
  return program === undefined || program === '' ? tool : program;
}

/** In whole seconds: a line that changes more often than it says something new costs bytes. */
function lasting(ms: number): string {
  const whole = Math.round(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
