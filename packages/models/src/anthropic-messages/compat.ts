/** How a server differs from Anthropic's own. Names are pi's where it has one; a model's `compat` has the last word. */
import type { Model } from '@tau/core';
import { type Efforts, effortsIn } from '../compat/efforts.ts';
import { fieldProblems, flag, type Kind, word, wordFrom, words } from '../compat/fields.ts';

const thinkingForms = ['adaptive', 'budget'] as const;

export interface Compat {
  /** How thinking is asked for. Absent: as the model's id tells. */
  thinking: (typeof thinkingForms)[number] | undefined;
  reasoningEffortMap: Efforts;
  /** Takes cache markers at all, and on tools. */
  cache: boolean;
  supportsCacheControlOnTools: boolean;
  /** More names for the `anthropic-beta` header. */
  betas: readonly string[];
  /** `bearer`, or the header that carries the key. Absent: as the key tells. */
  authHeader: string | undefined;
  /** A tool can be demanded, not only offered. Absent: as the model's id tells. */
  supportsToolChoice: boolean | undefined;
  /** Knows the beta that drops thinking which no longer fits the conversation. Anthropic's own server does. */
  bindingControls: boolean;
  sendSessionAffinityHeaders: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  thinking: thinkingForms,
  forceAdaptiveThinking: 'flag',
  reasoningEffortMap: 'levels',
  cache: 'flag',
  supportsCacheControlOnTools: 'flag',
  betas: 'texts',
  authHeader: 'text',
  supportsToolChoice: 'flag',
  bindingControls: 'flag',
  sendSessionAffinityHeaders: 'flag',
  // pi's.
  supportsEagerToolInputStreaming: { idle: 'tau never asks for eager inputs' },
  supportsLongCacheRetention: { idle: 'tau never asks for a long retention' },
};

/** What is wrong with a `compat`, a sentence each. What is named here is not used. */
export function compatProblems(compat: unknown): string[] {
  return fieldProblems(compat, kinds);
}

export function compatOf({ baseUrl, compat = {} }: Model): Compat {
  const forced = flag(compat, 'forceAdaptiveThinking', false) ? 'adaptive' : undefined;
  const authHeader = word(compat, 'authHeader', '');
  return {
    thinking: wordFrom(compat, 'thinking', thinkingForms) ?? forced,
    reasoningEffortMap: effortsIn(compat),
    cache: flag(compat, 'cache', true),
    supportsCacheControlOnTools: flag(compat, 'supportsCacheControlOnTools', true),
    betas: words(compat, 'betas'),
    authHeader: authHeader === '' ? undefined : authHeader,
    supportsToolChoice: typeof compat.supportsToolChoice === 'boolean' ? compat.supportsToolChoice : undefined,
    bindingControls: flag(compat, 'bindingControls', isAnthropic(baseUrl)),
    sendSessionAffinityHeaders: flag(compat, 'sendSessionAffinityHeaders', false),
  };
}

function isAnthropic(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.anthropic.com';
}
