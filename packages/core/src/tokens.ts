/** How many tokens a request will probably take. Vendors count exactly, but only afterwards. */
import type { Message } from './messages.ts';
import type { ModelRequest } from './model.ts';

const charsPerToken = 4;
/** From here on, a character is about a token by itself: Chinese, Japanese, Korean, emoji. */
const denseFrom = 0x2e80;
/** What a message costs besides its words. */
const messageChars = 16;
/** Vendors scale an image to about this. */
const imageTokens = 1500;

/**
 * What the vendor reported with the last answer, and a quarter of a token for each character that came after it. Without
 * a report every character counts, those of the prompt and the tools too.
 */
export function estimateTokens({
  messages,
  system,
  tools,
}: Pick<ModelRequest, 'messages' | 'system' | 'tools'>): number {
  let tokens = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant' && message.usage.totalTokens > 0) return tokens + message.usage.totalTokens;
    tokens += messageTokens(message);
  }
  const fixed = weight(system) + (tools.length === 0 ? 0 : JSON.stringify(tools).length);
  return tokens + Math.ceil(fixed / charsPerToken);
}

export function messageTokens({ content }: Pick<Message, 'content'>): number {
  let chars = messageChars;
  let images = 0;
  if (typeof content === 'string') chars += weight(content);
  else {
    for (const block of content) {
      if (block.type === 'text') chars += weight(block.text);
      else if (block.type === 'thinking') chars += weight(block.thinking) + (block.thinkingSignature?.length ?? 0);
      else if (block.type === 'toolCall') chars += block.name.length + weight(JSON.stringify(block.arguments));
      else images += 1;
    }
  }
  return Math.ceil(chars / charsPerToken) + images * imageTokens;
}

/** In characters of which four are a token. */
function weight(text: string): number {
  let dense = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= denseFrom) dense += 1;
  return text.length + dense * (charsPerToken - 1);
}
