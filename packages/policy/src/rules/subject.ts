/** A call as rules look at it. What is costly to know is found when a rule first wants to know it. */
import { type GateCall, once, type ResolvedEffect, type ToolInput, type ToolSource } from '@tau/core';
import { absolutePath, foldPath, type PathScope } from '../paths/scope.ts';
import type { Analysis, Part } from '../shell/analysis.ts';
import { looseSegments } from '../shell/segments.ts';
import { type LooseCommand, looseCommand, spellingsOf } from './command-pattern.ts';
import { toolName } from './tool-names.ts';

export interface Subject {
  /** Ours by the name rules know it by; anyone else's by exactly its own, so that it cannot pass for ours. */
  tool: string;
  source: ToolSource;
  input: ToolInput;
  effects: readonly ResolvedEffect[];
  lines: readonly string[];
  /** A command of it is to run outside the sandbox. */
  outside: boolean;
  /** It is a command that runs in the sandbox. */
  inside: boolean;
  /** Everything in the lines that might run, read from their bare text. */
  segments(): readonly LooseCommand[];
  /** What a line would do. */
  analyse(line: string): Analysis;
  /** Every program start in the lines, in the spellings that rules which ask or deny compare. */
  commands(): readonly (readonly string[])[];
  /** Folded paths that words of programs may mean of which nobody knows what they do. */
  mentions(): readonly string[];
  scope: PathScope;
}

export function subjectOf(
  call: GateCall,
  source: ToolSource,
  effects: readonly ResolvedEffect[],
  { scope, analyse, contained = false }: Pick<Subject, 'scope' | 'analyse'> & { contained?: boolean },
): Subject {
  const lines: string[] = [];
  for (const effect of effects) if (effect.kind === 'exec') lines.push(effect.command);
  const analysed = remembered(analyse);
  const tool = source === 'builtin' ? toolName(call.toolName) : call.toolName;
  const outside = effects.some((effect) => effect.kind === 'exec' && effect.outside === true);
  return {
    tool,
    source,
    input: call.input,
    effects,
    lines,
    outside,
    inside: contained && source === 'builtin' && tool === 'bash' && !outside,
    segments: once(() => lines.flatMap((line) => readings(line).flatMap(looseSegments).map(looseCommand))),
    analyse: analysed,
    commands: once(() =>
      lines.flatMap((line) => analysed(line).parts.map(({ invocation }) => spellingsOf(invocation))),
    ),
    mentions: once(() => lines.flatMap((line) => mentionsIn(analysed(line), line, scope))),
    scope,
  };
}

function remembered(analyse: Subject['analyse']): Subject['analyse'] {
  const known = new Map<string, Analysis>();
  return (line) => {
    const found = known.get(line) ?? analyse(line);
    known.set(line, found);
    return found;
  };
}

/** The text, and the text with the numbers in `$'…'` as the characters they stand for. */
function readings(line: string): string[] {
  if (!line.includes("$'")) return [line];
  const decoded = line.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U0*([0-9a-f]{1,6})|([0-7]{1,3}))/gi,
    (all, ...found) => {
      const [x, u, long, octal]: unknown[] = found;
      const code =
        octal === undefined ? Number.parseInt(String(x ?? u ?? long), 16) : Number.parseInt(String(octal), 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
  return decoded === line ? [line] : [line, decoded];
}

function mentionsIn({ parts, problem }: Analysis, line: string, scope: PathScope): string[] {
  const found = mentionsOf(
    parts.filter(({ finding, invocation }) => !finding.known && !invocation.wrapper),
    scope,
  );
  const texts = readings(line);
  if (problem === undefined && texts.length === 1) return found;
  const words = new Set(texts.flatMap(looseSegments).flatMap((segment) => segment.words));
  return [...found, ...placesOf(new Set([...words].flatMap(piecesOf)), scope)];
}

/** What programs that nobody knows may be given: each word, and each piece of one, as a folded path. */
export function mentionsOf(parts: readonly Part[], scope: PathScope): string[] {
  const written = new Set<string>();
  for (const { invocation } of parts) {
    const { words, folders = ['.'] } = invocation;
    for (const word of words) {
      for (const piece of word === undefined ? [] : piecesOf(word)) {
        if (/^[/~]/.test(piece)) written.add(piece);
        else for (const folder of folders) written.add(`${folder}/${piece}`);
      }
    }
  }
  return placesOf(written, scope);
}

function piecesOf(word: string): string[] {
  const pieces = [word, ...word.split(/[\s=:@,;'"`()<>|&]+/), ...(/^-\w./.test(word) ? [word.slice(2)] : [])];
  return pieces.filter((piece) => piece !== '');
}

function placesOf(written: ReadonlySet<string>, scope: PathScope): string[] {
  return [...new Set([...written].map((path) => foldPath(absolutePath(path, scope))))];
}
