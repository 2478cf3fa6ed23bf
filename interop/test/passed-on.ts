/** Has an SDK send what tau would send, the way a user of the SDK would write it. */
import type Anthropic from '@anthropic-ai/sdk';
import type { GenerateContentConfig, GenerateContentParameters } from '@google/genai';
import type OpenAI from 'openai';
import type { WireApi } from './answers.ts';
import type { Row } from './requests.ts';
import { anthropicAt, googleAt, openaiAt } from './sdks.ts';

type PassOn = (url: string, row: Row) => Promise<AsyncIterable<unknown>>;

/** To a server at this address; gives what it answers. */
export const passOn: Record<WireApi, PassOn> = {
  'anthropic-messages': async (url, { wire }) => {
    const betas = betasOf(wire);
    if (betas.length > 0) {
      const body: Anthropic.Beta.MessageCreateParamsStreaming = JSON.parse(wire.body);
      return anthropicAt(url).beta.messages.create({ ...body, betas });
    }
    const body: Anthropic.MessageCreateParamsStreaming = JSON.parse(wire.body);
    return anthropicAt(url).messages.create(body);
  },
  'openai-completions': async (url, { wire }) => {
    const body: OpenAI.ChatCompletionCreateParamsStreaming = JSON.parse(wire.body);
    return openaiAt(url).chat.completions.create(body);
  },
  'openai-responses': async (url, { wire }) => {
    const body: OpenAI.Responses.ResponseCreateParamsStreaming = JSON.parse(wire.body);
    return openaiAt(url).responses.create(body);
  },
  'google-generative-ai': async (url, row) => googleAt(url).models.generateContentStream(googleCall(row)),
};

/** Fields of a beta have types of their own. */
export function betasOf({ headers }: Row['wire']): string[] {
  return headers['anthropic-beta']?.split(',') ?? [];
}

/** A body's top, as the parts of the SDK's call: there the settings of the generation lie beside everything else. */
interface GoogleBody extends Pick<GenerateContentConfig, 'systemInstruction' | 'tools' | 'toolConfig'> {
  contents: GenerateContentParameters['contents'];
  generationConfig?: GenerateContentConfig;
}

export function googleCall({ model, wire }: Row): GenerateContentParameters {
  const { contents, generationConfig, ...rest }: GoogleBody = JSON.parse(wire.body);
  return { model: model.id, contents, config: { ...rest, ...generationConfig } };
}
