/** A file of expectations: `allow git status` on a line, or JSON for what a line cannot say. */
import { isRecord, permissionModes, TauError, type ToolInput } from '@tau/agent';

export interface Expectation {
  /** Where it stands in its file. */
  line: number;
  outcome: 'allow' | 'ask' | 'deny';
  /** Else the one of the settings and the command line. */
  mode?: string;
  command?: string;
  tool?: string;
  input: ToolInput;
}

const outcomes = ['allow', 'ask', 'deny'] as const;
const fields = ['outcome', 'mode', 'command', 'tool', 'input'];

/** Blank lines and what begins with # say nothing. What cannot be read stops the test: an expectation must not get lost. */
export function readExpectations(text: string, path: string): Expectation[] {
  const found: Expectation[] = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const read = line.startsWith('{') ? readJson(line) : readPlain(line);
    if (typeof read === 'string') {
      throw new TauError('usage', `${path}:${at + 1}: ${read}`, {
        remedy: 'A line is allow, ask or deny and a command, or JSON with outcome and command, or tool and input',
      });
    }
    found.push({ ...read, line: at + 1 });
  }
  if (found.length === 0) throw new TauError('usage', `${path} expects nothing`, { remedy: 'Write: allow git status' });
  return found;
}

type Read = Omit<Expectation, 'line'> | string;

function readPlain(line: string): Read {
  const [, word, command] = /^(\S+)\s+(.+)$/s.exec(line) ?? [];
  const outcome = outcomes.find((one) => one === word);
  if (outcome === undefined) return 'it does not begin with allow, ask or deny';
  return command === undefined ? 'there is no command' : { outcome, command, input: {} };
}

function readJson(line: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'it is not valid JSON';
  }
  if (!isRecord(value)) return 'it is no JSON object';
  const unknown = Object.keys(value).find((key) => !fields.includes(key));
  if (unknown !== undefined) return `"${unknown}" means nothing here`;
  const { mode, command, tool, input = {} } = value;
  const outcome = outcomes.find((one) => one === value.outcome);
  if (outcome === undefined) return 'its outcome is not allow, ask or deny';
  if (mode !== undefined && !permissionModes.some((one) => one === mode))
    return `there is no mode ${JSON.stringify(mode)}`;
  if (!isRecord(input)) return 'its input is no object';
  const both = { outcome, input, ...(typeof mode === 'string' && { mode }) };
  if (typeof command === 'string' && tool === undefined) return { ...both, command };
  if (typeof tool === 'string' && command === undefined) return { ...both, tool };
  return 'it needs either a command or a tool';
}
