/** Token counts as the many servers tell them. */
import type { Assembler } from '../assembler.ts';

export interface WireUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  total_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
  /** DeepSeek's and Moonshot's words for what came from the cache. */
  prompt_cache_hit_tokens?: number | null;
  cached_tokens?: number | null;
}

export function countTokens(assembler: Assembler, usage: WireUsage | null | undefined): void {
  if (!usage) return;
  const prompt = usage.prompt_tokens ?? 0;
  const told = usage.prompt_tokens_details;
  const cached = told?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0;
  const cacheWrite = told?.cache_write_tokens ?? 0;
  // Some gateways count what was just written as cached too; both together are then more than the prompt.
  const cacheRead = cached + cacheWrite > prompt ? Math.max(0, cached - cacheWrite) : cached;
  assembler.usage({
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: outputOf(usage, prompt),
    cacheRead,
    cacheWrite,
  });
}

/** Thinking is part of the completion, but with some vendors only of the total. */
function outputOf(usage: WireUsage, prompt: number): number {
  const completion = usage.completion_tokens ?? 0;
  const thought = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return usage.total_tokens === prompt + completion + thought ? completion + thought : completion;
}
