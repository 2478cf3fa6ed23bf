/** Holds what goes over the wire to the SDKs' own types: it becomes literals in a file that the compiler reads. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { WireApi } from './answers.ts';
import { betasOf, googleCall } from './passed-on.ts';
import type { Row } from './requests.ts';

export interface Literal {
  name: string;
  type: string;
  value: unknown;
}

export interface TypeFault {
  name: string;
  message: string;
}

/** The types the literals are held to, as the head of the file imports them. */
const head = `import type Anthropic from '@anthropic-ai/sdk';
import type { Content, GenerateContentConfig, GenerateContentResponse, Tool } from '@google/genai';
import type OpenAI from 'openai';
/** On the wire the members of an enum are their words. */
type Words<T> = T extends string ? \`\${T}\` : T extends object ? { [Key in keyof T]: Words<T[Key]> } : T;
/** Many shorter forms are taken by the SDK; on the wire there is one. What stays on this side is no part of it. */
type GoogleConfig = Omit<GenerateContentConfig, 'httpOptions' | 'abortSignal' | 'systemInstruction' | 'tools'>;
type GoogleParts = { systemInstruction?: Content; tools?: Tool[] };
type GoogleCall = { model: string; contents: Words<Content>[]; config: Words<GoogleConfig> & Words<GoogleParts> };
/** A script says what it is about; a vendor always says more, and null for what it has not. */
type Some<T> = T extends object ? { [Key in keyof T]?: Some<T[Key]> | null } & Untold<T> : T;
/** Every response in OpenAI's documentation tells whether it was stored; the type does not. */
type Untold<T> = T extends OpenAI.Responses.Response ? { store?: boolean } : unknown;
/** OpenAI itself tells no thinking here; these fields are its imitators'. */
type Thinking = { reasoning_content?: string; reasoning_details?: object[] };
type Choice = OpenAI.ChatCompletionChunk.Choice;
type CompletionsChunk = Some<Omit<OpenAI.ChatCompletionChunk, 'choices'>> & {
  choices: (Some<Omit<Choice, 'delta'>> & { delta: Some<Choice['delta']> & Thinking })[];
};
`;

const typeNames: Record<WireApi, (row: Row) => string> = {
  'anthropic-messages': ({ wire }) =>
    betasOf(wire).length > 0 ? 'Anthropic.Beta.MessageCreateParamsStreaming' : 'Anthropic.MessageCreateParamsStreaming',
  'openai-completions': () => 'OpenAI.ChatCompletionCreateParamsStreaming',
  'openai-responses': () => 'OpenAI.Responses.ResponseCreateParamsStreaming',
  'google-generative-ai': () => 'GoogleCall',
};

export function literalOf(api: WireApi, row: Row): Literal {
  const value: unknown = api === 'google-generative-ai' ? googleCall(row) : JSON.parse(row.wire.body);
  return { name: row.name, type: typeNames[api](row), value };
}

const eventTypes: Record<WireApi, string> = {
  'anthropic-messages': 'Some<Anthropic.RawMessageStreamEvent> | { type: "ping" }',
  'openai-completions': 'CompletionsChunk',
  'openai-responses': 'Some<OpenAI.Responses.ResponseStreamEvent>',
  'google-generative-ai': 'Some<Words<GenerateContentResponse>>',
};

/** One event of the scripted server, by its data. */
export function eventLiteral(api: WireApi, name: string, data: string): Literal {
  return { name, type: eventTypes[api], value: JSON.parse(data) };
}

/** What the compiler says against them. */
export async function typeFaults(literals: readonly Literal[]): Promise<TypeFault[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tau-oracle-'));
  try {
    // One line each, so that a line of the compiler's is one of ours; it ends lines at two characters that JSON does not.
    const lines = literals.map(({ type, value }, at) => `export const body${at}: ${type} = ${oneLine(value)};\n`);
    writeFileSync(join(folder, 'bodies.ts'), head + lines.join(''));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    symlinkSync(join(interop, 'node_modules'), join(folder, 'node_modules'));
    return (await compile(folder)).map((said) => faultIn(said, literals));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function oneLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

const interop = resolve(import.meta.dirname, '..');

const config = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    types: [],
  },
  files: ['bodies.ts'],
};

/** Each thing it says begins a line; what explains it is indented below. */
function compile(folder: string): Promise<string[]> {
  const compiler = resolve(interop, '../node_modules/typescript/bin/tsc');
  const args = [compiler, '--pretty', 'false', '-p', folder];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      // It ends with a number when it has something to say; anything else is a compiler that did not run.
      if (error && (typeof error.code !== 'number' || stdout === '')) fail(new Error(stderr || error.message));
      else done(stdout.split(/\n(?=\S)/).flatMap((said) => said.trim() || []));
    });
  });
}

function faultIn(said: string, literals: readonly Literal[]): TypeFault {
  const [, line = '', message = said] = /^bodies\.ts\((\d+),\d+\): error (.*)$/s.exec(said) ?? [];
  const literal = literals[Number(line) - head.split('\n').length];
  return { name: literal?.name ?? 'the compiler', message };
}
