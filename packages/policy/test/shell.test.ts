// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines here are shell text
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTrustedPath, shellEffects } from '../src/index.ts';

function isProved(command: string): boolean {
  return shellEffects(command, { trustedPath: true }).some((effect) => effect.kind === 'exec' && effect.readOnly);
}

function readsOf(command: string): string[] {
  return shellEffects(command, { trustedPath: true }).flatMap((effect) =>
    effect.kind === 'read' ? [effect.path] : [],
  );
}

describe('what is proved', () => {
  const proved: [command: string, reads: string[]][] = [
    ['pwd', []],
    ['true', []],
    ['echo hello "big world" \'$HOME; rm x\'', []],
    ['sleep 0.2', []],
    ['ls', ['.']],
    ['ls -la', ['.']],
    ['ls -la src test', ['src', 'test']],
    ['cat a.txt', ['a.txt']],
    ['cat', []],
    ['cat -', []],
    ["cat 'with space.txt'", ['with space.txt']],
    ['cat sr"c"/a.ts', ['src/a.ts']],
    ['head -n 5 a.txt', ['a.txt']],
    ['head -5 a.txt', ['a.txt']],
    ['tail -n +5 a.txt', ['a.txt']],
    ['tail -c 100 a.txt', ['a.txt']],
    ['wc -l a b', ['a', 'b']],
    ['cat a && wc -l b || echo no; ls | head -n 1', ['a', 'b', '.']],
  ];
  test.each(proved)('%s is read-only and reads what it names', (command, reads) => {
    expect(shellEffects(command, { trustedPath: true })).toEqual([
      { kind: 'exec', command, readOnly: true },
      ...reads.map((path) => ({ kind: 'read', path })),
    ]);
  });

  test('a flag after the first file counts as a file, because some systems open it', () => {
    expect(readsOf('cat a -n')).toEqual(['a', '-n']);
  });

  test('a count is only a count when it is a number', () => {
    expect(readsOf('head -n /etc/shadow')).toEqual(['/etc/shadow']);
  });
});

describe('when the PATH is not trusted', () => {
  test.each(['pwd', 'echo a "b c"', 'true', 'false', 'pwd && echo x; true || false | echo'])(
    '%s is proved, because the shell does it itself',
    (command) => {
      expect(shellEffects(command, { trustedPath: false })).toEqual([{ kind: 'exec', command, readOnly: true }]);
    },
  );

  test.each(['ls', 'cat a', 'cat', 'head a', 'tail a', 'wc a', 'sleep 1', 'echo a | cat', 'pwd; ls'])(
    '%s is not, because the project may supply the program',
    (command) => {
      expect(shellEffects(command, { trustedPath: true })).toContainEqual({ kind: 'exec', command, readOnly: true });
      expect(shellEffects(command, { trustedPath: false })).toEqual([{ kind: 'exec', command, readOnly: false }]);
    },
  );

  const untrusted = ['/w/app', '/tmp'];
  test.each(['/usr/bin', '/usr/local/bin:/usr/bin:/bin', '/w/app-tools/bin:/bin', '/w', '/'])(
    '%s is trusted',
    (path) => {
      expect(isTrustedPath(path, untrusted)).toBe(true);
    },
  );

  test.each([
    undefined,
    '',
    ':/usr/bin',
    '/usr/bin:',
    '/usr/bin::/bin',
    '.:/usr/bin',
    '/usr/bin:bin',
    '~/bin:/usr/bin',
    '/usr/bin:/w/app',
    '/w/app/node_modules/.bin:/usr/bin',
    '/w/other/../app/bin:/usr/bin',
    '/W/App/bin:/usr/bin',
    '/usr/bin:/tmp/x',
  ])('%s is not', (path) => {
    expect(isTrustedPath(path, untrusted)).toBe(false);
  });
});

/** Lines that public incidents got past other agents, and their neighbours. */
const hostile: readonly string[] = [
  '',
  ' ',
  ';',
  'ls;',
  'ls;;ls',
  '&& ls',
  'ls &',
  'ls & rm x',
  'ls |& cat',
  'ls\nrm x',
  'ls\rrm x',
  'echo "\\"; rm x; echo \\""',
  'echo "a',
  "echo 'a",
  "echo 'a'\\''; rm x'",
  'echo <<E\nE\nrm x',
  'echo $(rm x)',
  'echo `rm x`',
  'echo "$(rm x)"',
  'echo "`rm x`"',
  'cat$IFS/etc/passwd',
  'cat ${IFS}x',
  'echo ${v@P}',
  'echo ${v:=x}',
  'echo ${!v}',
  'echo "${v:=$(rm x)}"',
  'echo $((a[$(rm x)]))',
  "echo $'\\x41'",
  'echo x > y',
  'echo x >| y',
  'echo x >! y',
  'echo x >>y',
  'cat <x',
  'cat <(rm x)',
  'cat *',
  'ls ?',
  'ls [ab]',
  'cat ~/.ssh/id_rsa',
  'echo {a,b}',
  '{ ls; }',
  '(ls)',
  'ls # x',
  'ls !$',
  'echo "!rm"',
  'sed -n w\\ f x',
  "sed -n 'w f' x",
  "sed 's/a/b/e' x",
  'sed -i s/a/b/ x',
  'echo x | sed w',
  'find . -exec rm x +',
  'find . -delete',
  'find . -fprint x',
  'export GIT_PAGER=x; git log',
  'PATH=. ls',
  'X=1',
  'A=1 B=2 cat x',
  './ls',
  '/bin/ls',
  "'ls'",
  'l"s"',
  'ls --color',
  'cat --',
  'cat -- x',
  'wc --files0-from=x',
  'tail -f x',
  'tail -F x',
  'tail -n 5 -f x',
  'tail x -f',
  'tail -5f x',
  'tail +5f x',
  'git status',
  'cd /tmp',
  'cd .claude && ls',
  'alias ls=rm; ls',
  'if true; then rm x; fi',
  'time ls',
  '! true',
  'sudo ls',
  'xargs rm',
  'tee x',
  'sort -o x y',
  'ls\u00a0-l',
  'ls\u2028rm x',
  'ls \u0000',
  "cat 'a\u0000b'",
  'ｌｓ',
];

test.each(hostile)('%j is not proved', (command) => {
  expect(shellEffects(command, { trustedPath: true })).toEqual([{ kind: 'exec', command, readOnly: false }]);
});

test('a command with a shell character outside quotes is never proved', () => {
  const forbidden = fc.constantFrom(...'\n\r&<>(){}*?[]~#$`\\!^"\''.split(''));
  const words = fc.array(fc.constantFrom('ls', 'cat', 'echo', 'a', '-l', ' ', ';', '&&', '|', "'x y'", '"x y"'));
  fc.assert(
    fc.property(words, words, forbidden, (before, after, char) => {
      // `&&` is the one pair that is a separator; a lone quote must stay unclosed.
      const head = before.join(' ');
      const tail = after.join(' ').replaceAll(char, '');
      fc.pre(!(char === '&' && (head.endsWith('&') || tail.startsWith('&'))));
      expect(isProved(`${head} ${char} ${tail}`)).toBe(false);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

test('whatever is proved changes nothing when a real shell runs it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tau-shell-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'a'), 'one\ntwo\n');
    const before = readdirSync(folder, { recursive: true });
    const token = fc.constantFrom(
      ...[
        'ls',
        'cat',
        'head',
        'wc',
        'echo',
        'true',
        'a',
        'src',
        '-l',
        '-n',
        '1',
        'x',
        ' ',
        ' ',
        ' ',
        ' ',
        ';',
        '&&',
        '|',
      ],
      ...["'", '"', '\\', '$', '>', '<', '&', '\n', '*', '(', ')', '`', '#', 'touch', 'PWD=x'],
    );
    const lines = fc
      .sample(fc.array(token, { minLength: 1, maxLength: 10 }), { numRuns: 4000, seed: 11 })
      .map((tokens) => tokens.join(''))
      .filter(isProved);
    expect(lines.length).toBeGreaterThan(20);
    const script = lines.map((line) => `bash -n -c ${quote(line)} || { echo BAD; exit 3; }; ${line}`);
    const run = spawnSync('bash', ['-c', script.slice(0, 60).join('\n')], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    expect(run.stdout).not.toContain('BAD');
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

test.each([
  ['a'.repeat(1 << 20)],
  [`echo ${'"'.repeat(1 << 20)}`],
  [`echo ${"'a'".repeat(350_000)}`],
  [`cat ${'a '.repeat(1 << 19)}`],
  ['ls;'.repeat(350_000)],
])('a command of a megabyte is answered without analysing it (%#)', (command) => {
  expect(shellEffects(command, { trustedPath: true })).toEqual([{ kind: 'exec', command, readOnly: false }]);
});
