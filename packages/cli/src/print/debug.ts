/** `--debug`: what happens, as stamped lines by topic, on stderr or in a file. Secrets are taken out, long things cut. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Agent, describeError, type StampedEvent, TauError } from '@tau/agent';
import type { DebugTopic } from '../args/options.ts';
import { clip } from '../render/clip.ts';
import { visible } from '../render/visible.ts';

const maxChars = 600;

export interface Debug {
  about(agent: Agent): void;
  event(event: StampedEvent): void;
  close(): void;
}

export interface DebugOptions {
  topics: readonly DebugTopic[];
  /** Added to; stderr without one. */
  file?: string | undefined;
  scrub(text: string): string;
  /** To stderr. */
  line(text: string): void;
}

export function createDebug({ topics, file, scrub, line }: DebugOptions): Debug {
  const fd = file === undefined ? undefined : open(file);
  const put = (timestamp: string, topic: DebugTopic, text: string) => {
    if (!topics.includes(topic)) return;
    const clean = `${timestamp} ${topic} ${clip(scrub(text), maxChars)}`;
    if (fd === undefined) line(clean);
    else writeSync(fd, `${clean}\n`);
  };
  return {
    about(agent) {
      const now = new Date().toISOString();
      const { model, thinking, permissionMode, tools, warnings, contextFiles, sessionPath } = agent;
      put(
        now,
        'settings',
        `model ${model.provider}/${model.id} at ${model.baseUrl}, thinking ${thinking ?? 'default'}`,
      );
      put(now, 'settings', `mode ${permissionMode}, tools ${tools.join(' ')}`);
      for (const { path } of contextFiles) put(now, 'settings', `context file ${path}`);
      for (const warning of warnings) put(now, 'settings', `warning: ${warning}`);
      put(now, 'session', sessionPath === undefined ? 'in memory' : `file ${sessionPath}`);
    },
    event(event) {
      const said = describe(event);
      if (said) put(event.timestamp, ...said);
    },
    close() {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

function describe(event: StampedEvent): [DebugTopic, string] | undefined {
  const { type, timestamp: _, ...fields } = event;
  switch (event.type) {
    case 'message_update':
    case 'tool_execution_update':
    case 'message_start':
      return undefined;
    case 'turn_start':
    case 'retry':
    case 'recovery':
    case 'rate_limits':
    case 'error':
      return ['request', `${type} ${JSON.stringify(fields)}`];
    case 'turn_end': {
      const { usage, stopReason, model, responseId } = event.message;
      const { turn, firstTokenMs } = event;
      return ['request', `turn_end ${JSON.stringify({ turn, model, responseId, stopReason, firstTokenMs, usage })}`];
    }
    case 'tool_execution_start':
    case 'tool_execution_end':
    case 'permission_request':
    case 'permission_response':
    case 'question_request':
    case 'question_response':
    case 'hook_start':
    case 'hook_end':
    case 'sandbox_violation':
      return ['tool', `${type} ${JSON.stringify(fields)}`];
    case 'message_end':
      return ['session', `entry ${event.entryId} ${event.message.role}`];
    case 'agent_start':
    case 'agent_end':
    case 'queue_update':
    case 'job_end':
    case 'extension_status':
      return ['session', `${type} ${JSON.stringify(fields)}`];
    case 'notice':
      return ['settings', `${event.level}: ${event.text}`];
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    throw new TauError('usage', `The debug file ${visible(path)} cannot be written: ${describeError(cause)}`, {
      cause,
      remedy: 'Check the path',
    });
  }
}
