// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands them.
/** Command lines by the thousand: put together from programs, options and operands, and spoilt in every way. */
import { patternForms } from './fuzz-patterns.ts';
import { hostileLines } from './hostile-lines.ts';

/** The same numbers for the same seed, each from 0 to below 1. */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
};

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** What stands in the project that the lines are run in, and what does not; see `fillProject`. */
const operands: readonly string[] = [
  ...'a.txt b.txt nums.txt data.json a.tar a.tgz b.txt.gz b.txt sub sub/c.txt . ./a.txt sub/../a.txt missing'.split(
    ' ',
  ),
  ...["'with blank.txt'", '"with blank.txt"', 'with\\ blank.txt', "$'a.txt'", '"a.txt"', "'a'.txt", 'a\\.txt'],
  ...['-delete', './-delete', '-- -delete', '--output=x', './--output=x', '-', '--', '-o', '-n', '-w'],
  ...[
    '*',
    '*.txt',
    '?.txt',
    'sub/*',
    '-*',
    '--*',
    './*',
    '*/c.txt',
    '[ab].txt',
    '[a-z]*',
    'link/[a-z]*',
    '"$HOME"/[s]*',
    '[a-z]*/[a-z]*',
    '[!x',
    '../[a-z]*',
    '{a,../[a-z]*}',
    '{a,b}.txt',
    '{a,b}{.txt,}',
    'nums.{txt,x}',
  ],
  ...[
    'link',
    'link/secret',
    'file-link',
    'sub/../link/secret',
    '..',
    '../home/secret',
    '~/secret',
    '~',
    '"$HOME"/secret',
  ],
  ...[
    '$HOME/secret',
    '$PWD/a.txt',
    '"$PWD"',
    '${HOME}',
    '$x',
    '"$x"',
    '$(echo a.txt)',
    '"$(echo a.txt)"',
    '`echo b.txt`',
  ],
  ...[
    '<(cat a.txt)',
    '/dev/null',
    '/dev/stdin',
    '/etc/hostname',
    'up',
    'up/secret',
    'loop/a.txt',
    'new',
    'sub/new',
    '/tmp/new',
  ],
  ...['1', '2', '10', '-5', '+3', '1,2', '0x10', "''", '""', "' '", '.x', '.', '%s', "'%s\\n'", '+%Y', '=', 'x=1', 'é'],
  ...['one', "'^o'", "'.*'", "'a b'", 'abc', 'HEAD', 'main', 'HEAD~1', 'HEAD:a.txt', '--help', '--version'],
];

/** What stands for one word and is more than one when it runs, or none. */
const bursts: readonly string[] = [
  ...['$(echo 5 touch new)', '$(echo touch new)', '$(echo -o new)', '$(echo 1 -exec touch new)', '`echo 5 touch new`'],
  ...[
    '${x:-5 touch new}',
    '${x-touch new}',
    '$x',
    '$@',
    '{5,touch,new}',
    '{touch,new}',
    '$(true)',
    '"$@"',
    '$(cat sub/c.txt)',
  ],
  ...[
    '"$(echo 5 touch new)"',
    "$(printf '5\\ntouch\\nnew')",
    '$HOME',
    '$PWD',
    '*',
    '$((1+4))',
    '5 touch new',
    '$(echo -- touch new)',
  ],
];

/** Texts that are programs for sed, awk, jq, find and the like, some of them with a power of their own. */
const scripts: readonly string[] = [
  ...["'s/o/0/'", "'s/o/0/g'", 's/o/0/', "'p'", "'1p'", "'2d'", "'$!d'", "'/one/p'", "'1,2p'", "'y/ab/ba/'", "'='"],
  ...[
    "'w new'",
    "'s/o/0/w new'",
    "'s/o/id/e'",
    "'1e id'",
    "'r a.txt'",
    "'s/o/0/;p'",
    "'{p;p}'",
    "'n;d'",
    "'b;p'",
    "'a x'",
  ],
  ...[
    "'s,o,w,'",
    "'s/w/e/w'",
    "'1!G;h;$!d'",
    "'i\\\nx'",
    "'a\\\nw new\ne id'",
    "'s/a/\\\nw/'",
    "'/w/d'",
    "'s/[/]w x/y/'",
  ],
  ...[
    "'{print $1}'",
    "'{print}'",
    "'NR==1'",
    "'/one/'",
    "'BEGIN{print 1}'",
    '\'{print > "new"}\'',
    '\'{system("id")}\'',
  ],
  ...[
    "'END{print NR}'",
    '\'{print | "cat"}\'',
    "'length > 1'",
    "'{print $1 > 2}'",
    "'{ getline; print }'",
    "'$1>2{print}'",
  ],
  ...[
    '\'{x="a" > "b"}\'',
    '\'{printf "%s", $1}\'',
    '\'BEGIN{while((getline l < "b.txt")>0)print l}\'',
    '\'{print -1 " " -2}\'',
  ],
  ...[
    '.',
    "'.x'",
    "'.x | length'",
    "'keys'",
    "'env'",
    "'$ENV'",
    "'input'",
    "'.[0]'",
    "'. as $x | $x'",
    '-r',
    '-n',
    '-c',
  ],
  ...[
    '-name',
    "'*.txt'",
    '-type f',
    '-type d',
    '-print',
    '-print0',
    '-delete',
    '-maxdepth 1',
    '-exec cat {} \\;',
    '-ls',
  ],
  ...[
    '-newer a.txt',
    '-size +1',
    '-fprint new',
    '-prune',
    '-o',
    '-not',
    '\\( -name a.txt \\)',
    '-printf %p',
    '-quit',
    '-L',
  ],
  ...[
    'status',
    'log',
    'diff',
    'show',
    'branch',
    'tag',
    'ls-files',
    'rev-parse HEAD',
    'blame a.txt',
    'remote -v',
    'stash list',
  ],
  ...[
    'log --oneline',
    'diff --stat',
    'log -p',
    'grep one',
    'config --get user.name',
    'describe',
    'cat-file -p HEAD',
    'shortlog',
  ],
  ...[
    'ls-tree HEAD',
    'rev-list HEAD',
    'for-each-ref',
    'show-ref',
    'reflog',
    'worktree list',
    'diff-tree HEAD',
    'status -s',
  ],
  ...['tf a.tar', '-tzf a.tgz', '-tf', '-xOf a.tar', 'cf -', '--list', '-zcf /dev/null', 'xf a.tar -C sub'],
  ...[
    '-C sub',
    '-C wild',
    '--no-pager',
    '-c core.pager=id',
    '--output=new',
    '--ext-diff',
    '--textconv',
    '-O',
    '--no-index',
  ],
];

/** Programs that may be proved to read, with some that never are. */
export const fuzzedPrograms: readonly string[] = [
  ...'ls cat tac nl head tail wc stat file du df readlink realpath basename dirname pwd echo printf true false test'.split(
    ' ',
  ),
  ...'[ sleep seq date uname hostname whoami id groups uptime free nproc arch tty locale which type cksum md5sum'.split(
    ' ',
  ),
  ...'sha1sum sha256sum sha512sum b2sum sum cmp diff comm join paste cut tr uniq sort shuf fold fmt column expand'.split(
    ' ',
  ),
  ...'unexpand rev od xxd hexdump strings base64 base32 numfmt tee jq grep egrep fgrep rg awk sed find git tree ps'.split(
    ' ',
  ),
  ...'pgrep pstree gzip zcat xz tar zip unzip env printenv command timeout nice xargs cd pushd export set read trap'.split(
    ' ',
  ),
  ...'touch rm cp mv ln mkdir split dd chmod less more man python3 node bash sh eval exec curl nohup stdbuf setsid'.split(
    ' ',
  ),
  ...'vdir dir getconf cal users logname pathchk tsort factor dircolors lsblk lscpu lsof bc dc zgrep diff3 sdiff pr ptx'.split(
    ' ',
  ),
];

/** What `--help` of each program offers, by the program. */
export type Options = ReadonlyMap<string, readonly string[]>;

export interface Fuzz {
  random: Random;
  options: Options;
}

/** One line: mostly short ones, as models write them. */
export function fuzzLine(fuzz: Fuzz): string {
  const { random } = fuzz;
  const line = random() < 0.75 ? grown(fuzz, 2) : pick(random, seeds);
  return random() < 0.35 ? spoilt(line, random) : line;
}

function command({ random, options }: Fuzz): string {
  const name = pick(random, random() < 0.6 ? fuzzedPrograms.slice(0, 70) : fuzzedPrograms);
  const own = options.get(name) ?? [];
  const words = times(Math.floor(random() * 4), () => {
    const kind = random();
    if (kind < 0.3 && own.length > 0) return option(pick(random, own), random);
    if (kind < 0.4) return `-${times(1 + Math.floor(random() * 2), () => pick(random, [...letters])).join('')}`;
    if (takesScript.has(name) && kind < 0.75) return pick(random, scripts);
    return pick(random, operands);
  });
  if (takesScript.has(name) && random() < 0.6) words.unshift(pick(random, scripts));
  return [name === 'sleep' ? 'sleep 0' : name, ...words].join(' ');
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const takesScript: ReadonlySet<string> = new Set(['sed', 'awk', 'jq', 'find', 'git', 'grep', 'rg', 'tar']);

/** As `--help` has it, or shortened, with the value in the same word or in the next, or with none. */
function option(text: string, random: Random): string {
  const [name = text, value] = text.split('=');
  const kind = random();
  const short = name.startsWith('--') && kind < 0.15 ? name.slice(0, Math.max(3, name.length - 2)) : name;
  if (value === undefined) return kind > 0.9 ? `${short}=${pick(random, operands)}` : short;
  if (kind > 0.9) return short;
  return `${short}${kind < 0.6 ? (name.startsWith('--') ? '=' : '') : ' '}${pick(random, operands)}`;
}

/** Commands put together in the ways a shell has for it. */
function grown(fuzz: Fuzz, depth: number): string {
  const { random } = fuzz;
  const one = () => (depth > 0 && random() < 0.35 ? grown(fuzz, depth - 1) : command(fuzz));
  const shape = random();
  if (shape < 0.45) return one();
  const join = pick(random, [' | ', ' && ', '; ', ' || ', '\n', ' |& ', '|', ';', '&&', ' & ']);
  if (shape < 0.68) return `${one()}${join}${one()}`;
  return pick(random, forms)(one, random);
}

const burst = (random: Random) => pick(random, random() < 0.8 ? bursts : operands);

const forms: readonly ((one: () => string, random: Random) => string)[] = [
  (one) => `(${one()})`,
  (one) => `{ ${one()}; }`,
  (one) => `! ${one()}`,
  (one) => `time ${one()}`,
  (one) => `if ${one()}; then ${one()}; fi`,
  (one) => `for f in a.txt b.txt; do ${one()}; done`,
  (one) => `for f in a.txt sub; do ${one()} "$f"; done`,
  (one) => `for f in *; do ${one()} $f; done`,
  (one) => `while ${one()}; do ${one()}; break; done`,
  (one) => `until ${one()}; do break; done`,
  (one) => `case a in a) ${one()};; *) ${one()};; esac`,
  (one) => `echo $(${one()})`,
  (one) => `echo "$(${one()})"`,
  (one) => `cat $(${one()})`,
  (one) => `cat <(${one()})`,
  (one) => `${one()} > >(${one()})`,
  (one) => `${one()} <<< x`,
  (one) => `${one()} <<EOF\n$(${one()})\nEOF`,
  (one) => `${one()} <<'EOF'\n$(x)\nEOF\n${one()}`,
  (one) => `cd sub && ${one()}`,
  (one) => `cd sub; ${one()}`,
  (one) => `cd link && ${one()}`,
  (one) => `cd ..; ${one()}`,
  (one) => `(cd sub && ${one()}); ${one()}`,
  (one) => `pushd sub; ${one()}; popd; ${one()}`,
  (one) => `timeout 5 ${one()}`,
  (one) => `timeout -k 1 5 ${one()}`,
  (one) => `env ${one()}`,
  (one) => `env -u X A=1 ${one()}`,
  (one) => `nice -n 5 ${one()}`,
  (one) => `command ${one()}`,
  (one) => `builtin ${one()}`,
  (one) => `nohup ${one()}`,
  (one) => `stdbuf -oL ${one()}`,
  (one) => `echo a.txt | xargs ${one()}`,
  (one) => `echo a.txt b.txt | xargs -n 1 ${one()}`,
  (one) => `find . -name '*.txt' -exec ${one()} {} \\;`,
  (one) => `find sub -type f -exec ${one()} {} +`,
  (one) => `bash -c '${one().replaceAll("'", "'\\''")}'`,
  (one) => `bash -c "${one().replace(/["\\$`]/g, '\\$&')}"`,
  (one) => `sh -c '${one().replaceAll("'", "'\\''")}'`,
  (one) => `eval '${one().replaceAll("'", "'\\''")}'`,
  (one) => `eval ${one()}`,
  (one, random) => `timeout ${burst(random)} ${one()}`,
  (one, random) => `timeout -k ${burst(random)} 5 ${one()}`,
  (one, random) => `nice -n ${burst(random)} ${one()}`,
  (one, random) => `env ${burst(random)} ${one()}`,
  (one, random) => `env -u ${burst(random)} ${one()}`,
  (one, random) => `env A=${burst(random)} ${one()}`,
  (one, random) => `stdbuf -o ${burst(random)} ${one()}`,
  (one, random) => `command ${burst(random)} ${one()}`,
  (one, random) => `ls | xargs -n ${burst(random)} ${one()}`,
  (one, random) => `ls | xargs -I ${burst(random)} ${one()}`,
  (one, random) => `xargs ${burst(random)} ${one()} < a.txt`,
  (one, random) => `find ${burst(random)} -type f -exec ${one()} {} +`,
  (one, random) => `find . -name ${burst(random)} -exec ${one()} {} \\;`,
  (one, random) => `bash ${burst(random)} -c '${one().replaceAll("'", '')}'`,
  (one, random) => `cd ${burst(random)} && ${one()}`,
  (one, random) => `for f in ${burst(random)}; do ${one()} $f; done`,
  (one, random) => `${one()} ${burst(random)}`,
  (one, random) => `LC_ALL=${burst(random)} ${one()}`,
  (one) => `LC_ALL=C ${one()}`,
  (one) => `X=1 ${one()}`,
  (one) => `f() { ${one()}; }; f`,
  (one) => `set -e; ${one()}`,
  (one) => `[ -f a.txt ] && ${one()}`,
  (one) => `[[ -n x && $(${one()}) ]]`,
  (one, random) => `[[ -${pick(random, [...'abcdefghknoprstuvwxzGLNORS'])} ${burst(random)} ]] || ${one()}`,
  (one, random) => `[[ ${burst(random)} -${pick(random, ['nt', 'ot', 'ef'])} ${burst(random)} ]] && ${one()}`,
  (one, random) => `[ ${burst(random)} -${pick(random, ['nt', 'ot', 'ef', 'a', 'o'])} ${burst(random)} ]; ${one()}`,
  (one) => `${one()} 2>&1`,
  (one) => `${one()} >/dev/null 2>&1`,
  (one) => `${one()} 2>/dev/null`,
  (one, random) => `${one()} ${pick(random, ['>', '>>', '<', '2>', '>|', '&>', '<>', '>&'])} ${pick(random, operands)}`,
  (one) => `${one()} < a.txt`,
  (one) => `${one()} # ${one()}`,
  (one) => `${one()} \\\n  ${one()}`,
  (one) => `x=$(${one()}); echo "$x"`,
  (one) => `x=$(${one()}); echo $x`,
  ...patternForms.map((form) => (one: () => string, random: Random) => form(one, (from) => pick(random, from))),
];

/** What models run all day, and what nobody should run unasked: a good beginning for something odd. */
const seeds: readonly string[] = [
  'ls -la',
  'cat a.txt | head -n 20',
  'grep -rn one . | head -50',
  "find . -name '*.txt' -not -path './sub/*' | sort | uniq -c",
  "sed -n '1,20p' a.txt",
  "awk '{print $1}' nums.txt | sort -n | tail -5",
  'git status --short && git diff --stat',
  'git log --oneline -n 10',
  'wc -l *.txt',
  'for f in *.txt; do echo "$f"; wc -l "$f"; done',
  'if [ -f a.txt ]; then cat a.txt; else echo none; fi',
  "echo 'a b' | tr ' ' '\\n'",
  'test -d sub && ls sub || echo missing',
  "printf '%s\\n' one two | sort -r",
  'head -c 100 a.txt | xxd | head',
  'diff a.txt b.txt || true',
  "cat <<'EOF'\nhello\nEOF",
  'cd sub && ls && cat c.txt',
  'find . -type f -exec grep -l one {} +',
  'ls *.txt | xargs wc -l',
  'which git node; git --version',
  'jq .x data.json',
  'stat -c %s a.txt',
  'date +%Y-%m-%d; uname -a; whoami',
  'tail -n +2 a.txt | cut -d" " -f1',
  'du -sh . 2>/dev/null | sort -h',
  'echo "$PWD" "$HOME"',
  'seq 1 5 | paste -sd+',
  ...Object.values(hostileLines)
    .flat()
    // These would only ever be run if they were proved to read, but a fork bomb is not worth the wait.
    .filter((line) => !/:\(\)|bomb|yes|\/dev\/(sda|zero)/.test(line) && line.length < 200),
];

const fragments: readonly string[] = [
  ...[
    "'",
    '"',
    '`',
    '\\',
    '$',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '|',
    '&',
    ';',
    '#',
    '!',
    '*',
    '?',
    '~',
    '=',
    '%',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\\\n',
    '\v',
    '\f',
    '\u00a0',
    '\u2003',
    '\u200b',
    '\u0001',
    '\u007f',
    'é',
    '\u2028',
    '\ufeff',
  ],
  ...[
    '$IFS',
    '${IFS}',
    "$''",
    '$""',
    '$@',
    '"$@"',
    '$*',
    '$1',
    '${x}',
    '${x:-a.txt}',
    '$((1))',
    '$(true)',
    '``',
    '{,}',
    '{a,b}',
  ],
  ...[
    '>new',
    '> new',
    '>>new',
    '2>new',
    '>&2',
    '2>&1',
    '<a.txt',
    '<<<x',
    '<<E\nx\nE\n',
    '>(cat)',
    '<(cat)',
    '&>new',
    '>|new',
  ],
  ...[
    '; touch new',
    '\ntouch new\n',
    '| tee new',
    '&& touch new',
    '$(touch new)',
    '`touch new`',
    '|| touch new',
    '& touch new',
  ],
  ...[
    ' -o new',
    ' --output=new',
    ' -i',
    ' -exec touch new ;',
    ' --',
    ' -e',
    ' -f a.txt',
    ' -w',
    ' new',
    ' -delete',
    ' -s',
  ],
  ...[
    'ls',
    'cat',
    'echo',
    'command',
    'exec',
    'eval',
    'X=1 ',
    'PATH=. ',
    'time ',
    '! ',
    'if ',
    'then ',
    'do ',
    'done',
    'in ',
    'fi',
  ],
  ...[
    "$'\\x3b'",
    "$'\\n'",
    "'\\''",
    '"\\""',
    '\\;',
    '\\ ',
    '\\$',
    '\\`',
    '[[ ',
    ' ]]',
    '((',
    '))',
    '${',
    '$(',
    '<<',
    'EOF\n',
    "<<'EOF'\n",
  ],
];

/** A few changes at random places: what a careless or a clever model might write. */
function spoilt(line: string, random: Random): string {
  let text = line;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * (text.length + 1));
    const length = Math.floor(random() * 3);
    const kind = random();
    if (kind < 0.5) text = text.slice(0, at) + pick(random, fragments) + text.slice(at);
    else if (kind < 0.65) text = text.slice(0, at) + text.slice(at + length);
    else if (kind < 0.8) text = text.slice(0, at) + pick(random, fragments) + text.slice(at + length);
    else if (kind < 0.9) text = quotedAt(text, at, at + 1 + Math.floor(random() * 6), random);
    else text = text.slice(0, at) + text.slice(Math.floor(random() * text.length)) + text.slice(at);
  }
  return text.replaceAll('\0', '');
}

function quotedAt(text: string, start: number, end: number, random: Random): string {
  const piece = text.slice(start, end);
  const dressed = pick(random, [
    `'${piece}'`,
    `"${piece}"`,
    `$'${piece}'`,
    `\\${piece}`,
    `$(echo ${piece})`,
    `{${piece},}`,
  ]);
  return text.slice(0, start) + dressed + text.slice(end);
}
