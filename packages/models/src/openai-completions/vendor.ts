/** Who serves a model, known by the provider's name or else by its address. Whoever else it is has no name here. */
import type { Model } from '@tau/core';

/** Names that providers go by in models.json files, and the hosts they are served from. */
const vendors = [
  { vendor: 'openai', names: ['openai'], host: /^api\.openai\.com$/ },
  {
    vendor: 'azure',
    names: ['azure', 'azure-openai'],
    host: /\.(openai|cognitiveservices)\.azure\.(com|us|cn)$|\.services\.ai\.azure\.com$/,
  },
  { vendor: 'deepseek', names: ['deepseek'], host: /(^|\.)deepseek\.com$/ },
  { vendor: 'xai', names: ['xai'], host: /^api\.x\.ai$/ },
  { vendor: 'mistral', names: ['mistral'], host: /(^|\.)mistral\.ai$/ },
  { vendor: 'groq', names: ['groq'], host: /(^|\.)groq\.com$/ },
  { vendor: 'cerebras', names: ['cerebras'], host: /(^|\.)cerebras\.ai$/ },
  { vendor: 'openrouter', names: ['openrouter'], host: /(^|\.)openrouter\.ai$/ },
  { vendor: 'together', names: ['together', 'togetherai'], host: /(^|\.)together\.(ai|xyz)$/ },
  { vendor: 'fireworks', names: ['fireworks', 'fireworks-ai'], host: /(^|\.)fireworks\.ai$/ },
  { vendor: 'moonshot', names: ['moonshot', 'moonshotai', 'moonshotai-cn'], host: /(^|\.)moonshot\.(ai|cn)$/ },
  { vendor: 'zai', names: ['zai', 'zhipuai'], host: /(^|\.)(z\.ai|bigmodel\.cn)$/ },
  { vendor: 'qwen', names: ['qwen', 'dashscope', 'alibaba'], host: /^dashscope(-\w+)?\.aliyuncs\.com$/ },
  { vendor: 'ollama', names: ['ollama', 'ollama-cloud'], host: /^ollama\.com$/ },
  { vendor: 'lmstudio', names: ['lmstudio'], host: undefined },
  { vendor: 'llamacpp', names: ['llamacpp', 'llama.cpp'], host: undefined },
] as const;

export type Vendor = (typeof vendors)[number]['vendor'];

/** A name is the user's word and counts before the address: a proxy in front of a vendor keeps the vendor's ways. */
export function vendorOf({ provider, baseUrl }: Pick<Model, 'provider' | 'baseUrl'>): Vendor | undefined {
  const named = vendors.find(({ names }) => names.some((name) => name === provider));
  if (named) return named.vendor;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return vendors.find((known) => known.host?.test(host))?.vendor;
}
