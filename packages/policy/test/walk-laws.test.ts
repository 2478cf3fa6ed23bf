// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines here are shell text
/** What must hold for any line, checked with generated ones and against a real bash. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { forEachChild, parse } from 'unbash';
import { describe, expect, test } from 'vitest';
import type { Analysis } from '../src/index.ts';
import { analyse } from '../src/shell/analyse.ts';
import { plainTree } from '../src/shell/walk/plain-tree.ts';
import { walkLine } from '../src/shell/walk/walk.ts';
import { deeds, isKnown, look, quoted } from './walking.ts';

const facts = { cwd: '/w/app', home: '/home/me', trustedPath: true };
const syntax = { parse, forEachChild };
const fixed = { seed: 5, numRuns: 600 };

describe('plain lines', () => {
  const word = fc.constantFrom(
    ...[
      'ls',
      'cat',
      'a',
      '-l',
      '-n',
      '5',
      'src/x',
      "'a b'",
      '"c d"',
      'e"f"g',
      "''",
      'timeout',
      'env',
      'A=1',
      'cd',
      '..',
    ],
    ...[
      'xargs',
      'find',
      '-exec',
      'sudo',
      'bash',
      '-c',
      "'ls; pwd'",
      'eval',
      'export',
      'set',
      '-e',
      'exit',
      'read',
      'x',
    ],
    ...[
      '/etc',
      'command',
      '-v',
      'printf',
      'if',
      'then',
      'time',
      'echo',
      'git',
      'status',
      'rm',
      '-rf',
      '/',
      '%',
      '+x',
      '@',
    ],
  );
  const line = fc
    .array(fc.tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom('&&', '||', ';', '|', ' ; ')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((commands) =>
      commands
        .flatMap(([words, mark]) => [words.join(' '), mark])
        .slice(0, -1)
        .join(' '),
    );

  test('without the parser they mean the same as with it', () => {
    let plain = 0;
    fc.assert(
      fc.property(line, (text) => {
        const tree = plainTree(text);
        if (tree === undefined) return;
        plain++;
        const script = parse(text);
        expect(script.errors).toBeUndefined();
        expect(walkLine(text, tree, facts, syntax)).toEqual(walkLine(text, script, facts, syntax));
      }),
      fixed,
    );
    expect(plain).toBeGreaterThan(200);
  });

  test('those that read text as a line have a problem while no parser is loaded', () => {
    expect(analyse("bash -c 'ls'", facts, undefined).problem).toBe('no parser is loaded');
    expect(analyse('timeout 5 ls', facts, undefined).problem).toBeUndefined();
  });
});

describe('words', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...['a', 'b-c', '.', '/', '=', ':', '-', '%', '+', ',', '@', '#', '^', '!', '~', '{', '}', '{a,b}'],
    ),
    fc.constantFrom(
      ...['{1..3}', '$HOME', '"$HOME"', '${HOME}', '*', '?', '[', ']', '~/x', '$', '$x', '""', "''", '{,x}'],
    ),
    fc.constantFrom(
      ...["'a b'", '"c  d"', "$'e\\tf'", '\\ ', "\\'", '\\"', '\\\\', '\\$', '\\*', '"\\$x"', '"a\\b"', '"`"'],
    ),
    fc.constantFrom(
      ...["$'\\x41'", "$'\\''", "'$x'", '"\'"', "'\"'", '\\\n', '"\\\n"', '\\~', '{a,{b,c}}', 'x..y', '{3..1}'],
    ),
  );
  const word = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));

  test('are what a real bash makes of them, wherever they are taken to be certain', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tau-words-'));
    try {
      const here = {
        cwd: folder,
        home: folder,
        trustedPath: true,
        glob: (pattern: string) => (pattern.startsWith('/') ? undefined : []),
      };
      const lines = fc
        .sample(fc.array(word, { minLength: 1, maxLength: 3 }), { numRuns: 2500, seed: 3 })
        .map((words) => `printf '<%s>' ${words.join(' ')}`)
        .map((line) => ({ line, found: analyse(line, here, syntax) }))
        .filter(({ found }) => isCertain(found));
      expect(lines.length).toBeGreaterThan(700);
      const script = lines.map(({ line }) => `( ${line}\n) 2>&1; printf '\\0'`).join('\n');
      const env = { PATH: process.env.PATH, HOME: folder };
      const run = spawnSync('bash', ['--norc'], { cwd: folder, env, input: script, encoding: 'utf8' });
      const outputs = run.stdout.split('\0');
      const wrong = lines.flatMap(({ line, found }, index) => {
        const words = found.parts[0]?.invocation.words.slice(2) ?? [];
        const expected = words.length === 0 ? '<>' : words.map((one) => `<${one}>`).join('');
        return outputs[index] === expected ? [] : [{ line, expected, real: outputs[index] }];
      });
      expect(wrong).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('quoting a word in any way gives the same words', () => {
    const text = fc.stringMatching(/^[ -~]{1,12}$/);
    fc.assert(
      fc.property(text, (value) => {
        const ways = [
          quoted(value),
          `"${value.replace(/[\\"$`]/g, '\\$&')}"`,
          value.replace(/[^\w]/g, '\\$&'),
          `$'${value.replace(/[\\']/g, '\\$&')}'`,
          [...value].map(quoted).join(''),
        ];
        for (const way of ways) expect(look(`x ${way}`).parts[0]?.invocation.words).toEqual(['x', value]);
      }),
      fixed,
    );
  });
});

function isCertain({ parts, problem }: Analysis): boolean {
  const [part] = parts;
  return (
    problem === undefined &&
    parts.length === 1 &&
    !part?.invocation.open &&
    part?.invocation.words.includes(undefined) === false
  );
}

describe('around a line', () => {
  const lines = [
    'rm x',
    'ls; rm x',
    'cat a | b "c d"',
    'for f in a b; do x $f; done',
    "x 'it''s' \"$(y)\"",
    'cd src && cat a',
    'x > y 2>&1',
    'if a; then b; fi',
    'sudo rm x',
    'cat <<< $(a)',
  ];
  const around: [name: string, wrap: (line: string) => string][] = [
    ['( )', (line) => `( ${line})`],
    ['{ }', (line) => `{ ${line}; }`],
    ['true &&', (line) => `true && { ${line}; }`],
    ['!', (line) => `! { ${line}; }`],
    ['bash -c', (line) => `bash -c ${quoted(line)}`],
    ['eval', (line) => `eval ${quoted(line)}`],
    ['$( )', (line) => `: "$( ${line})"`],
    ['backticks', (line) => `: "\`${line.replace(/[\\`]/g, '\\$&').replaceAll('"', '\\"')}\`"`],
    ['a function', (line) => `f() { ${line}; }`],
    ['if', (line) => `if ${line}; then :; fi`],
    ['while', (line) => `while :; do ${line}; done`],
    ['a here-document', (line) => `bash <<'E'\n${line}\nE`],
    ['env sh -c', (line) => `env sh -c ${quoted(line)}`],
    ['find -exec', (line) => `find . -exec sh -c ${quoted(line)} \\;`],
    ['xargs', (line) => `xargs -n 1 bash -c ${quoted(line)}`],
    ['<( )', (line) => `: <(${line})`],
    ['case', (line) => `case x in x) ${line};; esac`],
    ['timeout nice', (line) => `timeout 5 nice bash -c ${quoted(line)}`],
  ];
  test.each(around)('%s hides no program', (_, wrap) => {
    for (const line of lines) {
      const inner = deeds(line).map((start) => start.split(' ')[0]);
      const outer = deeds(wrap(line)).map((start) => start.split(' ')[0]);
      expect(look(wrap(line)).problem).toBeUndefined();
      expect(outer).toEqual(expect.arrayContaining(inner));
    }
  });

  test('two layers hide none either', () => {
    fc.assert(
      fc.property(fc.constantFrom(...around), fc.constantFrom(...around), ([, outer], [, inner]) => {
        const line = outer(inner('rm x'));
        // Backticks in backticks end where nobody expects it.
        if (look(line).problem === undefined) expect(deeds(line)).toContain('rm x');
      }),
      { ...fixed, numRuns: 400 },
    );
  });
});

describe('noise', () => {
  const token = fc.constantFrom(
    ...[
      'ls',
      'cat',
      'rm',
      'x',
      'a=b',
      'if',
      'then',
      'fi',
      'for',
      'in',
      'do',
      'done',
      'case',
      'esac',
      '{',
      '}',
      '(',
      ')',
    ],
    ...[
      '$(',
      '`',
      '"',
      "'",
      '\\',
      '\n',
      ' ',
      ' ',
      ' ',
      ';',
      '&',
      '|',
      '<',
      '>',
      '<<E',
      'E',
      '$',
      '${',
      '#',
      '!',
      '[[',
      ']]',
    ],
    ...[
      '((',
      '))',
      '*',
      '?',
      '[',
      ']',
      '~',
      ',',
      '..',
      '=',
      '@',
      '\r',
      '\0',
      '\u00a0',
      '\u200b',
      'é',
      'bash -c',
      'eval',
      '1',
    ],
  );
  const line = fc.oneof(
    fc.array(token, { maxLength: 15 }).map((tokens) => tokens.join('')),
    fc.string({ maxLength: 40, unit: 'binary' }),
  );

  test('never makes it fail, and never proves a line of which nothing was found', () => {
    fc.assert(
      fc.property(line, (text) => {
        const { parts, redirects, doubts, problem } = look(text);
        if (problem !== undefined || doubts.length > 0 || parts.length > 0 || redirects.length > 0) return;
        // Nothing is left but blanks, comments, the line's own variables, and text for nobody.
        const rest = text.replace(/(^|[\s;])#[^\n]*/g, '$1').replace(/\b[a-z][a-z0-9]*\+?=\S*|\d*<<[\s\S]*/g, '');
        expect(rest.replaceAll('\\\n', '')).toMatch(/^[\s;!]*$/);
      }),
      { ...fixed, numRuns: 2500 },
    );
  });

  test('in the middle of a line makes it fail closed', () => {
    fc.assert(
      fc.property(line, line, (before, after) => {
        const text = `${before}\nrm x\n${after}`;
        const { parts } = look(text);
        const named = parts.some(({ invocation }) => invocation.words.slice(0, 2).join(' ') === 'rm x');
        // Only a quote or a here-document that is open there makes text of it, or a backslash before it.
        if (!named && isKnown(text)) expect(before).toMatch(/["'`]|<<|\\$/);
      }),
      { ...fixed, numRuns: 1500 },
    );
  });
});
