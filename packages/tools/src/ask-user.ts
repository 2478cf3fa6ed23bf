/** `ask_user`: questions only the user can answer, one after another. Nothing is approved by it. */
import {
  errorResult,
  isRecord,
  type JsonSchema,
  type Question,
  type Reply,
  type Tool,
  type ToolInput,
  textResult,
} from '@tau/core';
import { flag, optionalObjects, optionalText, text } from './input.ts';

const question: Record<string, JsonSchema> = {
  question: { type: 'string', minLength: 1 },
  options: {
    type: 'array',
    maxItems: 20,
    items: {
      type: 'object',
      properties: { label: { type: 'string', minLength: 1 }, description: { type: 'string' } },
      required: ['label'],
    },
  },
  multi_select: { type: 'boolean' },
};

export function askUserTool(): Tool {
  return {
    name: 'ask_user',
    description: 'Ask the user, when only they can know or decide. They may choose options or answer in words.',
    snippet: 'ask the user a question',
    deferred: true,
    parameters: {
      type: 'object',
      properties: {
        ...question,
        more: {
          type: 'array',
          maxItems: 10,
          items: { type: 'object', properties: question, required: ['question'] },
          description: 'further questions',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
    aliases: { multiSelect: 'multi_select', choices: 'options', prompt: 'question' },
    prepare,
    effects: () => [],
    async run(input, { ask }) {
      const questions = [input, ...(optionalObjects(input, 'more') ?? [])].map(readQuestion);
      const told: { question: string; reply: Reply }[] = [];
      for (const one of questions) {
        const reply = await ask(one);
        told.push({ question: one.question, reply });
        if ('unattended' in reply) break;
      }
      const lines = told.map((one) => (questions.length > 1 ? `${one.question}\n${said(one.reply)}` : said(one.reply)));
      const result = told.some(({ reply }) => 'unattended' in reply) ? errorResult : textResult;
      return result(lines.join('\n\n'), { replies: told });
    },
  };
}

function readQuestion(input: ToolInput): Question {
  const options = (optionalObjects(input, 'options') ?? []).map((option) => {
    const description = optionalText(option, 'description');
    return { label: text(option, 'label'), ...(description !== undefined && { description }) };
  });
  return { question: text(input, 'question'), options, multiSelect: flag(input, 'multi_select') };
}

function said(reply: Reply): string {
  if ('unattended' in reply) {
    return 'Nobody is there to answer: decide yourself, and say in your answer what you assumed.';
  }
  if ('declined' in reply) return 'The user would not answer: decide yourself, or go on without it.';
  return reply.answers.length === 0 ? 'The user chose nothing.' : `The user answered: ${reply.answers.join(', ')}`;
}

/** Other agents send a list of questions, headings for them, and options that are only words. */
function prepare(input: ToolInput): ToolInput {
  const { questions, header: _, ...rest } = input;
  const list = Array.isArray(questions) ? questions.filter(isRecord) : [];
  const [first, ...more] = rest.question === undefined ? list : [rest, ...list];
  if (!first) return input;
  const { header: __, ...single } = withOptions(first);
  return more.length === 0 ? single : { ...single, more: more.map(withOptions) };
}

function withOptions(input: ToolInput): ToolInput {
  const { options } = input;
  if (!Array.isArray(options)) return input;
  return { ...input, options: options.map((one: unknown) => (typeof one === 'string' ? { label: one } : one)) };
}
