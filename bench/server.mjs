/**
 * The bench's model, in a process of its own so that it never shares a thread with the clock. Its parent picks a
 * scenario over IPC and afterwards asks for the report: when each request came and when each answer was out.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { now } from './clock.mjs';
import { scenarios } from './scenarios.mjs';

serve();

function serve() {
  let replies = [];
  let requests = [];

  const answer = async (incoming, response) => {
    // A request counts from its headers: they are its first bytes.
    const record = { arrivedAt: now(), answeredAt: undefined, body: '' };
    const reply = replies[requests.push(record) - 1];
    const parts = [];
    for await (const part of incoming) parts.push(part);
    record.body = Buffer.concat(parts).toString('utf8');
    if (reply === undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'unexpected' } }));
      return;
    }
    response.once('finish', () => {
      record.answeredAt = now();
    });
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const { parts: batches = reply, everyMs } = reply;
    for (const batch of batches.slice(0, -1)) {
      if (!response.write(batch)) await once(response, 'drain');
      if (everyMs !== undefined) await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    response.end(batches.at(-1));
  };

  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message.scenario) {
      replies = scenarios[message.scenario];
      requests = [];
      process.send({ ready: true });
    } else {
      process.send({ requests });
    }
  });
  const [, , key, cert] = process.argv;
  const plain = createServer(answer);
  const secure = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer);
  Promise.all([plain, secure].map(listen)).then(([port, securePort]) => process.send({ port, securePort }));
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}
