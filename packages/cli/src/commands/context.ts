/** What fills the context window, by kind: an estimate, four characters a token, beside what the provider last counted. */
import type { Agent, Message } from '@tau/agent';

export interface Share {
  what: string;
  tokens: number;
}

const charsPerToken = 4;
/** What vendors count for a picture of usual size. */
const imageTokens = 1500;
const barWidth = 24;

export function contextText(agent: Agent): string {
  const shares = sharesOf(agent);
  const total = shares.reduce((sum, { tokens }) => sum + tokens, 0);
  const window = agent.model.contextWindow;
  const last = agent.messages().findLast((message) => message.role === 'assistant');
  const rows = shares.map(({ what, tokens }) => {
    const part = tokens / (window ?? Math.max(total, 1));
    return `  ${what.padEnd(13)} ${count(tokens).padStart(8)}  ${bar(part)} ${(100 * part).toFixed(1)} %`;
  });
  const used = last?.usage.totalTokens ?? 0;
  return [
    `About ${count(total)} tokens${window === undefined ? '' : ` of ${count(window)}`}, estimated by kind:`,
    ...rows,
    ...(used > 0 ? [`The provider counted ${count(used)} tokens in the last exchange.`] : []),
    ...(window === undefined ? ['How much the model can take is not known.'] : []),
  ].join('\n');
}

/** Estimated, the biggest kinds of a request in its order. */
export function sharesOf(agent: Agent): Share[] {
  const files = agent.contextFiles.reduce((sum, { text }) => sum + text.length, 0);
  const chars = { words: 0, answers: 0, calls: 0, results: 0 };
  let images = 0;
  for (const message of agent.messages()) {
    images += imagesIn(message);
    const size = sizeOf(message);
    chars.words += size.words;
    chars.answers += size.answers;
    chars.calls += size.calls;
    chars.results += size.results;
  }
  const inTokens = (length: number) => Math.ceil(length / charsPerToken);
  const shares = [
    { what: 'instructions', tokens: inTokens(Math.max(0, agent.systemPrompt.length - files)) },
    { what: 'context files', tokens: inTokens(files) },
    { what: 'tools', tokens: inTokens(JSON.stringify(agent.toolSpecs()).length) },
    { what: 'your words', tokens: inTokens(chars.words) },
    { what: 'answers', tokens: inTokens(chars.answers) },
    { what: 'calls', tokens: inTokens(chars.calls) },
    { what: 'results', tokens: inTokens(chars.results) },
    { what: 'images', tokens: images * imageTokens },
  ];
  return shares.filter(({ tokens }) => tokens > 0);
}

function sizeOf(message: Message): { words: number; answers: number; calls: number; results: number } {
  const size = { words: 0, answers: 0, calls: 0, results: 0 };
  const kind = message.role === 'assistant' ? 'answers' : message.role === 'toolResult' ? 'results' : 'words';
  if (typeof message.content === 'string') return { ...size, [kind]: message.content.length };
  for (const block of message.content) {
    if (block.type === 'text') size[kind] += block.text.length;
    else if (block.type === 'thinking') size.answers += block.thinking.length;
    else if (block.type === 'toolCall') size.calls += block.name.length + JSON.stringify(block.arguments).length;
  }
  return size;
}

function imagesIn({ content }: Message): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length;
}

function bar(share: number): string {
  const filled = Math.min(barWidth, Math.round(share * barWidth));
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled);
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
