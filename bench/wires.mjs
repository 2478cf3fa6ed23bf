/** A text answer in each wire protocol, as the strings of its server-sent events. */

const usage = { input: 10, output: 5 };

export const wires = {
  'anthropic-messages': (texts) => [
    typed({
      type: 'message_start',
      message: {
        id: 'msg_bench',
        type: 'message',
        role: 'assistant',
        model: 'bench',
        content: [],
        usage: { input_tokens: usage.input, output_tokens: 1 },
      },
    }),
    typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...texts.map((text) => typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    typed({ type: 'content_block_stop', index: 0 }),
    typed({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: usage.output } }),
    typed({ type: 'message_stop' }),
  ],

  'openai-completions': (texts) => {
    const chunk = (delta, finish_reason = null) =>
      plain({
        id: 'c',
        object: 'chat.completion.chunk',
        model: 'bench',
        choices: [{ index: 0, delta, finish_reason }],
      });
    return [
      ...texts.map((content) => chunk({ content })),
      chunk({}, 'stop'),
      plain({ id: 'c', choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } }),
      'data: [DONE]\n\n',
    ];
  },

  'openai-responses': (texts) => {
    const text = texts.join('');
    const part = (whole) => ({ type: 'output_text', text: whole, annotations: [] });
    const item = (status, content) => ({ type: 'message', id: 'msg_1', role: 'assistant', status, content });
    const response = (status, output, tokens) => ({ id: 'resp_1', model: 'bench', status, output, usage: tokens });
    const tokens = { input_tokens: usage.input, output_tokens: usage.output, total_tokens: 15 };
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const done = item('completed', [part(text)]);
    return [
      { type: 'response.created', response: response('in_progress', [], null) },
      { type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) },
      { type: 'response.content_part.added', ...at, part: part('') },
      ...texts.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text },
      { type: 'response.content_part.done', ...at, part: part(text) },
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.completed', response: response('completed', [done], tokens) },
    ].map((event, sequence_number) => typed({ ...event, sequence_number }));
  },

  'google-generative-ai': (texts) => {
    const usageMetadata = { promptTokenCount: usage.input, candidatesTokenCount: usage.output, totalTokenCount: 15 };
    const chunk = (text, finish) =>
      plain({
        candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...finish }],
        usageMetadata,
        modelVersion: 'bench',
        responseId: 'r',
      });
    return [...texts.map((text) => chunk(text)), chunk('', { finishReason: 'STOP' })];
  },
};

function typed(event) {
  return `event: ${event.type}\n${plain(event)}`;
}

function plain(event) {
  return `data: ${JSON.stringify(event)}\n\n`;
}
