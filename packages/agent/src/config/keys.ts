/**
 * Every setting there is, in one table: the validator, the published JSON Schema, the page in `docs/`, the environment
 * variables and what a project may set are all made from it.
 */
import { type JsonSchema, permissionModes, thinkingLevels } from '@tau/core';
import type { RegistryName } from '@tau/host';
import type { SettingName } from './types.ts';

/**
 * What a project that is not trusted may do with a setting: anything, nothing, or only make it stricter. Stricter is
 * `less` of a number or a mode, `fewer` of a list, or a switch that may only be turned `off` or `on`. Of entries by name it
 * may bring `new` ones, of styles a `known` one, for words of its own would stand in the prompt as the user's.
 */
export type ProjectPolicy = 'yes' | 'no' | 'less' | 'fewer' | 'off' | 'on' | 'new' | 'known';

export interface Key {
  about: string;
  schema: JsonSchema;
  /** What counts when no layer says otherwise; what is left out depends on something else, or is nothing. */
  default?: unknown;
  project: ProjectPolicy;
  /** An ordered list: a later layer's takes the place of an earlier one's instead of being added to it. */
  ordered?: true;
  example: unknown;
}

const text: JsonSchema = { type: 'string', minLength: 1 };
const texts: JsonSchema = { type: 'array', items: text };
/** A rule, or a rule with examples of what it must and must not cover. */
const examples: JsonSchema = { type: 'array', items: { type: 'string' } };
const rule: JsonSchema = {
  title: 'rules',
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: { rule: text, match: examples, notMatch: examples, writable: texts, hosts: texts },
      required: ['rule'],
      additionalProperties: false,
    },
  ],
  description: 'a rule, or { "rule": …, "match": […], "notMatch": […], "writable": […], "hosts": […] }',
};
const rules: JsonSchema = { type: 'array', items: rule };
const map: JsonSchema = { type: 'object', additionalProperties: text };
const yesOrNo: JsonSchema = { type: 'boolean' };
const count: JsonSchema = { type: 'integer', minimum: 1 };
const seconds: JsonSchema = { type: 'number', exclusiveMinimum: 0, maximum: 86_400 };
const waitMs: JsonSchema = { type: 'number', exclusiveMinimum: 0, maximum: 600_000 };
const queueMode: JsonSchema = { enum: ['one-at-a-time', 'all'] };

/** The compiler asks for every name there is. What each stands for is known where commands are contained. */
const registryNames: Readonly<Record<RegistryName, true>> = {
  npm: true,
  node: true,
  jsr: true,
  deno: true,
  pypi: true,
  conda: true,
  crates: true,
  go: true,
  maven: true,
  gradle: true,
  rubygems: true,
  packagist: true,
  nuget: true,
  hex: true,
  pub: true,
  hackage: true,
  cpan: true,
  cran: true,
  cocoapods: true,
  debian: true,
  ubuntu: true,
  alpine: true,
  fedora: true,
  homebrew: true,
};

/** What it is about, what it may be, what a project may do with it, and an example that differs from the default. */
function key(
  about: string,
  schema: JsonSchema,
  project: ProjectPolicy,
  example: unknown,
  more: Pick<Key, 'default' | 'ordered'> = {},
): Key {
  return { about, schema, project, example, ...more };
}

export const keys: Readonly<Record<SettingName, Key>> = {
  model: key(
    'the model to talk to: provider/id[:thinking], an alias, or a part of the name',
    text,
    'yes',
    'anthropic/claude-sonnet-5-5',
  ),
  provider: key('where to look for the model', text, 'yes', 'anthropic'),
  thinking: key('how hard the model thinks', { enum: [...thinkingLevels] }, 'yes', 'high'),
  fallbackModels: key('asked in this order when the model cannot answer', texts, 'yes', ['openai/gpt-5.4'], {
    ordered: true,
  }),
  smallModel: key('what --model small means: for quick and cheap work', text, 'yes', 'anthropic/claude-haiku-5-5'),
  planModel: key('the model while the mode is plan', text, 'yes', 'anthropic/claude-opus-4-8'),
  aliases: key('names of your own for models', map, 'new', { quick: 'groq/openai/gpt-oss-20b' }),
  availableModels: key(
    'patterns; only models that fit one of them are offered and accepted',
    texts,
    'fewer',
    ['anthropic/*', 'openai/gpt-5*'],
    { ordered: true },
  ),
  cycleModels: key(
    'names or patterns; the keys for the next and the previous model go through these',
    texts,
    'yes',
    ['anthropic/claude-*', 'openai/gpt-5.4'],
    { ordered: true },
  ),
  baseUrl: key(
    "the address of the model's provider",
    { type: 'string', pattern: '^https?://' },
    'no',
    'https://llm.example.org/v1',
  ),
  apiKeyHelper: key(
    'a command that prints the key of the provider named in TAU_PROVIDER',
    text,
    'no',
    'pass show llm/$TAU_PROVIDER',
  ),
  caFile: key("certificates to trust besides the system's, as a PEM file", text, 'no', '~/company-ca.pem'),
  maxTokens: key('output tokens of one answer', count, 'less', 32_000),
  temperature: key('how much chance there is in an answer', { type: 'number', minimum: 0, maximum: 2 }, 'yes', 0.2),
  topP: key('the share of likely words an answer is made of', { type: 'number', minimum: 0, maximum: 1 }, 'yes', 0.9),
  'retry.retries': key('tries after the first, for each model', { type: 'integer', minimum: 0, maximum: 20 }, 'no', 5, {
    default: 3,
  }),
  'retry.baseMs': key('the first wait; it doubles each time, and half of it is chance', waitMs, 'no', 1000, {
    default: 500,
  }),
  'retry.maxMs': key('the longest wait', waitMs, 'no', 10_000, { default: 30_000 }),
  'retry.maxWaitSecs': key('a provider that asks for a longer wait is not waited for', seconds, 'no', 120, {
    default: 60,
  }),
  permissionMode: key(
    'what happens without asking, see permissions.md',
    { enum: [...permissionModes] },
    'less',
    'plan',
    { default: 'default' },
  ),
  'permissions.allow': key('rules for what is allowed without asking', rules, 'no', ['bash(npm test:*)']),
  'permissions.ask': key('rules for what is always asked about', rules, 'yes', ['bash(npm install:*)']),
  'permissions.deny': key('rules for what never happens', rules, 'yes', ['bash(git push:*)']),
  additionalDirectories: key('folders that count as inside, like the project', texts, 'no', ['~/notes']),
  shellConfirm: key('commands are asked about; the dangerous ones always are', yesOrNo, 'no', false, { default: true }),
  auditLog: key('everything decided goes to logs/permissions.jsonl in ~/.tau', yesOrNo, 'no', false, { default: true }),
  hooks: key(
    'what runs at events of a session, see hooks.md',
    {
      anyOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }],
      description: "a list of hooks, or an object as in Claude Code's settings",
    },
    'no',
    [{ event: 'PreToolUse', match: 'bash(git push:*)', command: '~/bin/may-push' }],
  ),
  disableAllHooks: key('no hook of the settings runs', yesOrNo, 'no', true, { default: false }),
  claudeHooks: key("the hooks in Claude Code's settings run too, see hooks.md", yesOrNo, 'no', true, {
    default: false,
  }),
  claudeRules: key(
    "the permission rules in Claude Code's settings: true all of them, false none; not set, those that ask or deny, see permissions.md",
    yesOrNo,
    'no',
    true,
  ),
  fileAccessLog: key('which files tools read and wrote goes to logs/files.jsonl in ~/.tau', yesOrNo, 'no', true, {
    default: false,
  }),
  tools: key(
    'the tools the model gets: a list of names, "minimal" or "default"',
    { anyOf: [{ enum: ['minimal', 'default'] }, texts], description: 'a list of names, "minimal" or "default"' },
    'fewer',
    ['read', 'grep', 'bash'],
    { default: 'default', ordered: true },
  ),
  excludeTools: key('tools the model does not get', texts, 'yes', ['web_fetch']),
  systemPrompt: key("takes the place of tau's own instructions", text, 'no', 'You review code.'),
  appendSystemPrompt: key("comes after tau's own instructions", text, 'no', 'Explain each change in one line.'),
  customInstructions: key('what you want to be kept in mind', text, 'no', 'Use tabs.'),
  language: key('the language of the answers', text, 'yes', 'Deutsch'),
  outputStyle: key(
    'how answers are written: concise, explanatory, learning, or a text of your own',
    text,
    'known',
    'concise',
  ),
  contextFiles: key('AGENTS.md and CLAUDE.md go into the prompt', yesOrNo, 'off', false, { default: true }),
  'gitContext.enabled': key("the repository's status goes into the prompt", yesOrNo, 'off', true, { default: false }),
  'gitContext.maxDiffLines': key(
    'lines of a summary of what changed that go with it',
    { type: 'integer', minimum: 0, maximum: 1000 },
    'less',
    50,
    { default: 0 },
  ),
  'gitContext.pullRequest': key("the branch's pull request goes into the prompt, by running gh", yesOrNo, 'no', true, {
    default: false,
  }),
  respectGitignore: key('grep and glob leave out what git ignores', yesOrNo, 'on', false, { default: true }),
  env: key('variables for commands', { type: 'object', additionalProperties: { type: 'string' } }, 'no', { CI: '1' }),
  shell: key('the shell that runs commands', text, 'no', '/bin/bash'),
  commandPrefix: key('a statement that runs before every command', text, 'no', 'ulimit -t 600'),
  sessionDir: key('where sessions are kept; sessions/ in ~/.tau if not set', text, 'no', '~/sessions'),
  steeringMode: key('how many waiting messages a run is told after a batch', queueMode, 'yes', 'all', {
    default: 'one-at-a-time',
  }),
  followUpMode: key('how many waiting follow-ups a run goes on with', queueMode, 'yes', 'all', {
    default: 'one-at-a-time',
  }),
  maxTurns: key('a run stops after so many turns', count, 'less', 50),
  maxTotalTokens: key('a run stops before the request that would use more tokens', count, 'less', 2_000_000),
  maxBudgetUsd: key(
    'a run stops before the request that would cost more',
    { type: 'number', exclusiveMinimum: 0 },
    'less',
    5,
  ),
  verbose: key('more about what happens, on stderr', yesOrNo, 'yes', true, { default: false }),
  tips: key('a hint now and then, where it fits', yesOrNo, 'yes', false, { default: true }),
  theme: key('the colours of the screen: auto, or the name of a theme, see themes.md', text, 'yes', 'light', {
    default: 'auto',
  }),
  statusLine: key(
    'a command whose output is a line of the footer; it is told about the conversation as JSON on stdin',
    text,
    'no',
    '~/bin/status-line',
  ),
  notifications: key(
    'how you are called back when tau asks or is done and you look elsewhere: as the terminal can, bell, desktop, off',
    { enum: ['auto', 'bell', 'desktop', 'off'] },
    'no',
    'bell',
    { default: 'auto' },
  ),
  terminalTitle: key('the title of the window tells the project and what tau does', yesOrNo, 'yes', false, {
    default: true,
  }),
  vim: key('prompts are edited with the keys of vim', yesOrNo, 'yes', true, { default: false }),
  doubleEscapeAction: key(
    'what Escape does twice on an empty line: go back here, in a copy, or nothing',
    { enum: ['tree', 'fork', 'none'] },
    'yes',
    'none',
    { default: 'tree' },
  ),
  color: key(
    'colours in the output; auto is for terminals only',
    { enum: ['auto', 'always', 'never'] },
    'yes',
    'never',
    { default: 'auto' },
  ),
  'webFetch.enabled': key('the model may get the tool that reads web pages', yesOrNo, 'off', false, { default: true }),
  'webFetch.privateHosts': key('private addresses that may be fetched, as host or host:port', texts, 'no', [
    'localhost:8080',
  ]),
  'sandbox.enabled': key('commands run in a sandbox where there is one, see sandbox.md', yesOrNo, 'on', false, {
    default: true,
  }),
  'sandbox.backend': key(
    'which sandbox; auto is the one of the system',
    { enum: ['auto', 'bubblewrap', 'seatbelt'] },
    'no',
    'bubblewrap',
    { default: 'auto' },
  ),
  'sandbox.hosts': key('hosts that commands in the sandbox may reach: example.org, *.example.org', texts, 'no', [
    'docs.example.org',
  ]),
  'sandbox.registries': key(
    'package registries they may reach, by name: npm, pypi, crates, go …, see sandbox-network.md',
    { type: 'array', items: { enum: Object.keys(registryNames), title: 'names' } },
    'no',
    ['npm'],
  ),
  'sandbox.writable': key('files and folders they may change besides the project', texts, 'no', ['~/.cache/tool']),
  'sandbox.unreadable': key(
    'files and folders that neither they nor file tools get at, besides credentials',
    texts,
    'yes',
    ['~/private'],
  ),
  'limits.parallelTools': key('calls of one message that run at the same time', count, 'less', 4, { default: 10 }),
  'limits.resultChars': key(
    'characters of one result that reach the model; the rest goes to a file',
    count,
    'less',
    50_000,
    { default: 100_000 },
  ),
  'limits.bashTimeoutSecs': key('how long a command may take when the model does not say', seconds, 'less', 60, {
    default: 120,
  }),
  'limits.bashMaxTimeoutSecs': key('the longest time the model may ask for', seconds, 'less', 300, { default: 3600 }),
  'limits.modelIdleSecs': key('how long a provider may stay silent', seconds, 'less', 60, { default: 120 }),
  'limits.readLines': key('lines of a file that one read gives', count, 'less', 500, { default: 2000 }),
  'limits.readBytes': key('bytes of a file that one read gives', count, 'less', 20_000, { default: 51_200 }),
  'limits.repeatedCalls': key('a run stops when the same call was made so many times in a row', count, 'less', 3, {
    default: 5,
  }),
  'limits.recoveries': key(
    'how often a run mends one kind of failure by itself',
    { type: 'integer', minimum: 0 },
    'less',
    1,
    { default: 3 },
  ),
};

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(keys, name);
}

export function settingNames(): SettingName[] {
  return Object.keys(keys).filter(isSettingName);
}

/** A wrong or misspelt one of these stops tau: a guard must not silently be missing. */
export function isGuard(name: string): boolean {
  return /^(permission|sandbox)/i.test(name);
}
