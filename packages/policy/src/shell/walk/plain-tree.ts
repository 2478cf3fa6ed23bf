/** The syntax tree of a plain line, made without the parser: most lines need no more. */
import type { Command, PipelineNode, Script, Statement, Word, WordPart } from 'unbash';
import { mayHoldLine } from '../launchers.ts';
import { type PlainCommand, type PlainPiece, splitPlain } from '../words.ts';

/** Words that mean something to the shell where a command begins, or that take assignments. */
const special: ReadonlySet<string> = new Set(
  (
    'if then elif else fi for while until do done case esac select function time coproc in ' +
    'export declare readonly local typeset alias eval'
  ).split(' '),
);

const nowhere = { pos: 0, end: 0 } as const;

/** Undefined when the line is for the parser. */
export function plainTree(line: string): Script | undefined {
  const commands = splitPlain(line);
  if (commands === undefined || !commands.every(isSimple)) return undefined;
  return { type: 'Script', ...nowhere, shebang: undefined, commands: statements(commands) };
}

function isSimple({ words: [first = []] }: PlainCommand): boolean {
  const text = first.map(({ value }) => value).join('');
  return !text.includes('=') && !special.has(text);
}

function statements(commands: readonly PlainCommand[]): Statement[] {
  const found: Statement[] = [];
  let members: Command[] = [];
  let pipelines: PipelineNode[] = [];
  let operators: ('&&' | '||')[] = [];
  for (const command of commands) {
    members.push(commandOf(command));
    if (command.next === '|') continue;
    pipelines.push(pipelineOf(members));
    members = [];
    if (command.next === '&&' || command.next === '||') {
      operators.push(command.next);
      continue;
    }
    const [only] = pipelines;
    const whole: Statement['command'] | undefined =
      pipelines.length === 1 ? only : { type: 'AndOr', ...nowhere, commands: pipelines, operators };
    if (whole) found.push({ type: 'Statement', ...nowhere, command: whole, background: undefined });
    pipelines = [];
    operators = [];
  }
  return found;
}

function pipelineOf(members: readonly Command[]): PipelineNode {
  const [only] = members;
  if (members.length === 1 && only) return only;
  return { type: 'Pipeline', ...nowhere, prefixes: [], commands: members, operators: members.slice(1).map(() => '|') };
}

function commandOf({ words }: PlainCommand): Command {
  const [name, ...args] = words.map(wordOf);
  return { type: 'Command', ...nowhere, name, prefix: [], suffix: args, args, redirects: [] };
}

function wordOf(pieces: readonly PlainPiece[]): Word {
  const text = pieces.map(written).join('');
  const value = pieces.map((piece) => piece.value).join('');
  const isBare = pieces.every(({ quote }) => quote === '');
  return { type: 'Word', ...nowhere, text, value, parts: isBare ? undefined : pieces.map(partOf) };
}

function written({ quote, value }: PlainPiece): string {
  return quote + value + quote;
}

function partOf(piece: PlainPiece): WordPart {
  const text = written(piece);
  const literal = { type: 'Literal', ...nowhere, value: piece.value, text: piece.value } as const;
  if (piece.quote === '') return literal;
  if (piece.quote === "'") return { type: 'SingleQuoted', ...nowhere, value: piece.value, text };
  return { type: 'DoubleQuoted', ...nowhere, text, parts: piece.value === '' ? [] : [literal] };
}

/** What reads some of its words as a line of its own. */
const readers = /\b(eval|trap|su|watch|flock|script|parallel|env|sh|r?bash|dash|ash|zsh|m?ksh|fish|t?csh)\b/;

/** Plain, and nothing in it needs the parser either. */
export function isWhole(line: string): boolean {
  return plainTree(line) !== undefined && !readers.test(line) && !mayHoldLine(line);
}
