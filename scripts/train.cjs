// Runs a fresh build once against a model that is played here, and keeps what V8 compiled for it beside the build.
// Functions that the run did not need are left out: they would only make the cache slower to read.
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { cacheOf, load, scripts } = require('../packages/cli/bin/load.cjs');

const entry = join(process.argv[2], 'tau.cjs');
const root = mkdtempSync(join(tmpdir(), 'tau-train-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

const replies = [
  toolReply([
    ['read', { path: 'note.txt' }],
    ['bash', { command: 'echo one' }],
    ['bash', { command: 'echo two && true' }],
    ['edit', { path: 'note.txt', old_string: 'one', new_string: 'two' }],
  ]),
  textReply('done'),
];

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
  const providers = { played: { baseUrl, api: 'anthropic-messages', apiKey: 'none', models } };
  writeFileSync(join(home, 'models.json'), JSON.stringify({ providers }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ model: 'played/played' }));
  for (const name of Object.keys(process.env)) if (name.startsWith('TAU_')) delete process.env[name];
  process.env.TAU_HOME = home;
  process.chdir(project);
  process.argv = [process.argv[0], entry, '-p', 'hi', '--allow', 'bash', '--permission-mode', 'acceptEdits'];
  process.once('beforeExit', save);
  load(entry);
}

function save() {
  if (replies.length > 0 || process.exitCode) throw new Error('the training run did not do its work');
  for (const [file, { script }] of scripts) {
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
