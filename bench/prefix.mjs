/** Rows about bytes: how much of what was sent is sent otherwise in the next turn. It is paid for again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const paths = {
  'anthropic-messages': '',
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'google-generative-ai': '/v1beta',
};
const turns = 6;
/** Every protocol keeps the conversation last, so a request ends with these two. */
const closing = ']}';

export const prefix = {
  rows: Object.keys(paths).map((api) => ({
    key: `prefix/${api}`,
    name: `bytes sent otherwise, ${api}`,
    unit: 'B',
    atMost: 0,
  })),

  /** Measured once: bytes do not vary from round to round. */
  async prepare(workplace, binary) {
    const { startScriptedModel } = await testkit(workplace.root);
    const figures = {};
    for (const api of Object.keys(paths)) {
      const steps = Array.from({ length: turns }, (_, turn) => ({
        blocks: [{ thinking: 'hm' }, { text: 'next' }, { call: 'bash', input: { command: `echo turn ${turn}` } }],
      }));
      const model = await startScriptedModel([...steps, { blocks: [{ text: 'done' }] }]);
      try {
        const env = home(workplace, api, model.url + paths[api]);
        await workplace.node([binary, '-p', 'hi', '--allow', 'bash', '--no-session'], { env });
        if (model.requests.length !== turns + 1) throw new Error(`${api}: ${model.requests.length} requests`);
        figures[`prefix/${api}`] = changedBytes(model.requests.map(({ raw }) => raw));
      } finally {
        await model.close();
      }
    }
    return figures;
  },

  sample: async (_workplace, _binary, figures) => figures,
};

/** The bytes of requests that their successors do not begin with. */
function changedBytes(requests) {
  let changed = 0;
  for (const [at, later] of requests.slice(1).entries()) {
    const earlier = requests[at].slice(0, -closing.length);
    let same = 0;
    while (same < earlier.length && earlier[same] === later[same]) same += 1;
    changed += Buffer.byteLength(earlier.slice(same));
  }
  return changed;
}

function home({ root, env }, api, baseUrl) {
  const folder = join(root, `home-${api}`);
  mkdirSync(folder);
  const provider = { baseUrl, api, apiKey: 'test-key', models: [{ id: 'scripted', reasoning: true }] };
  writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers: { scripted: provider } }));
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ model: 'scripted/scripted' }));
  return { ...env, TAU_HOME: folder };
}

/** The tests' model knows every protocol. It is TypeScript, so it is bundled first. */
async function testkit(root) {
  const outfile = join(root, 'testkit.mjs');
  const entry = fileURLToPath(new URL('../packages/testkit/src/scripted-model.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}
