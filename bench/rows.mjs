/** The rows about a run from its start to its end: how one round measures them, and the budgets of the design. */
import { fileURLToPath } from 'node:url';
import { chunkCount, chunkText, echoTurns, otherApis, parallelCommands } from './scenarios.mjs';

const eightFile = fileURLToPath(new URL('./eight.mjs', import.meta.url));

const rows = [
  { key: 'bare', name: 'bare node -e 0', unit: 'ms', yardstick: 'bare' },
  { key: 'version', name: 'tau --version', unit: 'ms', yardstick: 'bare', times: 1.5 },
  { key: 'firstRequest', name: 'start to first request', unit: 'ms', yardstick: 'bare', times: 2.5 },
  { key: 'answer', name: 'one-word answer', unit: 'ms', yardstick: 'bare', times: 3 },
  { key: 'memory', name: 'peak memory', unit: 'MB', yardstick: 'bareMemory', atMost: 65 },
  { key: 'toolTurn', name: 'one tool turn, echo', unit: 'ms', atMost: 5 },
  { key: 'eight', name: '8 commands of 0.2 s by Node alone', unit: 'ms' },
  { key: 'parallel', name: '8 commands of 0.2 s', unit: 'ms', yardstick: 'eight', atMost: 225 },
  // The budget is 25 ms above a floor of 200; what the floor is here, the row before says.
  { key: 'parallelOwn', name: 'what tau adds to them', unit: 'ms', atMost: 25 },
  { key: 'chunks', name: '20,000 chunks', unit: 'ms', yardstick: 'bare', atMost: 120 },
  { key: 'requestBytes', name: 'first request, bytes', unit: 'B', atMost: 8 * 1024 },
  { key: 'minimalBytes', name: 'first request, four tools', unit: 'B', atMost: 5 * 1024 },
  { key: 'tls', name: 'start to first request, TLS', unit: 'ms', yardstick: 'bare', times: 3.5 },
  ...otherApis().flatMap((api) => [
    { key: `first/${api}`, name: `first request, ${api}`, unit: 'ms', yardstick: 'bare', times: 2.5 },
    { key: `tls/${api}`, name: `first request, TLS, ${api}`, unit: 'ms', yardstick: 'bare', times: 3.5 },
    { key: `memory/${api}`, name: `peak memory, ${api}`, unit: 'MB', yardstick: 'bareMemory', atMost: 65 },
    { key: `chunks/${api}`, name: `20,000 chunks, ${api}`, unit: 'ms', yardstick: 'bare', atMost: 120 },
  ]),
];

export const start = { rows, prepare: async () => undefined, sample };

/** One sample of every row. A run that did not do its work throws: its time would mean nothing. */
async function sample(workplace, binary) {
  const print = [binary, '-p', 'hi'];
  const withTools = [...print, '--allow', 'bash'];
  const bare = await workplace.node(['-e', '0']);
  const version = await workplace.node([binary, '--version']);
  const answer = await workplace.scenario('answer', print);
  const bareMemory = await workplace.node(['-e', '0'], { memory: true });
  const memory = await workplace.scenario('answer', print, { memory: true });
  const oneTurn = await workplace.scenario('echoOnce', withTools);
  const manyTurns = await workplace.scenario('echoTurns', withTools);
  const eight = await workplace.node([eightFile]);
  const parallel = await workplace.scenario('parallel', withTools);
  const chunks = await workplace.scenario('chunks', print);
  const minimal = await workplace.scenario('answer', [...print, '--tools', 'minimal']);

  const tls = await workplace.scenario('answer', print, { env: workplace.secureEnv });
  const others = {};
  for (const api of otherApis())
    Object.assign(others, await sampleApi(workplace, [...print, '--model', `${api}/scripted`], api));

  expectAnswer(tls, 'ok', 1);
  expectAnswer(answer, 'ok', 1);
  expectAnswer(memory, 'ok', 1);
  expectAnswer(minimal, 'ok', 1);
  expectAnswer(oneTurn, 'done', 2);
  expectAnswer(manyTurns, 'done', echoTurns + 1);
  expectAnswer(parallel, 'done', 2);
  expectAnswer(chunks, chunkText.repeat(chunkCount).trim(), 1);
  expectResults(oneTurn, 1);
  expectResults(manyTurns, echoTurns);
  expectResults(parallel, parallelCommands);

  const eightAlone = Number(eight.stdout);
  const together = parallel.requests[1].arrivedAt - parallel.requests[0].answeredAt;
  return {
    bare: bare.wall,
    bareMemory: bareMemory.peak,
    version: version.wall,
    firstRequest: answer.requests[0].arrivedAt - answer.startedAt,
    answer: answer.wall,
    memory: memory.peak,
    toolTurn: (manyTurns.wall - oneTurn.wall) / (echoTurns - 1),
    eight: eightAlone,
    parallel: together,
    parallelOwn: together - eightAlone,
    chunks: chunks.wall,
    requestBytes: Buffer.byteLength(answer.requests[0].body),
    minimalBytes: Buffer.byteLength(minimal.requests[0].body),
    tls: tls.requests[0].arrivedAt - tls.startedAt,
    ...others,
  };
}

async function sampleApi(workplace, command, api) {
  const first = await workplace.scenario(`answer/${api}`, command);
  const tls = await workplace.scenario(`answer/${api}`, command, { env: workplace.secureEnv });
  const memory = await workplace.scenario(`answer/${api}`, command, { memory: true });
  const chunks = await workplace.scenario(`chunks/${api}`, command);
  expectAnswer(first, 'ok', 1);
  expectAnswer(tls, 'ok', 1);
  expectAnswer(memory, 'ok', 1);
  expectAnswer(chunks, chunkText.repeat(chunkCount).trim(), 1);
  return {
    [`first/${api}`]: first.requests[0].arrivedAt - first.startedAt,
    [`tls/${api}`]: tls.requests[0].arrivedAt - tls.startedAt,
    [`memory/${api}`]: memory.peak,
    [`chunks/${api}`]: chunks.wall,
  };
}

export function expectAnswer({ stdout, requests }, text, count) {
  if (requests.length !== count) throw new Error(`expected ${count} requests and saw ${requests.length}`);
  if (!stdout.trim().endsWith(text)) throw new Error(`expected an answer that ends in ${text.slice(-40)}: ${stdout}`);
}

/** Every call came back, and none as an error: a denied command is fast. */
export function expectResults({ requests }, count) {
  const { messages } = JSON.parse(requests.at(-1).body);
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const failed = results.find(({ is_error }) => is_error);
  if (failed) throw new Error(`a command failed: ${JSON.stringify(failed.content)}`);
  if (results.length !== count) throw new Error(`expected ${count} tool results and saw ${results.length}`);
}
