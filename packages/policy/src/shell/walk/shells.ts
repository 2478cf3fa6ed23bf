/** Shells, and what makes a shell read more: `bash -c`, `eval`, `source`, `trap`. */
import { baseName, type Call, wordsOf, wrapperPart } from './calls.ts';
import { walkText } from './lines.ts';
import { deeper, doubt, type Flow, type Spot, stay, type Walk } from './state.ts';

const fromNetwork = 'it runs what comes from the network';
const shellNames: ReadonlySet<string> = new Set('sh bash dash ash zsh ksh mksh rbash fish csh tcsh'.split(' '));

export function isShell(name: string): boolean {
  return shellNames.has(baseName(name));
}

interface ShellCall {
  /** Where the first operand stands: a line with `-c`, else a file. */
  at: number;
  hasLine: boolean;
  why: string | undefined;
}

function readShell({ args }: Call): ShellCall {
  let hasLine = false;
  let why: string | undefined;
  let at = 1;
  for (; at < args.length; at++) {
    const word = args[at]?.value;
    if (word === undefined) {
      if (!hasLine) why ??= 'its options are known only when it runs';
      break;
    }
    if (word === '--' || word === '-') {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word === '--norc' || word === '--noprofile') continue;
    if (!/^-[ceus]+$|^-[ceu]*o$|^\+[eux]$/.test(word)) why ??= `tau does not know what ${word} does to a shell`;
    if (/^-[a-z]*c/i.test(word)) hasLine = true;
    if (/^[-+][a-z]*o$/i.test(word) && !/^(pipefail|errexit|nounset)$/.test(args[++at]?.value ?? '')) {
      why ??= 'it sets an option of the shell';
    }
  }
  return { at, hasLine, why };
}

export function shell(call: Call, spot: Spot, walk: Walk): Flow {
  const { args, stdin } = call;
  const name = baseName(args[0]?.value ?? 'sh');
  const { at, hasLine, why } = readShell(call);
  const operand = args[at];
  const danger = args.some(({ network }) => network) || spot.input === 'network' ? fromNetwork : undefined;
  // With a line of its own a shell only hands on what it reads.
  const line = hasLine ? operand?.value : operand === undefined && !call.open ? stdin : undefined;
  const inner = deeper(spot, { through: [...spot.through, name], external: false, values: new Map() });
  if (line === undefined) {
    const file = hasLine ? undefined : operand?.value;
    const reason =
      why ?? (file === undefined ? 'what it runs is known only when it runs' : `it runs the script ${file}`);
    wrapperPart(call, spot, walk, { why: reason, danger, hidden: file === undefined });
    return stay(spot);
  }
  wrapperPart(call, spot, walk, {
    why: why ?? otherGrammar(name, line),
    danger: hasLine && !args.some(({ network }) => network) ? undefined : danger,
  });
  walkText(line, inner, walk);
  return stay(spot);
}

/** Other shells read some of it differently. */
function otherGrammar(name: string, line: string): string | undefined {
  if (name === 'bash') return undefined;
  if (name !== 'sh' && name !== 'dash') return `${name} may read it differently`;
  const bashOnly = /[{[]|\$['"]|&>|>&\s*[^\d\s-]|\|&|<<<|[<>]\(|\(\(|\+=|\b(function|select|coproc|time)\b|;&|~[+-]/;
  return bashOnly.test(line) ? `${name} may read it differently than bash` : undefined;
}

/** `eval`: its words, joined, are read again. */
export function evaluate(call: Call, spot: Spot, walk: Walk): Flow {
  const args = call.args.slice(call.args[1]?.value === '--' ? 2 : 1);
  const words = wordsOf(args);
  const danger = args.some(({ network }) => network) ? fromNetwork : undefined;
  if (call.open || words.includes(undefined)) {
    const why = 'what it runs is known only when it runs';
    wrapperPart(call, spot, walk, { why, danger, builtin: true, hidden: true });
    return { ok: undefined, fail: undefined };
  }
  wrapperPart(call, spot, walk, { builtin: true, danger });
  return walkText(words.join(' '), deeper(spot, { through: [...spot.through, 'eval'] }), walk);
}

/** `source` and `.`: nobody has looked into the file. */
export function source(call: Call, spot: Spot, walk: Walk): Flow {
  const [, file] = call.args;
  const path = file?.value;
  const effects = path === undefined || path === '/dev/stdin' ? [] : [{ kind: 'read', path } as const];
  const danger = call.args.some(({ network }) => network) || spot.input === 'network' ? fromNetwork : undefined;
  wrapperPart(call, spot, walk, { why: `it runs what is in ${path ?? 'a file'}`, danger, builtin: true, effects });
  return { ok: undefined, fail: undefined };
}

/** `trap`: a line for later. */
export function trap(call: Call, spot: Spot, walk: Walk): Flow {
  const [action, ...signals] = call.args.slice(call.args[1]?.value === '--' ? 2 : 1);
  wrapperPart(call, spot, walk, { builtin: true, hidden: action !== undefined && action.value === undefined });
  doubt(walk, 'it leaves a command for later (trap)');
  const line = action?.value;
  if (signals.length === 0 || line === undefined || line === '' || line === '-') return stay(spot);
  walkText(line, deeper(spot, { through: [...spot.through, 'trap'], again: true, folders: undefined }), walk);
  return stay(spot);
}
