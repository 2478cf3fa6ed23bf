/**
 * Takes command lines apart. What that takes is loaded with the first line, and the parser with the first line that is not
 * plain: many runs start no command at all.
 */
import type { Analysis } from './analysis.ts';
import type { ShellFacts } from './invocation.ts';
import type { Syntax } from './walk/state.ts';

export interface ShellReader {
  /** Resolves when the line can be taken apart; nothing to wait for when it can be at once. */
  ready(line: string): Promise<void> | undefined;
  /** A line that nobody made ready has a problem. */
  analyse(line: string): Analysis;
}

type Reading = typeof import('./analyse.ts');

export function createShellReader(facts: () => ShellFacts): ShellReader {
  let reading: Reading | undefined;
  let syntax: Syntax | undefined;

  async function load(line: string): Promise<void> {
    reading ??= await import('./analyse.ts');
    if (syntax || reading.isPlain(line)) return;
    const { parse, forEachChild } = await import('unbash');
    syntax = { parse, forEachChild };
  }

  return {
    ready: (line) => (reading && (syntax || reading.isPlain(line)) ? undefined : load(line)),
    analyse: (line) =>
      reading?.analyse(line, facts(), syntax) ?? {
        parts: [],
        redirects: [],
        doubts: [],
        problem: 'nobody was ready for it',
      },
  };
}
