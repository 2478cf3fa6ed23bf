/**
 * `--input-format stream-json`: a client speaks in lines while tau works. A message is a prompt, or goes to the run under
 * way; an interrupt ends that run only. When stdin ends, what waits is still answered.
 */
import { type Agent, findMentions } from '@tau/agent';
import { exitCode } from '../exit.ts';
import type { Interruption } from './answer.ts';
import { type Incoming, parseIncoming } from './incoming.ts';
import { readLines } from './input-lines.ts';
import type { Interrupt } from './interrupt.ts';
import type { LineWriter } from './lines.ts';
import type { Prompt } from './prompts.ts';
import type { Replies } from './replies.ts';

const maxLineBytes = 10 * 1024 * 1024;
/** While more than this waits, no further line is read. */
const maxWaiting = 1000;
const maxWaitingChars = 10 * 1024 * 1024;

/** What a background command may bring about at any time. */
const ofJobs: ReadonlySet<string> = new Set(['permission_request', 'permission_response', 'sandbox_violation']);

export interface DialogueOptions {
  agent: Agent;
  interrupt: Interrupt;
  out: LineWriter;
  replies: Replies;
  answer(prompt: Prompt, interruption: Interruption): Promise<number>;
}

/** Returns the exit code of the last prompt. */
export async function hold(first: readonly Prompt[], options: DialogueOptions): Promise<number> {
  const { agent, interrupt, out, replies } = options;
  const waiting = [...first];
  /** What was given to the agent's queues here: others speak there too. */
  const handed = new Set<string>();
  let current: AbortController | undefined;
  let over = false;
  let wake = () => {};
  const changed = () =>
    new Promise<void>((resolve) => {
      const before = wake;
      wake = () => {
        before();
        resolve();
      };
    });
  const bell = () => {
    const ring = wake;
    wake = () => {};
    ring();
  };

  async function hear({
    text,
    images,
    deliverAs,
  }: Extract<Incoming, { type: 'message' }>): Promise<string | undefined> {
    if (images.length > 0 && agent.model.images === false) {
      return `${agent.model.provider}/${agent.model.id} takes no images`;
    }
    const steers = deliverAs === 'steer';
    // The queues hold words alone: what brings more is a prompt of its own.
    const alone = images.length === 0 && (steers || (await findMentions(text, process.cwd())).length === 0);
    // What came later must not be heard earlier, unless it is meant to.
    const queued = alone && (steers ? agent.steer(text) : waiting.length === 0 && agent.followUp(text));
    if (queued) handed.add(text);
    else waiting.push({ text, attachments: images });
    return undefined;
  }

  /** What is wrong with it, if anything. */
  async function obey(incoming: Incoming): Promise<string | undefined> {
    switch (incoming.type) {
      case 'message':
        return hear(incoming);
      case 'interrupt':
        if (current) current.abort();
        else await out.line({ type: 'interrupted' });
        return undefined;
      case 'clear_queue': {
        const messages = [...takeBack(), ...waiting.splice(0).map(({ text }) => text)];
        await out.line({ type: 'queue_cleared', messages });
        return undefined;
      }
      case 'permission_response':
        return replies.answer(incoming.id, incoming.answer) ? undefined : `no permission_request ${incoming.id} waits`;
      case 'question_response':
        return replies.reply(incoming.id, incoming.reply) ? undefined : `no question_request ${incoming.id} waits`;
      case 'approve':
        agent.setApproval(incoming.window);
        await out.line({ type: 'approval', ...agent.approval });
        return undefined;
    }
  }

  /** Our messages out of the agent's queues, in order; what others said there stays. */
  function takeBack(): string[] {
    const texts = agent.clearQueues();
    for (const text of texts) if (!handed.has(text)) agent.tell(text);
    const ours = texts.filter((text) => handed.has(text));
    handed.clear();
    return ours;
  }

  async function listen(): Promise<void> {
    try {
      for await (const { number, text } of readLines(process.stdin, maxLineBytes)) {
        if (text?.trim() === '') continue;
        const incoming = text === undefined ? { problem: 'it is longer than 10 MB' } : parseIncoming(text);
        const problem = 'problem' in incoming ? incoming.problem : await obey(incoming);
        if (problem !== undefined) {
          await out.line({ type: 'error', class: 'badRequest', message: `line ${number}: ${problem}` });
        }
        bell();
        while (isFull() && !interrupt.signal.aborted) await changed();
      }
    } catch (error) {
      // A stream that is closed under its reader complains; that it was closed is known.
      if (!interrupt.signal.aborted) await out.line({ type: 'error', class: 'badRequest', message: String(error) });
    } finally {
      over = true;
      replies.close();
      bell();
    }
  }

  function isFull(): boolean {
    const { steering, followUp } = agent.queued();
    const texts = [...waiting.map(({ text }) => text), ...steering, ...followUp];
    return texts.length >= maxWaiting || texts.reduce((sum, text) => sum + text.length, 0) > maxWaitingChars;
  }

  let between = true;
  const stop = agent.subscribe(
    (event) => {
      replies.watch(event);
      if (event.type === 'agent_start' || event.type === 'agent_end') between = event.type === 'agent_end';
      // A command in the background goes on when its run is over, and whoever listens to runs hears nothing of it.
      else if (between && ofJobs.has(event.type)) void out.json(event);
      if (event.type === 'queue_update') bell();
    },
    { deltas: false },
  );
  const leave = () => {
    process.stdin.destroy();
    bell();
  };
  interrupt.signal.addEventListener('abort', leave);
  const listening = listen();
  let code: number = exitCode.done;
  try {
    for (;;) {
      const prompt = waiting.shift();
      bell();
      if (interrupt.signal.aborted) return interrupt.code() ?? exitCode.failed;
      if (prompt) {
        const own = new AbortController();
        current = own;
        code = await options.answer(prompt, {
          signal: AbortSignal.any([interrupt.signal, own.signal]),
          code: () => interrupt.code() ?? (own.signal.aborted ? exitCode.interrupted : exitCode.failed),
        });
        current = undefined;
        if (own.signal.aborted) await out.line({ type: 'interrupted' });
        waiting.unshift(...takeBack().map((text) => ({ text, attachments: [] })));
      } else if (over) return code;
      else await changed();
    }
  } finally {
    leave();
    stop();
    interrupt.signal.removeEventListener('abort', leave);
    await listening;
  }
}
