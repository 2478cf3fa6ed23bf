/** Flags as the values they stand for; what cannot be said together is refused here. */
import { type ApprovalWindow, approvalWords, parseApproval, type SessionChoice, TauError } from '@tau/agent';
import {
  type DebugTopic,
  debugTopics,
  type InputFormat,
  inputFormats,
  type OutputFormat,
  outputFormats,
} from './options.ts';

/** Each option that was given, with its values. */
export type Flags = ReadonlyMap<string, readonly string[]>;

/** The last one counts. */
export function last(flags: Flags, name: string): string | undefined {
  return flags.get(name)?.at(-1);
}

export function excludeEachOther(flags: Flags, ...names: readonly string[]): void {
  const [one, other] = names.filter((name) => flags.has(name));
  if (one !== undefined && other !== undefined) {
    throw new TauError('usage', `--${one} and --${other} exclude each other`);
  }
}

/** `choose`: to go on with one, but which was not said. */
export function sessionChoice(flags: Flags): SessionChoice | 'choose' {
  excludeEachOther(flags, 'continue', 'resume', 'session', 'fork', 'no-session');
  for (const taken of ['continue', 'resume', 'session']) excludeEachOther(flags, taken, 'session-id');
  const fork = last(flags, 'fork');
  if (fork !== undefined) return { fork };
  const open = last(flags, 'session') ?? last(flags, 'resume');
  if (open !== undefined) return open === '' ? 'choose' : { open };
  if (flags.has('continue')) return 'continue';
  return flags.has('no-session') ? 'none' : 'new';
}

export interface Formats {
  inputFormat: InputFormat;
  outputFormat: OutputFormat;
}

/** Who speaks in lines is answered in lines. */
export function formatsOf(flags: Flags): Formats {
  const both = flags.has('json');
  const input = inputFormats.find((format) => format === last(flags, 'input-format'));
  const output = outputFormats.find((format) => format === last(flags, 'output-format'));
  const inputFormat = input ?? (both ? 'stream-json' : 'text');
  const outputFormat = output ?? (both || inputFormat === 'stream-json' ? 'stream-json' : 'text');
  if (both && (inputFormat !== 'stream-json' || outputFormat !== 'stream-json')) {
    throw new TauError('usage', '--json is stream-json both ways, and another format was asked for as well');
  }
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json') {
    throw new TauError('usage', '--input-format stream-json needs --output-format stream-json');
  }
  return { inputFormat, outputFormat };
}

/** Undefined leaves it to the settings, and to what works here. */
export function sandboxOf(flags: Flags): boolean | undefined {
  excludeEachOther(flags, 'sandbox', 'no-sandbox');
  if (flags.has('no-sandbox')) return false;
  return flags.has('sandbox') ? true : undefined;
}

/** `--tools a,b`, none for `--no-tools`; undefined leaves it to the settings. */
export function toolsOf(flags: Flags): string[] | undefined {
  excludeEachOther(flags, 'tools', 'no-tools');
  if (flags.has('no-tools')) return [];
  return listOf(flags, 'tools');
}

/** Given more than once, the lists are one. */
export function listOf(flags: Flags, name: string): string[] | undefined {
  const words = flags.get(name)?.flatMap((value) => value.split(',').map((word) => word.trim()));
  return words?.filter((word) => word !== '');
}

/** Which topics are asked for; all of them when none is named, none without the flag. */
export function debugOf(flags: Flags): readonly DebugTopic[] | undefined {
  const given = flags.get('debug');
  if (!given) return undefined;
  const words = given.flatMap((value) => value.split(',')).filter((word) => word !== '');
  if (words.length === 0) return debugTopics;
  return words.map((word) => {
    const topic = debugTopics.find((one) => one === word);
    if (topic !== undefined) return topic;
    throw new TauError('usage', `--debug knows no "${word}"`, { remedy: `It is one of: ${debugTopics.join(', ')}` });
  });
}

export function wholeNumber(flags: Flags, name: string): number | undefined {
  const text = last(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new TauError('usage', `--${name} needs a whole number above zero, not "${text}"`);
}

export function amount(flags: Flags, name: string): number | undefined {
  const text = last(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new TauError('usage', `--${name} needs a number above zero, not "${text}"`);
}

export function approvalOf(flags: Flags): ApprovalWindow | undefined {
  const text = last(flags, 'approve');
  if (text === undefined) return undefined;
  const window = parseApproval(text);
  if (window !== undefined) return window;
  throw new TauError('usage', `--approve cannot be "${text}"`, { remedy: `Use ${approvalWords}` });
}
