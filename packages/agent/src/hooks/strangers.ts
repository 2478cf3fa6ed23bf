/**
 * What of a project a hook of the user's own would start. Before a yes nothing of a project runs, whoever would start it.
 * The words of the command are looked at, not what its programs do: npm and make start what they like. Pure.
 */

/** Say nothing by themselves: what comes behind them is started. */
const before = new Set(
  'exec command builtin env nohup nice time sudo doas ! if then else elif do while until'.split(' '),
);
/** What they are given first is a program too. */
const interpreter =
  /^(?:.*\/)?(?:\.|source|(?:ba|da|z|k|mk|fi|a)?sh|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|python[\d.]*)$/;
/** The program stands in the command itself, or is none of a file. */
const inline = /^-[a-zA-Z]*[cem]$|^--(?:eval|print|command)\b/;
const quoted = /'[^']*'|"(?:\\.|[^"\\])*"/g;
/** A command in quotes follows. */
const shellOf = /(?:^|[\s/;|&(])(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\s*$/;
/** Ways to say: the project's folder. */
const here = /^(?:\$\{?(?:CLAUDE_PROJECT_DIR|TAU_PROJECT_DIR|PWD)(?:[:}][^/]*)?|~\+)\//;

/** The first word that is a program of the project, as it is written. */
export function projectProgram(command: string): string | undefined {
  const inner: string[] = [];
  const written = command.replaceAll(/\$\(\s*pwd\s*\)|`\s*pwd\s*`/g, () => '$PWD');
  const plain = written.replaceAll(quoted, (text, at: number) => {
    const inside = text.slice(1, -1);
    if (/^[^\s;|&()`]*$/.test(inside)) return inside;
    if (shellOf.test(written.slice(0, at))) inner.push(inside);
    else if (text.startsWith('"')) inner.push(...substitutions(inside));
    return '_';
  });
  // What a `case` compares with ends in the same sign as a group of commands.
  const parts = (/\bcase\b/.test(plain) ? plain : plain.replaceAll(')', ' ')).split(/[;|&\n({](?![A-Z])|`/);
  for (const part of parts) {
    const found = startedIn(part.trim().split(/\s+/));
    if (found !== undefined) return found;
  }
  return firstOf(inner);
}

function substitutions(text: string): string[] {
  return [...text.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)].map(([, one, other]) => one ?? other ?? '');
}

/** What stands in quotes is shorter each time. */
function firstOf(commands: readonly string[]): string | undefined {
  for (const command of commands) {
    const found = projectProgram(command);
    if (found !== undefined) return found;
  }
  return undefined;
}

function startedIn(words: readonly string[]): string | undefined {
  const first = words.findIndex((word) => !before.has(word) && !/^(?:\w+=|-)/.test(word));
  const program = words[first];
  if (program === undefined) return undefined;
  if (program.includes('/') && isProjects(program)) return program;
  if (!interpreter.test(program)) return undefined;
  const given = words.slice(first + 1);
  const at = given.findIndex((word) => !word.startsWith('-') || inline.test(word));
  const script = given[at];
  // Without one it reads its input; `deno run x` and `bun run x` say what they do first.
  if (script === undefined || script.startsWith('-') || script.startsWith('<')) return undefined;
  const file = script === 'run' ? given[at + 1] : script;
  return file !== undefined && isProjects(file) ? file : undefined;
}

/** By a path that begins nowhere else. */
function isProjects(path: string): boolean {
  return here.test(path) || /^[\w.@+-][\w./@+~%,=-]*$/.test(path);
}
