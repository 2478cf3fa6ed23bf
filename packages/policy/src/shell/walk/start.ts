/** What a command starts, down through everything that only starts something else. */
import { builtinFor } from './builtins.ts';
import { baseName, type Call, program, wrapperPart } from './calls.ts';
import { elsewhere } from './elsewhere.ts';
import { isFinder, search } from './finders.ts';
import { changed } from './folders.ts';
import { type Launched, launched } from './launching.ts';
import { walkText } from './lines.ts';
import { evaluate, isShell, shell, source, trap } from './shells.ts';
import { deeper, endanger, type Flow, limits, type Spot, stay, tooLong, type Walk } from './state.ts';
import { type Peeled, wrappers } from './wrappers.ts';

const anywhere: Flow = { ok: undefined, fail: undefined };
const ofTheShell: ReadonlySet<string> = new Set(['command', 'builtin', 'exec']);

export function start(call: Call, spot: Spot, walk: Walk): Flow {
  if (spot.depth > limits.depth) walk.problem ??= tooLong;
  if (walk.problem !== undefined) return stay(spot);
  const mark = walk.parts.length;
  const name = call.args[0]?.value;
  if (name === undefined) {
    program(call, spot, walk);
    return spot.external ? stay(spot) : anywhere;
  }
  const flow = (spot.external ? undefined : byShell(name, call, spot, walk)) ?? byProgram(name, call, spot, walk);
  if (spot.beside && spot.inside.includes(name)) {
    endanger(walk, mark, 'it starts itself again and again until nothing else can run', spot);
  }
  return walk.functions.has(name) && !spot.external ? anywhere : flow;
}

function byShell(name: string, call: Call, spot: Spot, walk: Walk): Flow | undefined {
  switch (name) {
    case 'eval':
      return evaluate(call, spot, walk);
    case 'source':
    case '.':
      return source(call, spot, walk);
    case 'trap':
      return trap(call, spot, walk);
    default:
      return builtinFor(name)?.(call, spot, walk);
  }
}

function byProgram(name: string, call: Call, spot: Spot, walk: Walk): Flow {
  const base = baseName(name);
  if (isShell(name)) return shell(call, spot, walk);
  if (isFinder(base)) return found(base, call, spot, walk);
  const started = launched(base, call.args, call.stdin);
  if (started) return launch(base, started, call, spot, walk);
  const peeled = wrappers.get(base)?.(call.args);
  if (peeled === undefined || isLookup(peeled)) {
    program(call, spot, walk);
    return stay(spot);
  }
  return unwrapped(base, peeled, call, spot, walk);
}

/** The table says what the launcher does; what it starts comes after it, and is never proved by it. */
function launch(base: string, { inner, lines, remote, hidden }: Launched, call: Call, spot: Spot, walk: Walk): Flow {
  const outer = program(call, spot, walk);
  if (outer.known) return stay(spot);
  const mark = walk.parts.length;
  const part = walk.parts[mark - 1];
  if (hidden && part) walk.parts[mark - 1] = { ...part, finding: { ...part.finding, hidden } };
  const within = deeper(spot, { through: [...spot.through, base], external: true });
  const go = (place: Spot, through: Walk) => {
    const reading = { ...place, given: call.stdin, external: false, values: new Map() };
    for (const line of lines) walkText(line, reading, through);
    if (inner.length > 0) start({ args: inner, open: call.open, stdin: call.stdin }, place, through);
  };
  if (remote) elsewhere(within, walk, go);
  else go(within, walk);
  // What nobody knows is of the launcher's kind.
  for (let at = mark; at < walk.parts.length; at++) {
    const part = walk.parts[at];
    if (part === undefined || part.finding.known || part.finding.class !== 'unknown') continue;
    walk.parts[at] = { ...part, finding: { ...part.finding, class: outer.class } };
  }
  return stay(spot);
}

/** It runs nothing, and nothing speaks against asking the table. */
function isLookup({ inner, line, hidden, why, danger }: Peeled): boolean {
  return inner === undefined && line === undefined && !hidden && why === undefined && danger === undefined;
}

function unwrapped(base: string, peeled: Peeled, call: Call, spot: Spot, walk: Walk): Flow {
  const { inner = [], line, why, danger, effects, assigns = [], builtin = false, hidden } = peeled;
  const isBuiltin = ofTheShell.has(base) && !spot.external && call.args[0]?.value === base;
  wrapperPart(call, spot, walk, { why, danger, hidden, builtin: isBuiltin, ...(effects && { effects }) });
  const within = deeper(spot, {
    through: [...spot.through, base],
    assigns: [...spot.assigns, ...assigns],
    external: spot.external || !(builtin && isBuiltin),
    ...(peeled.folder && { folders: changed(spot.folders, peeled.folder.path, true) }),
  });
  if (line !== undefined) walkText(line, { ...within, external: false, values: new Map() }, walk);
  if (inner.length === 0) return stay(spot);
  const flow = start({ args: inner, open: call.open || (peeled.open ?? false), stdin: call.stdin }, within, walk);
  return within.external ? stay(spot) : flow;
}

function found(base: string, call: Call, spot: Spot, walk: Walk): Flow {
  for (const { args, open, elsewhere, covered } of search(call, base, spot, walk)) {
    const within = deeper(spot, {
      through: [...spot.through, base],
      external: true,
      ...(elsewhere && { folders: undefined }),
    });
    if (args.length === 0) continue;
    if (covered === undefined || !coveredOnly({ args, open, stdin: undefined }, covered, within, walk)) {
      start({ args, open, stdin: undefined }, within, walk);
    }
  }
  return stay(spot);
}

/** True when all it does with the files is to read them; then the part is stated by the folders that hold them. */
function coveredOnly(call: Call, covered: Call['args'], spot: Spot, walk: Walk): boolean {
  const name = covered[0]?.value;
  if (name === undefined || isShell(name) || isFinder(baseName(name)) || wrappers.has(baseName(name))) return false;
  const mark = walk.parts.length;
  const before = walk.effects;
  const { dirty } = walk;
  const finding = program(call, spot, walk, { args: covered, open: false });
  const part = walk.parts[mark];
  if (part && finding.known && finding.effects.every(({ kind }) => kind === 'read')) {
    // Each of the files is opened, not the folder alone.
    const effects = finding.effects.map((effect) => (effect.kind === 'read' ? { ...effect, tree: true } : effect));
    walk.parts[mark] = { ...part, finding: { ...finding, effects } };
    return true;
  }
  walk.parts.length = mark;
  walk.effects = before;
  walk.dirty = dirty;
  return false;
}
