/** Every option there is, in one table: the parser, the help and the "did you mean" are made from it. */
import { permissionModes, thinkingLevels } from '@tau/agent';

export interface Option {
  name: string;
  short?: string;
  /** The value's name in the help; an option without one is a switch. */
  value?: string;
  repeatable?: boolean;
  choices?: readonly string[];
  help: string;
}

export const outputFormats = ['text', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const optionTable: readonly Option[] = [
  { name: 'print', short: 'p', help: 'answer the prompt on stdout and exit' },
  { name: 'continue', short: 'c', help: 'go on with the newest session of this folder' },
  { name: 'no-session', help: 'keep the conversation in memory only' },
  { name: 'session-dir', value: 'DIR', help: 'keep sessions there instead of ~/.tau/sessions' },
  { name: 'model', value: 'MODEL', help: 'provider/id[:thinking], an alias, or a part of the name' },
  { name: 'provider', value: 'NAME', help: 'look for the model only there' },
  { name: 'thinking', value: 'LEVEL', choices: thinkingLevels, help: thinkingLevels.join(', ') },
  { name: 'fallback-model', value: 'MODEL', repeatable: true, help: 'asked when the model cannot answer' },
  { name: 'api-key', value: 'KEY', help: 'the key for its provider' },
  { name: 'base-url', value: 'URL', help: "its provider's address" },
  { name: 'permission-mode', value: 'MODE', choices: permissionModes, help: permissionModes.join(', ') },
  { name: 'allow', value: 'RULE', repeatable: true, help: "allow without asking: 'bash(npm test:*)', 'edit'" },
  { name: 'ask', value: 'RULE', repeatable: true, help: 'always ask' },
  { name: 'deny', value: 'RULE', repeatable: true, help: 'never allow; beats every other rule and mode' },
  { name: 'no-context-files', short: 'nc', help: 'leave AGENTS.md and CLAUDE.md out' },
  { name: 'max-turns', value: 'N', help: 'stop after N turns (exit code 4)' },
  { name: 'output-format', value: 'FORMAT', choices: outputFormats, help: outputFormats.join(', ') },
  { name: 'record', value: 'FILE', help: 'write what the model answers to a new recording' },
  { name: 'replay', value: 'FILE', help: 'answer from a recording instead of a model' },
  { name: 'help', short: 'h', help: 'show this help' },
  { name: 'version', short: 'V', help: 'show the version' },
];
