/**
 * What a Claude takes, told from its id: each generation turned thinking on and off in another way, and each refuses the
 * ways of the others. Facts are from Anthropic's model and thinking pages as of the 5.5 generation.
 */
import type { Model } from '@tau/core';
import type { Compat } from './compat.ts';

export interface Habits {
  /** How thinking is asked for; `none` for models from before there was any. */
  thinking: 'adaptive' | 'budget' | 'none';
  /** It thinks when nothing is said. */
  thinksUnasked: boolean;
  /** How thinking is turned off; `absent` when saying nothing does it, `never` when nothing does. */
  off: 'absent' | 'disabled' | 'between_tools' | 'never';
  /** A tool can be demanded, at least while it does not think. */
  takesToolChoice: boolean;
  /** Checks that thinking which comes back still follows the words it followed first. */
  bindsThinking: boolean;
  /** Knows `display`, without which the newer ones keep their thoughts to themselves. */
  takesDisplay: boolean;
  /** Thinks between calls only when a beta header says so. */
  needsInterleavedBeta: boolean;
}

const never = { thinksUnasked: true, off: 'never', takesToolChoice: false } as const;
const adaptive = { thinking: 'adaptive', takesDisplay: true, needsInterleavedBeta: false } as const;
const budget = { thinking: 'budget', takesDisplay: false, bindsThinking: false, takesToolChoice: true } as const;

export function habitsOf(model: Model, compat: Compat): Habits {
  const habits = habitsOfId(model);
  return {
    ...habits,
    ...(compat.thinking && { thinking: compat.thinking }),
    ...(compat.supportsToolChoice !== undefined && { takesToolChoice: compat.supportsToolChoice }),
  };
}

function habitsOfId({ id, reasoning }: Model): Habits {
  const claude = claudeOf(id);
  if (!claude) {
    // Imitators of the protocol follow the older form; only one that is said to think is told to stop.
    const off = reasoning === true ? 'disabled' : 'absent';
    return { ...budget, thinksUnasked: false, off, needsInterleavedBeta: false };
  }
  const { family, version } = claude;
  if (family === 'fable' || family === 'mythos') return { ...adaptive, ...never, bindsThinking: version >= 501 };
  if (version >= 505) {
    const bound = { ...adaptive, bindsThinking: true };
    if (family === 'opus') return { ...bound, ...never };
    if (family === 'sonnet') return { ...bound, ...never, off: 'between_tools' };
    return { ...bound, thinksUnasked: true, off: 'disabled', takesToolChoice: true };
  }
  const free = { takesToolChoice: true, bindsThinking: false };
  if (version >= 500) return { ...adaptive, ...free, thinksUnasked: true, off: 'disabled' };
  if (version >= 406) return { ...adaptive, ...free, thinksUnasked: false, off: 'absent' };
  const quiet = { ...budget, thinksUnasked: false, off: 'absent', needsInterleavedBeta: version >= 400 } as const;
  return version >= 307 ? quiet : { ...quiet, thinking: 'none' };
}

interface Claude {
  family: string;
  /** Major times 100 plus minor; a family without a number counts as its newest. */
  version: number;
}

/** `claude-opus-4-5-20251101`, `anthropic/claude-sonnet-4.6`, `claude-3-7-sonnet-latest`, `us.anthropic.claude-…-v1:0`. */
function claudeOf(id: string): Claude | undefined {
  if (!id.includes('claude')) return undefined;
  const [, family, major, minor] =
    /(opus|sonnet|haiku|fable|mythos)(?:[-.](\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?)?/.exec(id) ?? [];
  if (family === undefined) return /claude-[12]|instant/.test(id) ? { family: 'claude', version: 200 } : undefined;
  if (major !== undefined) return { family, version: Number(major) * 100 + Number(minor ?? 0) };
  const [, first, second = '0'] = /claude-(\d)(?:[-.](\d))?-/.exec(id) ?? [];
  return { family, version: first === undefined ? 505 : Number(first) * 100 + Number(second) };
}
