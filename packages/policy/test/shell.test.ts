// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines here are shell text
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTrustedPath, shellEffects } from '../src/index.ts';
import { shellFor } from './decisions.ts';

function isProved(command: string): boolean {
  return shellEffects(command, shellFor()).some((effect) => effect.kind === 'exec' && effect.readOnly);
}

function readsOf(command: string): string[] {
  return shellEffects(command, shellFor()).flatMap((effect) => (effect.kind === 'read' ? [effect.path] : []));
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
    expect(shellEffects(command, shellFor())).toEqual([
      { kind: 'exec', command, readOnly: true, class: 'read-only', known: true },
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
      expect(shellEffects(command, shellFor(false))[0]).toMatchObject({ kind: 'exec', command, readOnly: true });
    },
  );

  test.each(['ls', 'cat a', 'cat', 'head a', 'tail a', 'wc a', 'sleep 1', 'echo a | cat', 'pwd; ls'])(
    '%s is not, because the project may supply the program',
    (command) => {
      expect(shellEffects(command, shellFor())[0]).toMatchObject({ kind: 'exec', readOnly: true, known: true });
      expect(shellEffects(command, shellFor(false))[0]).toMatchObject({ kind: 'exec', readOnly: false, known: false });
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
  ';',
  'ls;;ls',
  '&& ls',
  'ls &',
  'ls & rm x',
  'ls\nrm x',
  'ls\rrm x',
  'echo "a',
  "echo 'a",
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
  'echo x > y',
  'echo x >| y',
  'echo x >! y',
  'echo x >>y',
  'cat <(rm x)',
  'cat *',
  'ls ?',
  'ls [ab]',
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
  'wc --files0-from=x',
  'tail -f x',
  'tail -F x',
  'tail -n 5 -f x',
  'tail x -f',
  'tail -5f x',
  'tail +5f x',
  'git status',
  'alias ls=rm; ls',
  'if true; then rm x; fi',
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
  expect(shellEffects(command, shellFor())[0]).toMatchObject({ kind: 'exec', command, readOnly: false });
});

/** They look like the others, and were refused before lines were taken apart; all they do is to read. */
const understood: [command: string, reads: string[]][] = [
  ['', []],
  [' ', []],
  ['ls;', ['.']],
  ['ls |& cat', ['.']],
  ['echo "\\"; rm x; echo \\""', []],
  ["echo 'a'\\''; rm x'", []],
  ["echo $'\\x41'", []],
  ['cat <x', ['x']],
  ['cat ~/.ssh/id_rsa', ['/home/me/.ssh/id_rsa']],
  ['echo {a,b}', []],
  ['{ ls; }', ['.']],
  ['(ls)', ['.']],
  ['ls # x', ['.']],
  ['ls !$', ['!$']],
  ['echo "!rm"', []],
  ['ls --color', ['.']],
  ['cat --', []],
  ['cat -- x', ['x']],
  ['cd /tmp', []],
  ['cd .claude && ls', ['.claude']],
  ['time ls', ['.']],
  ['! true', []],
];
test.each(understood)('%j only reads, and says what', (command, reads) => {
  expect(shellEffects(command, shellFor())).toEqual([
    { kind: 'exec', command, readOnly: true, class: 'read-only', known: true },
    ...reads.map((path) => ({ kind: 'read', path })),
  ]);
});

test('a command says its class, what it does and what is dangerous about it', () => {
  expect(shellEffects('ls > a', shellFor())).toEqual([
    { kind: 'exec', command: 'ls > a', readOnly: false, class: 'write', known: true },
    { kind: 'read', path: '.' },
    { kind: 'write', path: 'a' },
  ]);
  expect(shellEffects('frobnicate', shellFor())).toEqual([
    { kind: 'exec', command: 'frobnicate', readOnly: false, class: 'unknown', known: false },
  ]);
  expect(shellEffects('sudo ls', shellFor())[0]).toMatchObject({
    readOnly: false,
    class: 'dangerous',
    danger: 'it runs with the rights of another user',
  });
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
        ' ',
        ';',
        '&&',
        '|',
      ],
      ...[
        "'",
        '"',
        '\\',
        '$',
        '>',
        '<',
        '&',
        '\n',
        '*',
        '(',
        ')',
        '`',
        '#',
        'touch',
        'PWD=x',
        '{',
        '}',
        '[',
        '~',
        '!',
        '^',
        ',',
      ],
      ...[
        ' touch x ',
        '$(',
        ' || ',
        '=',
        '$x',
        '${',
        'if',
        'then',
        'fi',
        'do',
        '2>',
        '/dev/null',
        "$'",
        '\\\n',
        ';;',
        '<<<',
        '-',
      ],
    );
    const lines = fc
      .sample(fc.array(token, { minLength: 1, maxLength: 10 }), { numRuns: 4000, seed: 11 })
      .map((tokens) => tokens.join(''))
      .filter((line) => line.trim() !== '' && isProved(line));
    const strange = lines.filter((line) => /[^\w\s./;&|-]/.test(line));
    expect(lines.length).toBeGreaterThan(60);
    expect(strange.length).toBeGreaterThan(30);
    const script = [...lines.slice(0, 60), ...strange.slice(0, 60)].map((line) => `bash -c ${quote(line)}`);
    spawnSync('bash', ['-c', script.join('\n')], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('one\ntwo\n');
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
  expect(shellEffects(command, shellFor())).toEqual([
    { kind: 'exec', command, readOnly: false, class: 'unknown', known: false },
  ]);
});
