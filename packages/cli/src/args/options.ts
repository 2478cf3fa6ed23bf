/** Every option there is, in one table: the parser, the help and the "did you mean" are made from it. */
import { permissionModes, thinkingLevels } from '@tau/agent';

export interface Option {
  name: string;
  short?: string;
  /** The value's name in the help; an option without one is a switch. */
  value?: string;
  /** The value may be left out; the next word is taken for it only when it looks so. `--name=value` always is. */
  optional?: RegExp;
  repeatable?: boolean;
  choices?: readonly string[];
  help: string;
}

export const inputFormats = ['text', 'stream-json'] as const;
export type InputFormat = (typeof inputFormats)[number];

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const debugTopics = ['request', 'tool', 'session', 'settings'] as const;
export type DebugTopic = (typeof debugTopics)[number];

const topicList = new RegExp(`^(?:${debugTopics.join('|')})(?:,(?:${debugTopics.join('|')}))*$`);

interface OptionGroup {
  title: string;
  options: readonly Option[];
}

export const optionGroups: readonly OptionGroup[] = [
  {
    title: 'Session',
    options: [
      { name: 'continue', short: 'c', help: 'go on with the newest session of this folder' },
      {
        name: 'resume',
        short: 'r',
        value: 'ID',
        optional: /^\S+$/,
        help: 'go on with this one; an id, a part, a name, "last"',
      },
      { name: 'session', value: 'PATH|ID', help: 'the same; also the path of a file' },
      { name: 'fork', value: 'PATH|ID', help: 'go on with a copy of it' },
      { name: 'session-id', value: 'UUID', help: 'the id of a new session or a copy' },
      { name: 'name', short: 'n', value: 'NAME', help: 'call it so' },
      { name: 'no-session', help: 'keep the conversation in memory only' },
      { name: 'session-dir', value: 'DIR', help: 'keep sessions there instead of ~/.tau/sessions' },
    ],
  },
  {
    title: 'Model',
    options: [
      { name: 'model', value: 'MODEL', help: 'provider/id[:thinking], an alias, or a part of the name' },
      { name: 'provider', value: 'NAME', help: 'look for the model only there' },
      { name: 'thinking', value: 'LEVEL', choices: thinkingLevels, help: thinkingLevels.join(', ') },
      { name: 'models', value: 'LIST', help: 'at a terminal: those that Ctrl+P goes through, as opus,openai/*' },
      { name: 'fallback-model', value: 'MODEL', repeatable: true, help: 'asked when the model cannot answer' },
      { name: 'api-key', value: 'KEY', help: 'the key for its provider' },
      { name: 'base-url', value: 'URL', help: "its provider's address" },
    ],
  },
  {
    title: 'Tools and permissions',
    options: [
      { name: 'tools', value: 'LIST', help: 'only these, as read,bash; "minimal" is read, write, edit and bash' },
      { name: 'exclude-tools', value: 'LIST', help: 'not these' },
      { name: 'no-tools', help: 'none at all' },
      { name: 'no-builtin-tools', help: "none of tau's own" },
      { name: 'permission-mode', value: 'MODE', choices: permissionModes, help: permissionModes.join(', ') },
      { name: 'sandbox', help: 'commands run in a sandbox or not at all, see docs/sandbox.md' },
      { name: 'no-sandbox', help: 'commands run without one' },
      { name: 'add-dir', value: 'DIR', repeatable: true, help: 'a folder to work in besides the project' },
      { name: 'allow', value: 'RULE', repeatable: true, help: "allow without asking: 'bash(npm test:*)', 'edit'" },
      { name: 'ask', value: 'RULE', repeatable: true, help: 'always ask' },
      { name: 'deny', value: 'RULE', repeatable: true, help: 'never allow; beats every other rule and mode' },
      { name: 'no-hooks', help: 'no hook of the settings runs' },
      { name: 'approve', value: 'WORD', help: 'to what is asked: ask, all, none, or all for a time as 10m' },
    ],
  },
  {
    title: 'Prompt',
    options: [
      { name: 'system-prompt', value: 'TEXT', help: "instead of tau's own instructions" },
      { name: 'system-prompt-file', value: 'FILE', help: 'the same, from a file' },
      { name: 'append-system-prompt', value: 'TEXT', repeatable: true, help: "after tau's own instructions" },
      { name: 'append-system-prompt-file', value: 'FILE', repeatable: true, help: 'the same, from a file' },
      { name: 'no-context-files', short: 'nc', help: 'leave AGENTS.md and CLAUDE.md out' },
      { name: 'bare', help: 'leave them and the settings of the project out' },
    ],
  },
  {
    title: 'Input and output',
    options: [
      { name: 'print', short: 'p', help: 'answer the prompt on stdout and exit' },
      { name: 'plain', help: 'at a terminal: line by line, nothing drawn over another (or TAU_PLAIN=1)' },
      { name: 'output-format', value: 'FORMAT', choices: outputFormats, help: outputFormats.join(', ') },
      { name: 'input-format', value: 'FORMAT', choices: inputFormats, help: 'stream-json: messages as lines on stdin' },
      { name: 'json', help: 'stream-json both ways, see docs/stream-json.md' },
      { name: 'include-hook-events', help: 'stream-json tells of each hook that runs' },
      { name: 'json-schema', value: 'JSON|@FILE', help: 'the answer must be JSON that fits this schema' },
      { name: 'verbose', help: 'calls, thinking and usage on stderr, also without a terminal' },
      {
        name: 'debug',
        value: 'TOPICS',
        optional: topicList,
        help: `what happens, on stderr: ${debugTopics.join(',')}`,
      },
      { name: 'debug-file', value: 'FILE', help: 'the same, to a file (or TAU_DEBUG_FILE)' },
    ],
  },
  {
    title: 'Limits (exit code 4)',
    options: [
      { name: 'max-turns', value: 'N', help: 'stop after N turns of a prompt' },
      { name: 'max-total-tokens', value: 'N', help: 'stop before more tokens are used' },
      { name: 'max-budget-usd', value: 'X', help: 'stop before more is spent' },
    ],
  },
  {
    title: 'Other',
    options: [
      { name: 'config', value: 'FILE', help: 'settings that go before those of user and project' },
      { name: 'record', value: 'FILE', help: 'write what the model answers to a new recording' },
      { name: 'replay', value: 'FILE', help: 'answer from a recording instead of a model' },
      { name: 'help', short: 'h', help: 'show this help' },
      { name: 'version', short: 'V', help: 'show the version' },
    ],
  },
];

export const optionTable: readonly Option[] = optionGroups.flatMap(({ options }) => options);
