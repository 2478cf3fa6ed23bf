/**
 * Rules that can be read and are obeyed, but may not be what was meant: a misspelt tool, an allow that never counts, one
 * that allows next to anything. One line each, with the way out.
 */
import { normalize } from 'node:path/posix';
import { hasWildcard } from './glob.ts';
import type { Pattern, Rule } from './rule.ts';
import { isCommandTool, isFileTool, meantTool, namesTool, sameTool } from './tool-names.ts';

/** Programs that start whatever they are given: who may start them may start anything. */
const starters: ReadonlySet<string> = new Set(
  (
    'sh bash zsh dash ksh fish csh tcsh sudo doas su env xargs eval exec command builtin source . nohup nice time timeout ' +
    'stdbuf setsid watch parallel ssh script busybox python python2 python3 node deno bun ruby perl php lua npx bunx uvx ' +
    'pipx osascript'
  ).split(' '),
);
const removers: ReadonlySet<string> = new Set(['rm', 'dd', 'mkfs', 'shred']);
/** Options with which a starter is no narrower than without. */
const codeOptions: ReadonlySet<string> = new Set(['*', '-c', '-lc', '-e', '--eval', '-p', '-r', '-i', '-u']);

export function reviewRules(rules: readonly Rule[]): string[] {
  const redundant: string[] = [];
  const found = rules.flatMap((rule) => {
    const lines = [misspelt(rule), tooBroad(rule)];
    if (rule.outcome === 'allow') {
      const shadow = rules.find((other) => other.outcome !== 'allow' && covers(other, rule));
      if (shadow !== undefined) {
        lines.push(
          `The allow rule ${quoted(rule)} never counts: the ${shadow.outcome} rule ${quoted(shadow)} covers it. Remove one of them.`,
        );
      } else if (isRedundant(rule, rules)) {
        redundant.push(quoted(rule));
      }
    }
    return lines.filter((line) => line !== undefined);
  });
  if (redundant.length === 0) return [...new Set(found)];
  const shown = [...new Set(redundant)];
  const more = shown.length > 5 ? `, and ${shown.length - 5} more` : '';
  const line = `Broader rules allow this already: ${shown.slice(0, 5).join(', ')}${more}. They can be removed.`;
  return [...new Set([...found, line])];
}

/** An exact command stays: it allows even what always asks. */
function isRedundant(rule: Rule, rules: readonly Rule[]): boolean {
  if (isCommandTool(rule.tool) && rule.pattern?.kind === 'exact') return false;
  return rules.some((other) => other.outcome === 'allow' && covers(other, rule) && !covers(rule, other));
}

function quoted({ text }: Rule): string {
  return JSON.stringify(text);
}

function misspelt({ outcome, text, written }: Rule): string | undefined {
  const meant = meantTool(written);
  if (meant === undefined) return undefined;
  return `The ${outcome} rule ${JSON.stringify(text)} is for a tool ${written}, which tau does not have. Did you mean ${meant}?`;
}

function tooBroad(rule: Rule): string | undefined {
  if (rule.outcome !== 'allow') return undefined;
  const what = reachOf(rule);
  return what && `The allow rule ${quoted(rule)} allows ${what}. Name what is really needed.`;
}

const everyCommand = {
  bash: 'every command',
  contained: 'every command in the sandbox',
  outside: 'every command outside the sandbox',
};

/** What a rule allows that nobody would list. */
function reachOf({ tool, pattern }: Rule): string | undefined {
  if (tool === 'network' && pattern === undefined) return 'commands to connect to every public host';
  if (isCommandTool(tool)) {
    if (pattern === undefined) return everyCommand[tool];
    if (pattern.kind !== 'prefix' && pattern.kind !== 'wildcard') return undefined;
    const [program = '', ...rest] = pattern.value.split(/\s+/);
    const name = program.slice(program.lastIndexOf('/') + 1);
    if (hasWildcard(program)) return 'commands of any program';
    if (starters.has(name) && rest.every((word) => codeOptions.has(word))) return `any command, through ${name}`;
    return removers.has(name) && rest.every((word) => /^[-*]/.test(word)) ? `${name} of anything` : undefined;
  }
  if (!isFileTool(tool) || pattern === undefined || pattern.kind === 'input' || pattern.kind === 'domain')
    return undefined;
  if (!/^(\/|~\/?)(\*\*)?(\/\*+)?$/.test(pattern.value) || pattern.kind === 'exact') return undefined;
  const where = pattern.value.startsWith('~') ? 'your home' : 'the disk';
  return tool === 'read' ? `reading every file of ${where}` : `changing every file of ${where}`;
}

/** True when all that `other` speaks of is spoken of by `rule`. False when nobody can say. */
function covers(rule: Rule, other: Rule): boolean {
  if (rule === other) return false;
  const named = rule.outcome === 'allow' ? sameTool(rule.tool, other.tool) : namesTool(rule.tool, other.tool);
  if (!named) return false;
  if (rule.pattern === undefined) return true;
  return other.pattern !== undefined && patternCovers(rule.pattern, other.pattern, isFileTool(other.tool));
}

function patternCovers(wide: Pattern, narrow: Pattern, paths: boolean): boolean {
  if (wide.kind === 'input' || narrow.kind === 'input' || wide.kind === 'domain' || narrow.kind === 'domain') {
    return JSON.stringify(wide) === JSON.stringify(narrow);
  }
  const [broad, small] = paths ? [folder(wide.value), folder(narrow.value)] : [wide.value, narrow.value];
  if (wide.kind !== 'prefix') return wide.kind === narrow.kind && broad === small;
  if (narrow.kind === 'wildcard') return false;
  return small === broad || small.startsWith(paths ? `${broad === '/' ? '' : broad}/` : `${broad} `);
}

function folder(path: string): string {
  const plain = normalize(path).replace(/^\.\/(?=.)/, '');
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}
