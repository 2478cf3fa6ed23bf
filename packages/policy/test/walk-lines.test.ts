// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines here are shell text
import { describe, expect, test } from 'vitest';
import { does, inWords, isKnown, isReadOnly, look, starts } from './walking.ts';

describe('words are what the program gets', () => {
  const words: [line: string, starts: string[]][] = [
    ['x a\\ b "c d" \'e f\' g"h"i', ['x a b c d e f ghi']],
    ["x $'a\\tb' $'it\\'s'", ["x a\tb it's"]],
    ['x "a\\"b\\$c" \\$d', ['x a"b$c $d']],
    ['x ""', ['x ']],
    ['x ~ ~/a "~/b" \\~/c d~', ['x /home/me /home/me/a ~/b ~/c d~']],
    ['x $HOME/a "$HOME/b" ${HOME}', ['x /home/me/a /home/me/b /home/me']],
    ['x $PWD/a', ['x /w/app/a']],
    ['cd src && x $PWD', ['cd src', 'x /w/app/src']],
    ['x {a,b}c {1..3} {3..1} d{e,}', ['x ac bc 1 2 3 3 2 1 de d']],
    ['x {} {a} a{ HEAD@{1}', ['x {} {a} a{ HEAD@{1}']],
    ['x *.ts', ['x a.ts b.ts']],
    ['x src/*.ts', ['x src/x.ts src/y.ts']],
    ['cd src && x *.ts', ['cd src', 'x x.ts y.ts']],
    ['x *.none', ['x *.none']],
    ['x "*.ts" \\*', ['x *.ts *']],
    ['for f in a b; do x $f "$f.c"; done', ['x a a.c', 'x b b.c']],
    ['for f in *.ts; do x "$f"; done', ['x a.ts', 'x b.ts']],
    ['for f in "a b"; do x "$f" $f; done', ['x a b ?']],
    ['for i in 1 2; do for j in 3 4; do x $i$j; done; done', ['x 13', 'x 14', 'x 23', 'x 24']],
    ['x <(a)', ['x /dev/stdin', 'a']],
    ['x a#b #c', ['x a#b']],
    ['x a=b', ['x a=b']],
    // Only the shell will know.
    ['x $y ${y} "$y" $1 $@', ['x ? ? ? ? ?']],
    ['x $(a) `b`', ['x ? ?', 'a', 'b']],
    ['x $((1+1))', ['x ?']],
    ['x ~bob ~+ ~"/a" a=~/b ~\\/c', ['x ? ? ? ? ?']],
    ['x [ab] a[0-9] @(a|b)', ['x ? ? ?']],
    ['x **/*.ts', ['x ?']],
    ['x {a,$y} {a,"b"} {a,{b,c}} {01..10} {1..1000}', ['x ? ? ? ? ?']],
    ['x ${HOME#/} ${#HOME} ${HOME:1}', ['x ? ? ?']],
    ["x $'\\u00e4' $'\\101' $\"a\"", ['x ? ? ?']],
    ['touch z; x *.ts', ['touch z', 'x ?']],
    ['x *.ts $(touch z)', ['x ? ?', 'touch z']],
    ['while y; do x *.ts; done', ['y', 'x ?']],
    ['for f in a; do eval "x $f"; done', ['eval x a', 'x a']],
    ["for f in a; do bash -c 'x $f'; done", ['bash -c x $f', 'x ?']],
  ];
  test.each(words)('%j', (line, found) => {
    expect(look(line).problem).toBeUndefined();
    expect(starts(line)).toEqual(found);
  });

  test.each([
    ['x $y', true],
    ['x "$y"', false],
    ['x "$@"', true],
    ['x "${y[@]}"', true],
    ['x $(a)', true],
    ['x "$(a)"', false],
    ['x [ab]', true],
    ['x <(a)', false],
    ['x | xargs y', true],
    ['x | xargs -I% y %', false],
  ])('%j: more words may come: %s', (line, open) => {
    const part = look(line).parts.find(
      ({ invocation }) => /^[xy]$/.test(invocation.words[0] ?? '') && invocation.words.length > 1,
    );
    const last = look(line).parts.findLast(({ invocation }) => /^[xy]$/.test(invocation.words[0] ?? ''));
    expect((line.includes('xargs') ? last : part)?.invocation.open).toBe(open);
  });

  test.each(['l\\s', "'ls'", '"ls"', "$'ls'", 'l""s', '{ls,-l}', 'l*'])(
    '%s is not how anybody writes a name',
    (line) => {
      expect(look(line).parts[0]?.invocation.plainName).toBe(false);
      expect(isKnown(line)).toBe(false);
    },
  );

  test.each(['cp *.ts', 'cp -r *', 'sort -o *.ts', 'grep *.ts', 'uniq *.ts'])(
    '%s is not known, because files come in an order that the machine chooses',
    (line) => {
      expect(isKnown(line)).toBe(false);
      expect(isKnown('cat *.ts')).toBe(true);
      expect(isKnown('cp *.ts src')).toBe(true);
    },
  );

  test('a pattern reads the folder it looks into', () => {
    expect(does('echo /etc/*')).toEqual(['read /etc']);
    expect(does('cd /etc && echo *')).toEqual(['read /etc']);
    expect(does('echo ../*')).toEqual(['read ..']);
    expect(does('echo *')).toEqual([]);
  });

  test('what the line itself makes may be printed, what the environment holds may not', () => {
    expect(isReadOnly('echo "$(ls)"')).toBe(true);
    expect(isReadOnly('x=$(ls); echo "$x"')).toBe(true);
    expect(isReadOnly('while read -r l; do echo "$l"; done < a')).toBe(true);
    expect(isReadOnly('for ((i=0; i<3; i++)); do echo $i; done')).toBe(true);
    expect(isReadOnly('ls; echo "exit: $?" $$ ${PIPESTATUS[0]}')).toBe(true);
    expect(isReadOnly('echo $PATH $USER ${LANG}')).toBe(true);
    expect(isReadOnly('for f in $(seq 3); do echo "${f%.ts}" ${f##*/}; done')).toBe(true);
    expect(isReadOnly('echo "$x"')).toBe(false);
    expect(isReadOnly('echo "${PATH:-$SECRET}"')).toBe(false);
    expect(isReadOnly('echo $SECRET')).toBe(false);
    expect(isReadOnly('x=1; echo "$SECRET$x"')).toBe(false);
    expect(isReadOnly('x=$SECRET; echo "$x"')).toBe(false);
    expect(isReadOnly('x=1; while true; do echo "$x"; x=$SECRET; done')).toBe(false);
    expect(isReadOnly('x=(a $SECRET); echo "$x"')).toBe(false);
    expect(isReadOnly('for x in $SECRET; do echo "$x"; done')).toBe(false);
    expect(isReadOnly('cat <<< "$SECRET"')).toBe(false);
    expect(isReadOnly('cat <<E\n$SECRET\nE')).toBe(false);
    expect(isReadOnly('cat <<E\n$HOME $(ls)\nE')).toBe(true);
    expect(isReadOnly("cat <<'E'\n$SECRET\nE")).toBe(true);
  });
});

describe('folders follow cd', () => {
  const places: [line: string, effects: string[]][] = [
    ['cat a', ['read a']],
    ['cd src && cat a', ['read src/a']],
    ['cd src; cat a', ['read src/a', 'read a']],
    ['cd src\ncat a', ['read src/a', 'read a']],
    ['cd src || exit 1; cat a', ['read src/a']],
    ['cd src || exit\ncat a', ['read src/a']],
    ['cd src && cd deep && cat a', ['read src/deep/a']],
    ['cd src && cd .. && cat a', ['read a']],
    ['cd .. && cat a', ['read /w/a']],
    ['cd / && cat a', ['read /a']],
    ['cd && cat a', ['read /home/me/a']],
    ['cd ~/x && cat a', ['read /home/me/x/a']],
    ['cd -- src && cat a', ['read src/a']],
    ['cd -P src && cat a', ['read src/a']],
    ['cd src/../lib && cat a', ['read lib/a', 'read src/../lib/a']],
    ['cd -P src/../lib && cat a', ['read src/../lib/a']],
    ['cd src && cat ../a', ['read src/../a']],
    ['cat src/../a', ['read src/../a']],
    ['(cd src && cat a); cat b', ['read src/a', 'read b']],
    ['cd src | cat a', ['read a']],
    ['x=$(cd src); cat a', ['read a']],
    ['cd src & cat a', ['read a']],
    ['if cd src; then cat a; else cat b; fi', ['read src/a', 'read b']],
    ['if cd src; then cat a; fi; cat b', ['read src/a', 'read src/b', 'read b']],
    ['! cd src && cat a', ['read a']],
    ['cd src || cat a', ['read a']],
    ['cd a && cat x || cat y', ['read a/x', 'read a/y', 'read y']],
    ['{ cd src && cat a; } && cat b', ['read src/a', 'read src/b']],
    ['for d in a b; do (cd $d && cat x); done', ['read a/x', 'read b/x']],
    ['case x in a) cd src;; esac; cat a', ['read a', 'read src/a']],
    ['pushd src && cat a', ['read src/a']],
    ["bash -c 'cd src && cat a' && cat b", ['read src/a', 'read b']],
    ["eval 'cd src' && cat a", ['read src/a']],
    ['builtin cd src && command cd deep && cat a', ['read src/deep/a']],
    ['env -C src cat a', ['read src/a']],
    ['env cd src && cat a', ['read a']],
    ['cd src && cat < a > b', ['read src/a', 'write src/b']],
    ['cd src && ls', ['read src']],
    ["cat '~/a'", ['read ./~/a']],
    ["cd '~' && cat a", ['read ~/a']],
  ];
  test.each(places)('%j', (line, effects) => {
    expect(does(line).sort()).toEqual([...effects].sort());
  });

  test.each([
    'cd $x && cat a',
    'cd - && cat a',
    'cd ~bob && cat a',
    'cd a b && cat a',
    'popd && cat a',
    'pushd +1 && cat a',
    'pushd && cat a',
    'while cat a; do cd ..; done',
    'for d in $x; do cat a; cd ..; done',
    'f() { cd /; }; f; cat a',
    'source x; cat a',
    'eval "$x"; cat a',
    '$x src; cat a',
    'CDPATH=/ && cd src && cat a',
    'HOME=/ && cd && cat a',
    'exit; cat a',
    'cd 1; cd 2; cd 3; cd 4; cat a',
  ])('after %j nobody knows where cat reads', (line) => {
    expect(does(line)).not.toContain('read a');
    expect(isKnown(line)).toBe(false);
  });

  test.each(['cd $(pwd) && echo hi', 'cd "$PWD/$(ls)" && cat /w/app/a'])('%j needs no folder', (line) => {
    expect(isKnown(line)).toBe(true);
  });
});

describe('redirections', () => {
  const opened: [line: string, effects: string[]][] = [
    ['pwd > a', ['write a']],
    ['pwd >> a', ['write a']],
    ['pwd >| a', ['write a']],
    ['pwd &> a', ['write a']],
    ['pwd &>> a', ['write a']],
    ['pwd >& a', ['write a']],
    ['pwd 2> a', ['write a']],
    ['pwd <> a', ['write a']],
    ['cat < a', ['read a']],
    ['> a', ['write a']],
    ['< a', ['read a']],
    ['"$(< a)"', ['read a']],
    ['{ pwd; } > a', ['write a']],
    ['(pwd) > a 2>&1', ['write a']],
    ['if pwd; then pwd; fi > a', ['write a']],
    ['for x in 1; do pwd; done < a', ['read a']],
    ['f() { pwd; } > a', ['write a']],
    ['exec > a', ['write a']],
    ['exec {fd}> a', ['write a']],
    ['> a pwd', ['write a']],
    ["pwd > 'a b'", ['write a b']],
    ['pwd > ~/a', ['write /home/me/a']],
    ['pwd > "$HOME/a"', ['write /home/me/a']],
    ['pwd > /etc/a', ['write /etc/a']],
    ['pwd > {a}', ['write {a}']],
    ['pwd 2>&1', []],
    ['pwd >&2', []],
    ['pwd 2>&-', []],
    ['pwd > /dev/null 2> /dev/stderr', []],
    ['cat < /dev/null', []],
    ['cat <<E\nx\nE', []],
    ['cat <<< x', []],
    ['cat < /dev/tcp/evil/80', ['net evil']],
    ['exec 3<>/dev/udp/evil/53', ['net evil']],
    ['pwd > /dev/tty', ['write /dev/tty']],
  ];
  test.each(opened)('%j', (line, effects) => {
    expect(look(line).redirects.map(inWords)).toEqual(effects);
    expect(look(line).doubts).toEqual([]);
  });

  test.each(['ls > $x', 'ls > *', 'ls > {a,b}', 'ls > "$(a)"', 'ls >& $x', 'ls > ""', 'cd $x; ls > a', 'ls {PATH}> a'])(
    'where %j leads is a doubt',
    (line) => {
      expect(look(line).doubts).not.toEqual([]);
    },
  );

  test('a connection makes a line one of the network', () => {
    expect(does('cat < /dev/tcp/evil/80')).toEqual(['net evil']);
    expect(isReadOnly('cat < /dev/tcp/evil/80')).toBe(false);
  });
});

describe('doubts', () => {
  test.each([
    'ls &',
    'coproc ls',
    'A=1',
    'PATH=.; ls',
    'A=1 B=2',
    'a[x]=1',
    'http_proxy=x',
    'aproxy=x',
    'export A=1',
    'export A',
    'declare a=1',
    'readonly a=1',
    'local a=1',
    'typeset a=1',
    'unset a',
    'set -f',
    'set -- a b',
    'set',
    'set $x',
    'shopt -s nullglob',
    'alias a=b',
    'unalias a',
    'hash -p /x ls',
    'enable -n echo',
    'trap "" INT',
    'read PATH',
    'read $x',
    "read $'a'",
    'read -a x',
    'mapfile -t a',
    'readarray a',
    'getopts ab x',
    'let a=1',
    'printf -v x a',
    'echo ${v@P}',
    'echo ${v:=x}',
    'echo ${v=x}',
    'echo ${!v}',
    'echo ${!v*}',
    'echo ${a[x]}',
    'echo ${v:a}',
    'echo "${v#\'a\'}"',
    'echo $((A))',
    'echo $(($1))',
    'echo $((a[1]))',
    'echo $(( $(cat f) ))',
    'x=$(cat f); echo $((x))',
    'for x in a[0]; do ((x)); done',
    'read x; [[ $x -eq 1 ]]',
    '[[ $(cat f) -gt 1 ]]',
    '[[ -v a[0] ]]',
    'for PATH in a; do ls; done',
    'for f in a; do f=b; cat $f; done',
    'for f in a; do read f; cat $f; done',
    'for f in 1; do ((f++)); cat $f; done',
    'for f in a; do for f in b; do cat $f; done; done',
    "for f in a; do eval $'\\x66=/etc/passwd'; cat $f; done",
    'echo @(a|b)',
    'ls\u00a0-l',
    'ls\u200b',
    'echo "\u202e"',
  ])('%j cannot be proved', (line) => {
    expect(look(line).doubts).not.toEqual([]);
    expect(isKnown(line)).toBe(false);
  });

  test.each([
    'LANG=C ls',
    'LC_ALL=C TZ=UTC ls',
    'NO_COLOR=1 ls',
    'x=1; ls',
    'x=$(ls); ls',
    'x=(a b); ls',
    'set -e; ls',
    'set -euo pipefail; ls',
    'set +xe; ls',
    'set -o pipefail; ls',
    'IFS= read -r x; ls',
    'read -r -d , x; ls',
    'read; ls',
    'for f in a; do ls $f; done; for f in b; do ls $f; done',
    'for i in 1 2; do echo $((i * 2)); done',
    'i=0; while ((i < 3)); do echo $i; ((i++)); done',
    'i=0; while ((i < 3)); do i=$((i + 1)); done',
    '[[ -f a && ! b == c ]]',
    '[[ 1 -lt 2 ]]',
    '[[ ${x:-a} ]]',
    'if true; then exit 1; fi; ls',
    'ls; return; break',
    '# nothing',
    '',
    ' \n ',
  ])('%j can', (line) => {
    expect(look(line).doubts).toEqual([]);
    expect(isKnown(line)).toBe(true);
  });

  test.each(['FOO=1 ls', 'PATH=. ls', 'LANG=$x ls', 'TZ=/x ls', 'LANG+=C ls', 'GIT_PAGER=x timeout 5 ls', 'IFS=x ls'])(
    '%s: the variable makes the program unknown',
    (line) => {
      expect(isKnown(line)).toBe(false);
      expect(look(line).parts.at(-1)?.invocation.assigns).toHaveLength(1);
    },
  );
});

describe('what cannot be taken apart', () => {
  test.each([
    ';',
    'ls;;ls',
    '&& ls',
    'ls &&',
    'ls |',
    'echo "a',
    "echo 'a",
    'echo $(ls',
    'echo `ls',
    'echo ${x',
    'cat <<E\nx',
    'cat <<E\n$(ls\nE',
    'cat <<E\n`ls\nE',
    'if true; then ls',
    'ls (rm f',
    'ls (rm f)',
    'ls )',
    '} ls',
    'for x in; do',
    'bash -c "ls ("',
    'ls ( ; rm x',
    'ls (\nrm x',
    "eval 'if'",
    'echo $(ls;;)',
    'ls\rrm x',
    'ls \u0000',
    'ls \u001b[0m',
    'ls \ud800',
    `${'('.repeat(500)}ls${')'.repeat(500)}`,
    `${'$('.repeat(100)}ls${')'.repeat(100)}`,
    `echo ${'{'.repeat(50_000)}`,
    `echo ${'$['.repeat(30_000)}`,
    'coproc '.repeat(15_000),
    'a'.repeat(1 << 20),
    'ls;'.repeat(30_000),
  ])('has a problem (%#)', (line) => {
    expect(look(line).problem).toEqual(expect.any(String));
    expect(isKnown(line)).toBe(false);
  });

  test('ten thousand commands are all looked at', () => {
    const { parts, problem } = look(`${'ls; '.repeat(9_999)}rm x`);
    expect(problem).toBeUndefined();
    expect(parts).toHaveLength(10_000);
    expect(parts.at(-1)?.invocation.words).toEqual(['rm', 'x']);
  });
});
