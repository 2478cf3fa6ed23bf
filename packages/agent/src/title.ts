/** A name for a conversation, by a model: the small one where there is one. */
import { type Message, type Model, type StreamModel, TauError, textOf, userMessage } from '@tau/core';
import { complete } from '@tau/models';

/** So much of a conversation tells what it is about. */
const maxChars = 2000;
const maxTitle = 80;

export async function titleOf(
  messages: readonly Message[],
  { model, stream }: { model: Model; stream: StreamModel },
  signal: AbortSignal,
): Promise<string> {
  const said = messages.filter(({ role }) => role !== 'toolResult').map((one) => `${one.role}: ${textOf(one)}`);
  if (said.length === 0) throw new TauError('usage', 'Nothing was said yet', { remedy: 'Give the name yourself' });
  const ask = 'Give this conversation a title of at most six words, in its own language. Answer with the title alone.';
  const request = {
    model,
    system: '',
    messages: [userMessage(`${ask}\n\n${said.join('\n').slice(0, maxChars)}`, Date.now())],
    tools: [],
    maxTokens: 1024,
    thinking: 'off' as const,
  };
  const title = cleaned(textOf(await complete(stream, request, signal)));
  if (title === '') throw new TauError('network', 'The model gave no title', { remedy: 'Give the name yourself' });
  return title;
}

/** One line, without the quotes and full stops that models put around it. */
function cleaned(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line
    .replace(/^[\s"'“”‘’*#]+|[\s"'“”‘’*.]+$/g, '')
    .slice(0, maxTitle)
    .trim();
}
