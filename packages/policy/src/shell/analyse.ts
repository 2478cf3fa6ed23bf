/**
 * What a command line would do. The tree of a plain line (words, quotes and `&& || ; |`) is made without a parser;
 * everything after that is the same for all lines.
 */
import type { Analysis } from './analysis.ts';
import type { ShellFacts } from './invocation.ts';
import { isWhole, plainTree } from './walk/plain-tree.ts';
import { readable } from './walk/readable.ts';
import type { Syntax } from './walk/state.ts';
import { walkLine } from './walk/walk.ts';

/** It can be taken apart without a parser. */
export const isPlain = isWhole;

export function analyse(line: string, facts: ShellFacts, syntax: Syntax | undefined): Analysis {
  const problem = readable(line);
  if (problem !== undefined) return unread(problem);
  const plain = plainTree(line);
  if (!plain && !syntax) return unread('no parser is loaded');
  try {
    const tree = plain ?? syntax?.parse(line);
    return tree ? walkLine(line, tree, facts, syntax) : unread('no parser is loaded');
  } catch (error) {
    // What nests too deep for the parser ends here: whatever went wrong, nothing is known of the line.
    return unread(error instanceof Error ? error.message : String(error));
  }
}

function unread(problem: string): Analysis {
  return { parts: [], redirects: [], doubts: [], problem };
}
