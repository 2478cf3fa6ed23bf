// An HTTP endpoint: POST /api/prompt {"prompt": "..."} answers with the events of the run, as server-sent events. When the
// client goes away, the run is aborted, and with it the request to the model and the commands it started.
//   node examples/sse-server.mjs 8080
//   curl -N -H 'content-type: application/json' -d '{"prompt":"hello"}' http://127.0.0.1:8080/api/prompt
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createAgent, describeError } from '@tau/cli/sdk';

const maxBodyBytes = 1024 * 1024;

// One agent is one conversation. Prompts that come while it works wait for their turn.
const agent = await createAgent({ cwd: process.cwd() }).catch((error) => {
  console.error(describeError(error));
  process.exit(2);
});

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function readPrompt(request) {
  const parts = [];
  let bytes = 0;
  // Read to its end also when it is too long: who still sends does not hear a refusal.
  for await (const part of request) {
    bytes += part.length;
    if (bytes <= maxBodyBytes) parts.push(part);
  }
  if (bytes > maxBodyBytes) throw new Refusal(413, `the body may have ${maxBodyBytes} bytes`);
  try {
    const { prompt } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (typeof prompt === 'string' && prompt.trim() !== '') return prompt;
  } catch {
    // No JSON: the same complaint.
  }
  throw new Refusal(400, 'send {"prompt": "..."}');
}

async function answer(request, response) {
  // There is no login here, so only this machine may ask, and no page of another site in its browser: those can neither
  // send this content type unasked nor this host name.
  if (!/^(127\.0\.0\.1|localhost):\d+$/.test(request.headers.host ?? '')) throw new Refusal(403, 'wrong host');
  if (request.url !== '/api/prompt') throw new Refusal(404, 'there is only /api/prompt');
  if (request.method !== 'POST') throw new Refusal(405, 'use POST');
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) throw new Refusal(415, 'send JSON');

  const control = new AbortController();
  response.once('close', () => control.abort());
  // Writing to a client that has just left fails; that it left is all there is to know.
  response.on('error', () => {});
  const run = agent.prompt(await readPrompt(request), { signal: control.signal });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for await (const event of run) {
    // A slow client makes nobody wait but itself: meanwhile deltas are joined.
    const written = response.write(`data: ${JSON.stringify(event)}\n\n`);
    if (!written) await once(response, 'drain', { signal: control.signal }).catch(() => {});
  }
  response.end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (response.headersSent) return response.end();
    response.writeHead(error.status ?? 500, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ error: describeError(error) }));
  });
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});

for (const name of ['SIGINT', 'SIGTERM']) {
  process.once(name, async () => {
    server.close();
    server.closeAllConnections();
    await agent.idle();
    await agent.close();
  });
}
