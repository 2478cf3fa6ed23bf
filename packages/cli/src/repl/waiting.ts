/** What the user said and nobody heard yet: in the agent's queues while a run listens, else as the next prompts. */
import type { Agent } from '@tau/agent';
import type { Prompt } from '../print/prompts.ts';

export interface Waiting {
  /** Said during a run. When it will be heard, in words. */
  add(text: string, deliverAs: 'steer' | 'followUp'): string;
  push(...prompts: readonly Prompt[]): void;
  /** The next prompt. */
  shift(): Prompt | undefined;
  texts(): string[];
  /** All of it back, in order. What others said in the agent's queues stays there. */
  takeBack(): string[];
}

export function createWaiting(agent: Agent): Waiting {
  const next: Prompt[] = [];
  /** What was given to the agent's queues here. */
  const handed = new Set<string>();
  const ours = (texts: readonly string[]) => texts.filter((text) => handed.has(text));
  return {
    add(text, deliverAs) {
      // What came later must not be heard earlier, unless it is meant to.
      const heard = deliverAs === 'steer' ? agent.steer(text) : next.length === 0 && agent.followUp(text);
      if (heard) handed.add(text);
      else next.push({ text, attachments: [] });
      return heard && deliverAs === 'steer' ? 'heard after the current step' : 'heard when this is done';
    },
    push: (...prompts) => void next.push(...prompts),
    shift: () => next.shift(),
    texts() {
      const { steering, followUp } = agent.queued();
      return [...ours(steering), ...ours(followUp), ...next.map(({ text }) => text)];
    },
    takeBack() {
      const queued = agent.clearQueues();
      for (const text of queued) if (!handed.has(text)) agent.tell(text);
      const back = [...ours(queued), ...next.splice(0).map(({ text }) => text)];
      handed.clear();
      return back;
    },
  };
}
