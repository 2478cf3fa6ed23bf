// Writes the recording that `tau demo` replays: Anthropic Messages responses, event by event, as they come off the wire.
import { writeFileSync } from 'node:fs';

const turns = [
  [
    { text: 'I will read the code and its tests, and run them to see how they fail.' },
    { call: 'read', input: { path: 'src/median.js' } },
    { call: 'read', input: { path: 'test/median.test.js' } },
    { call: 'bash', input: { command: 'node --test --test-reporter=spec' } },
  ],
  [
    {
      text: 'Two bugs. `sort()` without a comparator orders numbers as text, so 10 comes before 9. And for an even count the function returns one of the middle two instead of their mean.',
    },
    {
      call: 'edit',
      input: {
        path: 'src/median.js',
        edits: [
          { old_string: '[...values].sort();', new_string: '[...values].sort((a, b) => a - b);' },
          {
            old_string: '  return sorted[middle];',
            new_string:
              '  return sorted.length % 2 === 0 ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle];',
          },
        ],
      },
    },
  ],
  [{ text: 'Now the tests again.' }, { call: 'bash', input: { command: 'node --test --test-reporter=spec' } }],
  [
    {
      text: 'Fixed in `src/median.js`: the values are ordered as numbers, and an even count gives the mean of the middle two. The tests pass, 3 of 3.',
    },
  ],
];

const pieces = (text, size) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

function body(blocks, turn) {
  const events = [
    {
      type: 'message_start',
      message: {
        id: `msg_demo_${turn}`,
        type: 'message',
        role: 'assistant',
        model: 'recording',
        content: [],
        usage: { input_tokens: 900 + 400 * turn, output_tokens: 1 },
      },
    },
  ];
  for (const [index, block] of blocks.entries()) {
    const call = block.call && { type: 'tool_use', id: `toolu_demo_${turn}_${index}`, name: block.call, input: {} };
    events.push({ type: 'content_block_start', index, content_block: call ?? { type: 'text', text: '' } });
    for (const piece of pieces(call ? JSON.stringify(block.input) : block.text, 24)) {
      const delta = call ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece };
      events.push({ type: 'content_block_delta', index, delta });
    }
    events.push({ type: 'content_block_stop', index });
  }
  const stop_reason = blocks.some((block) => block.call) ? 'tool_use' : 'end_turn';
  events.push({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 60 + 10 * blocks.length } });
  events.push({ type: 'message_stop' });
  return events.map(event);
}

const lines = [{ type: 'tau-recording', version: 2 }];
for (const [turn, blocks] of turns.entries()) {
  lines.push({
    type: 'exchange',
    number: turn + 1,
    api: 'anthropic-messages',
    // Each turn adds the model's message and one message with all its results.
    messages: 1 + 2 * turn,
    status: 200,
    end: 'complete',
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    body: body(blocks, turn),
  });
}
const target = new URL('../packages/cli/demo/recording.jsonl', import.meta.url);
writeFileSync(target, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
