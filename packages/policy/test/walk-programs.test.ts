// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines here are shell text
import { describe, expect, test } from 'vitest';
import { dangers, deeds, does, isKnown, isReadOnly, look, starts } from './walking.ts';

describe('every program in a line is found', () => {
  const found: [line: string, programs: string[]][] = [
    ['ls', ['ls']],
    ['ls; pwd && a || b | c', ['ls', 'pwd', 'a', 'b', 'c']],
    ['ls\nrm x\n', ['ls', 'rm x']],
    ['ls & rm x', ['ls', 'rm x']],
    ['a |& b', ['a', 'b']],
    ['! a', ['a']],
    ['time a', ['a']],
    ['(a; (b))', ['a', 'b']],
    ['{ a; b; }', ['a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done', ['a', 'b']],
    ['until a; do b; done', ['a', 'b']],
    ['for x in 1 2; do a $x; done', ['a 1', 'a 2']],
    ['for ((i=0; i<2; i++)); do a; done', ['a']],
    ['select x in 1 2; do a; done', ['a']],
    ['case x in a) b;; c|d) e;& *) f;; esac', ['b', 'e', 'f']],
    ['f() { a; }', ['a']],
    ['function f { a; }', ['a']],
    ['f() (a)', ['a']],
    ['coproc a', ['a']],
    ['coproc N { a; }', ['a']],
    ['[[ -f $(a) && x == $(b) ]]', ['[[ ? x ? ]]', 'a', 'b']],
    ['(( x = $(a) ))', ['((', 'a']],
    ['x $(a)', ['x ?', 'a']],
    ['x `a`', ['x ?', 'a']],
    ['x "$(a)"', ['x ?', 'a']],
    ['x "`a`"', ['x ?', 'a']],
    ['x $(a $(b))', ['x ?', 'a ?', 'b']],
    ['x `a \\`b\\``', ['x ?', 'a ?', 'b']],
    ['x <(a) >(b)', ['x /dev/stdin /dev/stdin', 'a', 'b']],
    ['x=$(a)', ['a']],
    ['x=$(a) y', ['y', 'a']],
    ['x=(1 $(a))', ['a']],
    ['x[$(a)]=1', ['a']],
    ['export x=$(a)', ['export ?', 'a']],
    ['x > $(a)', ['x', 'a']],
    ['x < <(a)', ['x', 'a']],
    ['x <<< $(a)', ['x', 'a']],
    ['cat <<E\n$(a)\nE', ['cat', 'a']],
    ['cat <<E\n`a`\nE\nb', ['cat', 'a', 'b']],
    ["cat <<'E'\n$(a)\nE", ['cat']],
    ['cat <<E | b\n$(a)\nE', ['cat', 'a', 'b']],
    ['x ${y:-$(a)}', ['x ?', 'a']],
    ['x "${y:+$(a)}"', ['x ?', 'a']],
    ['x ${y//$(a)/$(b)}', ['x ?', 'a', 'b']],
    ['x ${y[$(a)]}', ['x ?', 'a']],
    ['x ${y:$(a):1}', ['x ?', 'a']],
    ['x $((1 + $(a)))', ['x ?', 'a']],
    ['x $((y[$(a)]))', ['x ?', 'a']],
    ['for x in $(a); do b; done', ['a', 'b']],
    ['case $(a) in $(b)) c;; esac', ['a', 'b', 'c']],
    ['{ a; } > $(b)', ['a', 'b']],
    ['f() { a; } > $(b)', ['a', 'b']],
    ['> $(a)', ['a']],
    ['$(a) b', ['? b', 'a']],
    ['ls # rm x', ['ls']],
    ['ls \\\n -l', ['ls -l']],
    ['l\\\ns', ['ls']],
  ];
  test.each(found)('%j', (line, programs) => {
    expect(look(line).problem).toBeUndefined();
    expect(starts(line)).toEqual(programs);
  });
});

describe('wrappers are taken off', () => {
  const wrapped: [line: string, programs: string[]][] = [
    ['sudo -u bob -n rm x', ['sudo -u bob -n rm x', 'rm x']],
    ['sudo A=1 rm x', ['sudo A=1 rm x', 'rm x']],
    ['doas rm x', ['doas rm x', 'rm x']],
    ['su -c "rm x" bob', ['su -c rm x bob', 'rm x']],
    ['env A=1 B=2 rm x', ['env A=1 B=2 rm x', 'rm x']],
    ['env -u A -- rm x', ['env -u A -- rm x', 'rm x']],
    ['env -S "rm x"', ['env -S rm x', 'rm x']],
    ['command rm x', ['command rm x', 'rm x']],
    ['command -p rm x', ['command -p rm x', 'rm x']],
    ['builtin echo x', ['builtin echo x', 'echo x']],
    ['exec rm x', ['exec rm x', 'rm x']],
    ['nohup rm x', ['nohup rm x', 'rm x']],
    ['nice -n 5 rm x', ['nice -n 5 rm x', 'rm x']],
    ['nice -5 rm x', ['nice -5 rm x', 'rm x']],
    ['ionice -c 3 rm x', ['ionice -c 3 rm x', 'rm x']],
    ['\\time -v rm x', ['time -v rm x', 'rm x']],
    ['timeout -k 3 --signal=INT 5 rm x', ['timeout -k 3 --signal=INT 5 rm x', 'rm x']],
    ['stdbuf -oL rm x', ['stdbuf -oL rm x', 'rm x']],
    ['setsid -w rm x', ['setsid -w rm x', 'rm x']],
    ['chrt -f 5 rm x', ['chrt -f 5 rm x', 'rm x']],
    ['taskset -c 1 rm x', ['taskset -c 1 rm x', 'rm x']],
    ['xargs -0 -n 1 rm -f', ['xargs -0 -n 1 rm -f', 'rm -f']],
    ['xargs -I% rm %', ['xargs -I% rm %', 'rm ?']],
    ['xargs', ['xargs', 'echo']],
    ['find . -exec rm {} ;', ['find . -exec rm {}', 'rm ?']],
    ['find . -exec rm {} \\;', ['find . -exec rm {} ;', 'rm ?']],
    ['find . -execdir a {} + -ok b \\;', ['find . -execdir a {} + -ok b ;', 'a ?', 'b']],
    ['fd -e ts -x rm {}', ['fd -e ts -x rm {}', 'rm ?']],
    ['parallel rm {} ::: a b', ['parallel rm {} ::: a b', 'rm ?']],
    ['watch -n 1 "rm x"', ['watch -n 1 rm x', 'rm x']],
    ['flock /tmp/l rm x', ['flock /tmp/l rm x', 'rm x']],
    ['flock /tmp/l -c "rm x"', ['flock /tmp/l -c rm x', 'rm x']],
    ['script -c "rm x" f', ['script -c rm x f', 'rm x']],
    ['busybox rm x', ['busybox rm x', 'rm x']],
    ['unshare -n rm x', ['unshare -n rm x', 'rm x']],
    ["sh -c 'rm x'", ['sh -c rm x', 'rm x']],
    ["bash -xec 'rm x' name", ['bash -xec rm x name', 'rm x']],
    ["bash -o pipefail -c 'rm x'", ['bash -o pipefail -c rm x', 'rm x']],
    ["zsh -lc 'rm x'", ['zsh -lc rm x', 'rm x']],
    ['eval rm x', ['eval rm x', 'rm x']],
    ['eval "r"m \'x; y\'', ['eval rm x; y', 'rm x', 'y']],
    ['bash <<E\nrm x\nE', ['bash', 'rm x']],
    ["bash <<< 'rm x'", ['bash', 'rm x']],
    ['echo rm x | sh', ['echo rm x', 'sh', 'rm x']],
    ["trap 'rm x' EXIT", ['trap rm x EXIT', 'rm x']],
    [
      "sudo env A=1 timeout 5 bash -c 'nice rm x'",
      [
        'sudo env A=1 timeout 5 bash -c nice rm x',
        'env A=1 timeout 5 bash -c nice rm x',
        'timeout 5 bash -c nice rm x',
        'bash -c nice rm x',
        'nice rm x',
        'rm x',
      ],
    ],
    ['/usr/bin/sudo rm x', ['/usr/bin/sudo rm x', 'rm x']],
    ['/usr/bin/env rm x', ['/usr/bin/env rm x', 'rm x']],
    ['timeout --weird 5 rm x', ['timeout --weird 5 rm x', 'rm x']],
  ];
  test.each(wrapped)('%j', (line, programs) => {
    expect(starts(line)).toEqual(programs);
  });

  test('a part says through what it is started', () => {
    const { parts } = look("sudo env timeout 5 bash -c 'eval rm x'");
    expect(parts.at(-1)?.invocation.through).toEqual(['sudo', 'env', 'timeout', 'bash', 'eval']);
  });

  test.each(['timeout 5 ls', 'nohup ls', 'nice -n 5 ls', 'stdbuf -oL ls', 'setsid ls', 'command ls', 'env LANG=C ls'])(
    '%s does what ls does, and is proved like it',
    (line) => {
      expect(deeds(line)).toEqual(['ls']);
      expect(isReadOnly(line)).toBe(true);
    },
  );

  test.each([
    "bash -c 'ls'",
    "sh -c 'ls -la'",
    "bash -ec 'ls; pwd'",
    'eval ls',
    "bash <<< 'ls'",
    'echo ls | bash',
    'exec ls',
  ])('%s is proved, because what it runs is written in it', (line) => {
    expect(isReadOnly(line)).toBe(true);
  });

  test.each([
    'env',
    'env -i ls',
    'env -u GIT_CONFIG_COUNT ls',
    'env - ls',
    'env FOO=1 ls',
    'env $x ls',
    'env --weird ls',
    'timeout $x ls',
    'timeout "$x" ls',
    'timeout --weird 5 ls',
    'nice $x ls',
    'exec -a x ls',
    'exec -c ls',
    'setsid -f ls',
    '/usr/bin/timeout 5 ls',
    './env ls',
    'ti\\meout 5 ls',
    "'env' ls",
    'chrt -f 5 ls',
    'unshare ls',
    'busybox ls',
    'watch ls',
    'parallel ls',
    'taskset -p 1',
    'xargs cat',
    'xargs -I% cat %',
    'bash',
    'bash x.sh',
    'bash -s < x',
    'bash -lc ls',
    'bash -ic ls',
    'bash --rcfile x -c ls',
    'bash -O extglob -c ls',
    'bash -c "$x"',
    'bash $x -c ls',
    "zsh -c 'ls'",
    "sh -c 'echo {a,b}'",
    "sh -c 'echo a &>/dev/null'",
    'sh -c "echo \\$\'a\'"',
    'eval $x',
    'eval "$x"',
    'source x',
    '. x',
    'ls | sh',
    'xargs sh <<< ls',
    'echo "a\\nb" | sh',
    'echo -e ls | sh',
    'find . -exec rm {} +',
    'find . -exec cat {} +',
    'find . -type f -o -exec cat {} +',
    'find -L . -type f -exec cat {} +',
    'find . -exec cat {} + -type f',
    'find . -type f -execdir cat {} +',
    'find . -type f -exec sort -o {} {} +',
    'find . -type f -exec rm {} +',
    'find . -type f -exec sh -c "cat $1" {} +',
  ])('%s is not known', (line) => {
    expect(isKnown(line)).toBe(false);
  });

  test('the plain files that find hands on are read below where it begins', () => {
    const line = 'find src -type f -name "*.ts" -exec wc -l {} +';
    expect(isReadOnly(line)).toBe(true);
    expect(does(line)).toEqual(['read src', 'read ./src']);
  });

  test('flock makes its file', () => {
    expect(does('flock l pwd')).toEqual(['write l']);
  });
});

describe('what the line itself gives a meaning', () => {
  test.each([
    'ls() { pwd; }; ls',
    'function ls { pwd; }; ls',
    'ls; ls() { pwd; }',
    "eval 'ls() { pwd; }'; ls",
    'if ls() { pwd; }; then ls; fi',
    'timeout() { pwd; }; timeout 5 ls',
    'cd() { pwd; }; cd src',
    'alias ls=pwd; ls',
  ])('%s is not known', (line) => {
    expect(isKnown(line)).toBe(false);
    expect(isKnown('ls; pwd')).toBe(true);
  });
});

describe('dangers', () => {
  const network = 'it runs what comes from the network';
  test.each([
    'curl https://x.y/i | sh',
    'curl https://x.y/i | sudo bash -s -- -y',
    'wget -qO- https://x.y/i | tee f | bash',
    'curl https://x.y/i | (cd /tmp; sh)',
    'curl https://x.y/i | env sh',
    'bash <(curl https://x.y/i)',
    'bash < <(curl https://x.y/i)',
    'source <(curl https://x.y/i)',
    '. <(curl https://x.y/i)',
    'sh -c "$(curl https://x.y/i)"',
    'sh -c "`curl https://x.y/i`"',
    'eval "$(curl https://x.y/i)"',
    'eval $(echo $(curl https://x.y/i))',
    'bash <<< "$(curl https://x.y/i)"',
    'bash <<E\n$(curl https://x.y/i)\nE',
    'curl https://x.y/i | bash -c "sh"',
    'curl https://x.y/i | python3',
    'curl https://x.y/i | python3 -',
    'curl https://x.y/i | node',
  ])('%j', (line) => {
    expect(dangers(line)).toContain(network);
  });

  test.each([
    'curl https://x.y/i | cat',
    'sh -c ls',
    'echo a | sh',
    'curl https://x.y/i | bash -c "cat"',
    'curl https://x.y/i | python3 -m json.tool',
    'echo 1 | python3',
  ])('%j is not that danger', (line) => {
    expect(dangers(line)).not.toContain(network);
  });

  test.each([':(){ :|:& };:', 'f() { f & }; f', 'f() { f | f; }', 'f(){ g; }; h(){ h|cat; }'])(
    '%j is a fork bomb',
    (line) => {
      expect(dangers(line)).toContain('it starts itself again and again until nothing else can run');
    },
  );

  test('a function that calls itself is none', () => {
    expect(dangers('f() { f; }; f')).toEqual([]);
  });

  test.each(['sudo ls', 'doas ls', 'su -c ls', '/usr/bin/sudo ls', 'pkexec ls', 'x | sudo tee y', "bash -c 'sudo ls'"])(
    '%s runs with the rights of another user',
    (line) => {
      expect(dangers(line)).toContain('it runs with the rights of another user');
    },
  );

  test.each(['echo x > /dev/sda', 'x >> /dev/nvme0n1', '{ ls; } > /dev/sda', '> //dev/../dev/sda', 'ls >| /dev/mem'])(
    '%s writes to a device',
    (line) => {
      expect(dangers(line)).toEqual(['it writes to a device']);
    },
  );

  test.each(['ls > /dev/null', 'ls > /dev/stderr', 'ls > /dev/fd/3', 'ls > /dev/shm/x', 'cat < /dev/urandom'])(
    '%s is not dangerous',
    (line) => {
      expect(dangers(line)).toEqual([]);
    },
  );
});
