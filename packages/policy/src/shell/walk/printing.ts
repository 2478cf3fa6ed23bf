/** Programs that print numbers, names and dates, whatever they read: nothing in it is a pattern unless their words are. */
import type { Assignment, Command, CommandNode, Word as Node, PipelineNode, Redirection, Script } from 'unbash';
import { isHarmlessVariable } from './variables.ts';

interface Printed {
  /** The words that may come back in what is printed. */
  words: readonly Node[];
  /** And so may the folder. */
  place: boolean;
}

type Printer = (args: readonly Node[]) => Printed | undefined;

/** Undefined when a script may print anything. */
export function printedWords({ commands }: Script): Printed | undefined {
  return joined(commands.map(({ command, background }) => (background ? undefined : ofNode(command))));
}

function joined(all: readonly (Printed | undefined)[]): Printed | undefined {
  const words: Node[] = [];
  let place = false;
  for (const one of all) {
    if (one === undefined) return undefined;
    for (const word of one.words) words.push(word);
    place ||= one.place;
  }
  return { words, place };
}

function ofNode(node: PipelineNode | CommandNode | Script['commands'][number]['command']): Printed | undefined {
  switch (node.type) {
    case 'AndOr':
      return joined(node.commands.map(ofNode));
    case 'Pipeline': {
      // What the others print, the last one reads.
      const last = node.commands.at(-1);
      return last && ofNode(last);
    }
    case 'Command':
      return ofCommand(node);
    default:
      return undefined;
  }
}

function ofCommand({ name, args, prefix, redirects }: Command): Printed | undefined {
  const words = args.filter((word): word is Node => word.type === 'Word');
  if (name === undefined || name.parts !== undefined || words.length < args.length) return undefined;
  if (!redirects.every(isQuiet)) return undefined;
  const set: Node[] = [];
  for (const one of prefix) {
    if (!isHarmless(one)) return undefined;
    set.push(one.value);
  }
  return joined([printers.get(name.text)?.(words), { words: set, place: false }]);
}

function isHarmless(one: Command['prefix'][number]): one is Assignment & { value: Node } {
  return one.type === 'Assignment' && one.value.type === 'Word' && isHarmlessVariable(one.name);
}

/** It brings nothing into what is printed: complaints may quote anything. */
function isQuiet(redirection: Redirection): boolean {
  if (redirection.type !== 'Redirect') return true;
  const { operator, target } = redirection;
  if (operator === '<' || target?.text === '/dev/null') return true;
  return operator === '>&' && target?.text === '2';
}

const anyWords: Printer = (words) => ({ words, place: false });
const nothing: Printer = () => ({ words: [], place: false });

/** The words that begin with a dash must be among these. */
function withOptions(options: RegExp): Printer {
  return (words) =>
    words.every(({ text }) => !/^['"\\]?-/.test(text) || options.test(text)) ? { words, place: false } : undefined;
}

function exactly(texts: RegExp, place = false): Printer {
  return (words) => (texts.test(words.map(({ text }) => text).join(' ')) ? { words, place } : undefined);
}

const version = exactly(/^(--version|-v|-V)$/);

/** Git lets no such character into the names of branches and tags. */
const looksOfGit: readonly RegExp[] = [
  /^rev-parse( (--(short(=\d+)?|verify|abbrev-ref|symbolic-full-name|quiet|show-toplevel|git-dir|is-[a-z-]+)|-q))*REVS$/,
  /^branch --show-current$/,
  /^describe( --(tags|always|long|all|exact-match|dirty|abbrev=\d+))*REVS$/,
  /^symbolic-ref( (--short|-q|--quiet))*REVS$/,
  /^rev-list( --(all|no-merges))* --count( --(all|no-merges))*REVS$/,
  /^merge-base( --(fork-point|is-ancestor|all))?REVS$/,
  /^--version$/,
].map((look) => new RegExp(look.source.replace('REVS', '( [\\w.@][\\w./~^@{}-]*)*')));

const git: Printer = (words) => {
  const [first, folder] = words;
  const rest = first?.text === '-C' && folder !== undefined ? words.slice(2) : words;
  const text = rest.map((word) => word.text).join(' ');
  return looksOfGit.some((look) => look.test(text)) ? { words, place: true } : undefined;
};

/** With `-c` it counts: what it looks for is not printed, the files are. */
const grep: Printer = ([options, sought, ...files]) => {
  const counts = /^-[ivEFwxs]*c[ivEFwxs]*$/.test(options?.text ?? '');
  const certain = /^('[^']*'|"[^"$`\\]*"|\w[\w./:=-]*)$/.test(sought?.text ?? '') && !/^.-/.test(sought?.text ?? '');
  return counts && certain ? withOptions(/^$/)(files) : undefined;
};

const printf: Printer = (words) => {
  const [format] = words;
  return /^(['"]?)(?:[\w ./:,=]|%[sd])+\1$/.test(format?.text ?? '') ? { words, place: false } : undefined;
};

const printers: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ...'date nproc uname arch whoami logname id groups users tty hostname seq basename dirname echo expr which'
    .split(' ')
    .map((name): [string, Printer] => [name, anyWords]),
  ...'true false : test ['.split(' ').map((name): [string, Printer] => [name, nothing]),
  ...'node npm pnpm yarn python python3 ruby cargo rustc'.split(' ').map((name): [string, Printer] => [name, version]),
  ['wc', withOptions(/^-[clmwL]+$/)],
  ['stat', exactly(/^-c ['"]?%[sYXZWaugUGhi]['"]?( [^\s-]\S*)+$/)],
  ['command', exactly(/^-v \w[\w.-]*$/)],
  ['pwd', exactly(/^$/, true)],
  ['cd', exactly(/^(-- )?[^\s-]\S*$/)],
  ['git', git],
  ['grep', grep],
  ['printf', printf],
]);
