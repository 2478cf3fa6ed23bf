/**
 * Programs that run code: interpreters, compilers, test runners, build tools. What the code does nobody knows. Asked for
 * its version, a program that no version manager stands in front of runs nothing.
 */
import type { Finding, Invocation, Judge, ShellFacts } from '../invocation.ts';
import { forEach, risky, wordSet } from './danger.ts';
import { looksAt } from './findings.ts';

const fromLine: ReadonlyMap<string, RegExp> = new Map([
  ...['python', 'python2', 'python3', 'pypy3'].map((name) => [name, /^-[A-Za-z]*c/] as const),
  ...['node', 'nodejs'].map((name) => [name, /^(-[A-Za-z]*[ep]|--eval|--print)/] as const),
  ...['ruby', 'perl', 'lua', 'osascript'].map((name) => [name, /^-[A-Za-z]*[eE]/] as const),
  ['php', /^(-[A-Za-z]*r|--run)/],
  ['Rscript', /^-e/],
  ['deno', /^eval$/],
]);

const others =
  'java scala kotlin groovy swift julia elixir erl iex ghc runghc ocaml dotnet-script ts-node tsx make gmake cmake ' +
  'ninja meson just task bazel buck2 ant sbt rake pytest tox nox unittest jest vitest mocha playwright cypress tsc eslint ' +
  'prettier biome webpack vite rollup esbuild next nuxt turbo nx lerna black ruff mypy pylint flake8 isort pyright gcc g++ ' +
  'cc c++ clang clang++ rustc javac kotlinc swiftc go-task pre-commit husky jupyter ipython ansible ansible-playbook ' +
  'gdb lldb strace ltrace';

/** Options that print a version and end, for programs whose own doing has been watched. */
const versions: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['node', wordSet('--version -v')],
  ['python', wordSet('--version -V')],
  ['python3', wordSet('--version -V')],
  ['ruby', wordSet('--version -v')],
  ['perl', wordSet('--version -v')],
  ['make', wordSet('--version -v')],
  ['gcc', wordSet('--version')],
  ['g++', wordSet('--version')],
]);

export const codePrograms: ReadonlyMap<string, Judge> = new Map([
  ...forEach(others, judgeCode),
  ...[...fromLine.keys()].map((name): [string, Judge] => [name, judgeCode]),
  ['sqlite3', ({ words }) => risky('unknown', 'it can run commands and change databases', databaseDanger(words))],
]);

function judgeCode(invocation: Invocation, facts: ShellFacts): Finding {
  const [name = '', ...words] = invocation.words;
  if (isVersion(invocation, facts)) return looksAt([]);
  const given = fromLine.get(name);
  const onLine = given !== undefined && words.some((word) => word !== undefined && given.test(word));
  const why = onLine ? 'it runs code given on the line' : 'it runs code that nobody has looked at';
  const reads = given !== undefined && !onLine && words.every((word) => word?.startsWith('-'));
  return risky(
    'unknown',
    why,
    reads && invocation.input === 'network' ? 'it runs what comes from the network' : undefined,
  );
}

function isVersion({ words, open }: Invocation, facts: ShellFacts): boolean {
  const [name, word] = words;
  if (open || words.length !== 2 || name === undefined || word === undefined) return false;
  return versions.get(name)?.has(word) === true && facts.managed?.(name) === false;
}

/** A statement that deletes without a way back. Cheap: other ways to say it are merely not known. */
export function databaseDanger(words: Invocation['words']): string | undefined {
  const deletes =
    /\b(drop|truncate)\s+(table|database|schema|collection)\b|\bdelete\s+from\s+[\w."`]+\s*(;|$)|\bdropDatabase\b/i;
  return words.some((word) => word !== undefined && deletes.test(word)) ? 'it deletes data from a database' : undefined;
}
