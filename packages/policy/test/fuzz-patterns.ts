// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands them.
/** Lines in which the shell may list folders, whatever the programs do with what it finds. */

/** What may turn out to be a pattern when it runs: a folder is listed then, whatever the program does with the names. */
const disguised: readonly string[] = [
  ...[
    '$v',
    '${v}',
    '"$v"',
    '$v/*',
    '"$v"/*',
    '$v*',
    '[$v]*',
    '[a$v',
    'x$v',
    '${v%x}',
    '${v#?}',
    '${v/a/?}',
    '${v:-../*}',
  ],
  ...[
    '${w:-link/*}',
    '${w:+*}',
    '${v:0:3}',
    '${v^^}',
    '${#v}',
    '$_',
    '$1',
    '$@',
    '$REPLY',
    '$OLDPWD',
    '$PWD',
    '$DEBUG',
  ],
  ...["$(echo '../*')", '$(cat list)', '`cat list`', '$(echo $v)', '$(echo "$v")', "$(printf '../%s' '*')", '$(<list)'],
  ...["$(date +'../*')", '$(date +%Y)', '$(pwd)', '$(pwd)/*', '$(cd link && pwd)/[a-z]*', '$(basename "$v")'],
  ...['$(git rev-parse HEAD)', '$(git branch --show-current)', '$(wc -l < list)', '$(ls)', '$(grep -c . list)'],
  ...[
    '$(cat list | wc -l)',
    '$(cat list; date)',
    '$(seq 3)',
    '${v[0]}',
    '${v[@]}',
    '"${v[@]}"',
    '$((1+1))',
    '$v{1,2}',
    '{$v,b}1',
  ],
];

/** What the variable of those holds. */
const settings: readonly string[] = [
  ...[
    "v='../*'",
    "v1='../*'",
    "v='link/*'",
    'v=link',
    'v=a.txt',
    'v=..',
    'v=*',
    'v=[a-z]*',
    "v=']'",
    "v='a /*'",
    'v=/',
    'v=1.2',
    "v='*'",
  ],
  ...[
    'v=$(cat list)',
    'v=$(echo "../*")',
    'v=$(pwd)',
    'v=$(date +%F)',
    'v=$((1+1))',
    "w='../*'; v=$w",
    'v=$v*',
    'v+=*',
  ],
  ...[
    'v=(../*)',
    "v=('../*' a)",
    'v=(link/[a-z]*)',
    'v=(a $(cat list))',
    'read -r v < list',
    'read < list',
    "true '../*'",
  ],
  ...["cd 'x*'", 'cd link', 'cd -P link', 'cd sub', 'cd ..', 'cd /', 'cd "$v"'],
];

type Pick = (from: readonly string[]) => string;

/** Programs that take any word, so that it is the shell that matters. */
const easy = ['true', 'echo', ':', 'false', "printf '%s\\n'", 'test -n', 'cd', 'ls'];
const calm = (pick: Pick) => `${pick(easy)} ${pick(disguised)}`;
const within = (pick: Pick) => calm(pick).replaceAll("'", '"');

export const patternForms: readonly ((one: () => string, pick: Pick) => string)[] = [
  (_, pick) => `${calm(pick)} ${pick(disguised)}`,
  (_, pick) => `${pick(settings)}; ${calm(pick)}`,
  (_, pick) => `${pick(settings)}; ${pick(settings)} && ${calm(pick)}`,
  (one, pick) => `${pick(settings)}; ${one()}; ${calm(pick)}`,
  (one, pick) => `v=$(${one()}); ${calm(pick)}`,
  (_, pick) => `for v in ${pick(disguised)} ${pick(disguised)}; do ${calm(pick)}; done`,
  (_, pick) => `for v in 1 2; do ${calm(pick)}; ${pick(settings)}; done`,
  (_, pick) => `while read -r v; do ${calm(pick)}; done < list`,
  (_, pick) => `bash -c '${within(pick)}' '../*' 'link/*'`,
  (_, pick) => `DEBUG='*' bash -c 'cd link; ${within(pick)}'`,
  (_, pick) => `[[ ${pick(disguised)} == ${pick(disguised)} ]] && ${calm(pick)}`,
];
