// Runs a fresh build once against a model that is played here, and keeps what V8 compiled for it beside the build, with
// what earlier runs left there. Functions that no run needed are left out: they would only make the cache slower to read.
// Arguments: the folder of the build, the protocol that the model speaks, and `screen` for a run at a terminal, where whoever
// started it types.
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { cacheOf, scripts, start } = require('../packages/cli/bin/load.cjs');

const dist = process.argv[2];
const root = mkdtempSync(join(tmpdir(), 'tau-train-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

const api = process.argv[3];
const sse = (...events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };

/** Acting is the same whatever is spoken, so only one of them acts. */
const otherReplies = {
  'openai-completions': sse({ choices: [{ delta: { content: 'done' } }] }, { choices: [{ finish_reason: 'stop' }] }),
  'openai-responses': sse(
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'done' },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item], usage: {} } },
  ),
  'google-generative-ai': sse({
    candidates: [{ content: { role: 'model', parts: [{ text: 'done' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  }),
};

const replies = api in otherReplies ? [otherReplies[api]] : acting();

function acting() {
  return [
    toolReply([
      ['read', { path: 'note.txt' }],
      ['bash', { command: 'echo one' }],
      ['bash', { command: 'echo two && true' }],
      ['edit', { path: 'note.txt', old_string: 'one', new_string: 'two' }],
    ]),
    textReply('done'),
  ];
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(replies.shift() ?? '');
  });
});
// Its end of a kept connection must not keep the run from ending.
server.on('connection', (socket) => socket.unref());
server.listen(0, '127.0.0.1', () => {
  server.unref();
  run(server.address().port);
});

function run(port) {
  const home = join(root, 'home');
  const project = join(root, 'project');
  mkdirSync(home);
  mkdirSync(project);
  writeFileSync(join(project, 'note.txt'), 'one\n');
  const baseUrl = `http://127.0.0.1:${port}`;
  const models = [{ id: 'played' }];
  const providers = { played: { baseUrl, api, apiKey: 'none', models } };
  writeFileSync(join(home, 'models.json'), JSON.stringify({ providers }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ model: 'played/played' }));
  for (const name of Object.keys(process.env)) if (name.startsWith('TAU_')) delete process.env[name];
  process.env.TAU_HOME = home;
  process.env.TAU_SANDBOX_ENABLED = 'false';
  process.chdir(project);
  const asked = process.argv[4] === 'screen' ? [] : ['-p', 'hi'];
  const allowed = ['--allow', 'bash', '--permission-mode', 'acceptEdits'];
  process.argv = [process.argv[0], join(dist, 'tau.cjs'), ...asked, ...allowed];
  process.once('beforeExit', save);
  start(dist);
}

function save() {
  if (replies.length > 0 || process.exitCode) throw new Error('the training run did not do its work');
  for (const [file, script] of scripts) {
    mkdirSync(dirname(cacheOf(file)), { recursive: true });
    writeFileSync(cacheOf(file), script.createCachedData());
  }
}

function toolReply(calls) {
  const blocks = calls.flatMap(([name, input], index) => [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id: `toolu_${index}`, name, input: {} } },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } },
    { type: 'content_block_stop', index },
  ]);
  return reply(blocks, 'tool_use');
}

function textReply(text) {
  const blocks = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
  ];
  return reply(blocks, 'end_turn');
}

function reply(blocks, stop_reason) {
  const message = { id: 'msg_played', model: 'played', usage: { input_tokens: 1, output_tokens: 1 } };
  const events = [
    { type: 'message_start', message },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
