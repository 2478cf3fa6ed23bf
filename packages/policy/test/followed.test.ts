// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands them.
/** Outside quotes a shell follows patterns, wherever they come from: it lists a folder, whatever the program does then. */
import { describe, expect, test } from 'vitest';
import { does, isReadOnly, look } from './walking.ts';

describe('a pattern says which folder it lists', () => {
  test.each([
    ['true /root/[a-z]*', '/root'],
    ['cd /; true [a-z]*', '/'],
    ['true "$HOME"/[ab]*', '/home/me'],
    ['true ~/[ab]', '/home/me'],
    ['echo src/[xy].ts', 'src'],
    ['for f in /root/[a]*; do true; done', '/root'],
    ['select f in /root/[a]; do true; done', '/root'],
    ['a=(/root/[a]*)', '/root'],
    ['true {/root/,x}[a]', '/root'],
    // Brackets may be closed by what is put in.
    ['x=]; true /root/[a$x', '/root'],
    ['for f in "/root/*"; do true $f; done', '/root'],
    ["cd '/root/x*' && true $PWD", '/root'],
    // Where nobody knows the names, the folder is known all the same.
    ['true /root/**', '/root'],
    ["true /root/'*'*", '/root'],
    ['while true; do true /root/*; break; done', '/root'],
    ['for f in $(seq 3); do true /root/*; done', '/root'],
    ['for i in $(seq 3) /root/*; do true; done', '/root'],
  ])('%j lists %j', (line, folder) => {
    expect(does(line)).toContain(`read ${folder}`);
    expect(isReadOnly(line)).toBe(true);
  });
});

describe('a pattern in a folder that nobody knows yet is not proved', () => {
  test.each([
    'x=/home; true $x/*',
    'true "$x"/[ab]',
    'true $TMPDIR/*',
    'true ~root/[a]',
    'true {~,x}/[a]',
    'cd - && true *',
    'cd "$x"; true [ab]',
    'true [ab]/*',
    'true x[$y]*',
    'true [a/b]*',
    'true {a,/root/*}',
    'true {$x,b}*',
    'while true; do true */*; break; done',
  ])('%j', (line) => {
    expect(isReadOnly(line)).toBe(false);
    expect(look(line).doubts).not.toEqual([]);
  });
});

describe('what may become a pattern outside quotes is not proved', () => {
  test.each([
    "x='/home/*'; echo $x",
    'x=/root/\\*; true $x',
    "x=$'/root/\\x2a'; true $x",
    'x=/root/; x+="?"; true $x',
    'y=$(echo "/root/*"); true $y',
    'y=$(cat list.txt); true $y',
    "x='/root/*'; y=$x; z=${y%x}; true $z",
    "while true; do true $y; y=$x; x='/root/*'; done",
    "f() { x='/root/*'; }; true $x",
    'eval \'x="/root/*"\'; true $x',
    "a=('/root/*'); true ${a[0]}",
    "for f in '/root/* x'; do true $f; done",
    "for f in '/root/*'; do true; done; true $f",
    "for f in '/root/*'; do x=$f; true $x; done",
    'for f in $(cat list.txt); do echo $f; done',
    'for f in $(cat list.txt); do true; done',
    'while read -r f; do true $f; done < list.txt',
    'read < list.txt; true $REPLY',
    "echo '/root/*'; true $_",
    "[[ '/root/*' =~ .* ]]; true ${BASH_REMATCH[0]}",
    ': " /root/* "; true $BASH_EXECUTION_STRING',
    "DEBUG='*' bash -c 'true $DEBUG'",
    "bash -c 'true $1' x '/root/*'",
    "bash -c 'true $@' x '/root/*'",
    "bash -c 'for f; do true $f; done' x '/root/*'",
    'true ${x:-/root/*}',
    'true ${x/a/*}',
    'true x${x:+[a]}',
    "v1='/root/*'; true $v{1,2}",
    "v1='/root/*'; true {$v,b}1",
    "echo $(date +'/root/*')",
    'echo $(date; cat list.txt)',
    'echo $(date || cat list.txt)',
    'echo $(date | cat - list.txt)',
    'echo $(git rev-parse --parseopt < list.txt)',
    'echo $(git rev-parse HEAD x 2>&1)',
    'echo $(git -C "$(cat list.txt)" rev-parse --show-toplevel)',
    "echo $(printf '/root/\\x2a')",
    'echo $(printf %q "a b")',
    'echo $(grep -rc a .)',
    'echo $(< list.txt)',
    "cd 'x*' && cd .. && true $OLDPWD",
    "cd 'x*' && true $(pwd)",
    "true $(cd 'x*' && pwd)",
    'cd -P link && true $(pwd)',
    'a=($(cat list.txt))',
    'select f in $(cat list.txt); do true; done',
  ])('%j', (line) => {
    expect(isReadOnly(line)).toBe(false);
  });
});

describe('what is certain to be no pattern stays proved', () => {
  test.each([
    'for f in *.ts; do echo $f; done',
    'for f in *.none; do echo $f; done',
    'for f in src/*.ts; do echo ${f##*/} ${f%.ts}; done',
    'for i in 1 2 3; do echo $i; done',
    'for i in $(seq 1 3); do echo $i; done',
    'for f in a b; do x=$f; echo $x; done',
    'echo $(pwd)',
    'cd src && echo $(pwd) $PWD',
    'echo $(cd src && pwd)',
    'echo $HOME',
    'echo HOME: $HOME $USER',
    'v=1.2; echo $v',
    'v=1.2; w=v$v; echo $w',
    'n=$(wc -l < a.txt); echo $n',
    'n=$(grep "*" a.txt | wc -l); echo $n',
    "n=$(grep -c '^a.*' a.txt); echo $n",
    'x=ab; echo $? $# $$ ${#x}',
    'i=0; echo $((i + 1)); i=$((i + 1)); echo $i',
    'echo $(date +%Y-%m-%d) $(TZ=UTC date) $(nproc) $(uname -s)',
    'if true $(id -u); then echo root; fi',
    'for f in a.ts b.ts; do echo $(basename $f .ts); done',
    'echo $(printf "%s" a)',
    // Inside quotes nothing is followed, and neither is it in values, tests and here-documents.
    'echo "$(cat list.txt)"',
    'x=\'/home/*\'; echo "$x"',
    'x=/root/*; echo "$x"',
    'x=$(cat list.txt); y=$x; [[ $y == *.ts ]] && echo "$y"',
    'x=$(cat list.txt); case $x in *.ts) echo yes;; esac',
    'cat <<< /root/*',
    'cat <<E\n$(cat list.txt) /root/*\nE',
  ])('%j', (line) => {
    expect(isReadOnly(line)).toBe(true);
    expect(does(line)).not.toContain('read /root');
  });
});
