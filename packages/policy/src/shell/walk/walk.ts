/** Goes through a syntax tree and tells what it starts. */
import type { Script } from 'unbash';
import type { Analysis, Part } from '../analysis.ts';
import type { ShellFacts } from '../invocation.ts';
import { walkScript } from './compound.ts';
import { followsPattern, hasFollowed } from './holding.ts';
import { hasUnseen } from './readable.ts';
import { doubt, nothingFound, type Spot, type Syntax, type Walk } from './state.ts';
import { countMentions } from './variables.ts';

export function walkLine(line: string, script: Script, facts: ShellFacts, syntax: Syntax | undefined): Analysis {
  let mentions: ReadonlyMap<string, number> | undefined;
  const walk: Walk = {
    facts: facts.glob ? { ...facts, glob: remembered(facts.glob) } : facts,
    syntax,
    mentions(name) {
      mentions ??= countMentions(line.replaceAll('\\\n', '').replace(/['"\\]/g, ''));
      return mentions.get(name) ?? 0;
    },
    ...nothingFound(),
    dirty: false,
    patterns: 0,
    problem: undefined,
    effects: 0,
    characters: line.length,
    script: walkScript,
  };
  const spot: Spot = {
    source: syntax && script.end > 0 ? line : undefined,
    folders: [facts.cwd],
    input: 'none',
    given: undefined,
    through: [],
    assigns: [],
    values: new Map(),
    depth: 0,
    external: false,
    beside: false,
    again: false,
    rounds: 1,
    inside: [],
  };
  walkScript(script, spot, walk);
  if (facts.otherwise !== undefined) doubt(walk, facts.otherwise);
  if (hasUnseen(line)) doubt(walk, 'it has characters in it that nobody sees');
  for (const name of walk.counted) {
    if (walk.texts.has(name)) doubt(walk, `arithmetic in it evaluates what ${name} holds`);
  }
  for (const name of walk.certain) {
    if (walk.assigned.has(name)) doubt(walk, `it sets ${name} more than once`);
  }
  for (const name of walk.trusted) {
    if (walk.foreign.has(name)) doubt(walk, `it hands on what the environment holds in ${name}`);
  }
  if (hasFollowed(walk)) doubt(walk, followsPattern);
  const { redirects, problem } = walk;
  const parts = walk.functions.size === 0 ? walk.parts : walk.parts.map((part) => shadowed(part, walk.functions));
  return { parts, redirects, doubts: [...walk.doubts], ...(problem !== undefined && { problem }) };
}

/** A line may have the same pattern a thousand times. */
function remembered(glob: NonNullable<ShellFacts['glob']>): NonNullable<ShellFacts['glob']> {
  const known = new Map<string, readonly string[] | undefined>();
  return (pattern, folder) => {
    const key = `${folder}\0${pattern}`;
    if (!known.has(key)) known.set(key, glob(pattern, folder));
    return known.get(key);
  };
}

/** A name that the line itself gives a meaning is not the program that everybody knows. */
function shadowed(part: Part, functions: ReadonlySet<string>): Part {
  const [name] = part.invocation.words;
  if (name === undefined || !functions.has(name)) return part;
  const { finding, invocation } = part;
  const why = `${name} is what the line makes it`;
  const found = finding.class === 'dangerous' ? finding.class : 'unknown';
  return { invocation: { ...invocation, wrapper: false }, finding: { ...finding, class: found, known: false, why } };
}
