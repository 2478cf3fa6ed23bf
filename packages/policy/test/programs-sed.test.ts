/** `sed`: a script that is known opens exactly the files that it names. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSedScript } from '../src/shell/programs/sed/script.ts';
import { judge } from './judging.ts';
import { refusedLines, understood } from './programs-stories.ts';

describe('how it is called', () => {
  understood([
    ['sed -n 1,5p a', 'reads a'],
    ['sed s/a/b/ a b', 'reads a, reads b'],
    ['sed -e s/a/b/ -e 5q a', 'reads a'],
    ['sed --expression=p -n a', 'reads a'],
    ['sed -nE /x/p a', 'reads a'],
    ['sed p', 'does nothing else'],
    ['sed p a -n', 'reads a, reads -n'],
    ['sed -s -u -z p a', 'reads a'],
    ["sed '$r b' a", 'reads a, reads b'],
    ["sed -n 'w out' a", 'reads a, writes out'],
    ['sed s/a/b/w/dev/stdout a', 'reads a'],
    ['sed -i s/a/b/ a b', 'reads a, reads b, writes a, writes b'],
    ['sed -i.bak s/a/b/ a', 'reads a, writes a, writes a.bak'],
    ['sed --in-place=~ s/a/b/ a', 'reads a, writes a, writes a~'],
    ['sed -i -e s/a/b/ web/w.ts', 'reads web/w.ts, writes web/w.ts'],
    ['sed -i s/a/b/ web/w.ts', 'reads web/w.ts, writes web/w.ts'],
    ["sed -i '' s/a/b/ x", 'reads s/a/b/, reads x, writes s/a/b/, writes x'],
    ["sed -i '/x/w out' a", 'reads a, writes a, writes out'],
  ]);
  refusedLines([
    ['sed s/a/b/e a', 'more than change text'],
    ["sed '1e id' a", 'more than change text'],
    ['sed -f script a', '-f'],
    ['sed --file=script a', '--file'],
    ['sed --follow-symlinks -i p a', '--follow-symlinks'],
    ['sed -i p a -n', 'after the first file'],
    ["sed p -e 'w x' a", 'after the first file'],
    ['sed -i.bak/x p a', 'copies go elsewhere'],
    ['sed -i../*.bak p a', 'copies go elsewhere'],
    ["sed -i x 'w /etc/x' a", 'taken for a script'],
    ["sed -i '' 'w /etc/x' a", 'taken for a script'],
    ['sed -i x w/etc/x a', 'taken for a script'],
    ['sed -i x w../../x a', 'taken for a script'],
    ['sed $X a', 'only when it runs'],
    ['sed -e $X a', 'only when it runs'],
    ['sed p $X', 'only when it runs'],
    ['sed -n -- p $X', 'only when it runs'],
    ['sed --expr=p a', '--expr=p'],
  ]);
  test('a script that is not understood still tells which files are written', () => {
    expect(judge('sed -i s/a/b/e x')).toMatchObject({
      class: 'write',
      known: false,
      effects: [
        { kind: 'read', path: 'x' },
        { kind: 'write', path: 'x' },
      ],
    });
  });
});

describe('scripts that open no other file', () => {
  test.each([
    '',
    'p',
    '5q',
    '5q1',
    '$!d',
    '10,20p',
    '0~4d',
    '2,+3p',
    '/a/,/b/d',
    '/a\\/b/I,$p',
    '\\,a/b,d',
    '0,/x/s//y/',
    's/a/b/',
    's/a/b/gI2p',
    's|/usr|/opt|g',
    's#a#b\\#c#',
    's/[^a-z]*//',
    's/[[:space:]]*$//',
    's/[^\\/]*$//',
    's/a\\nb/\\\n/',
    's/w/e/',
    'y/abc/xyz/',
    ':a;N;$!ba;s/\\n/ /g',
    '/x/{s/a/b/;p;d}',
    '/x/ { n; p }',
    '/x/!{\np\n}',
    'a hello; w out',
    'i\\\nhello',
    '$a\\\nend',
    '/x/c new text }',
    's/a/b/ # comment; w out',
    '#n\np',
    '=;l;l 5',
    'N;P;D',
    'h;H;g;G;x',
    'b',
    't end\n:end',
  ])('%j', (script) => {
    expect(readSedScript(script)).toEqual({ reads: [], writes: [] });
  });
});

describe('files that scripts name', () => {
  test.each([
    ['w out', [], ['out']],
    ['W out', [], ['out']],
    ['s/a/b/gw out; p', [], ['out; p']],
    ['/x/r in', ['in'], []],
    ['r in\nw out', ['in'], ['out']],
    ['{w out\n}', [], ['out']],
  ])('%j', (script, reads, writes) => {
    expect(readSedScript(script)).toEqual({ reads, writes });
  });
});

describe('scripts of which nobody can be sure', () => {
  test.each([
    'e',
    'e id',
    '1e id',
    's/a/b/e',
    's/a/b/ge',
    'R file',
    'v',
    'L',
    'w',
    'r',
    's/a/b',
    's/a',
    'sxaxbx',
    's a b ',
    's/[/]/x/w out/',
    's/[\\]/]/w out/',
    's/[a/b/',
    'y/a/b',
    'p p',
    '5',
    '{p',
    'p}',
    '/x/}',
    'ba}w out',
    '{ba}',
    ':a}',
    ':',
    'a hello\\\nw out',
    'a',
    's/a/b/\\',
    's/a\nb/c/',
    'p\r',
    'p\0',
    '1,p',
    'q5x',
    'unknown',
  ])('%j', (script) => {
    expect(readSedScript(script)).toBeUndefined();
  });
});

test('a script with an e or a w where a command may stand is never one without files', () => {
  const piece = fc.constantFrom('p', 's/a/b/', '/x/', '1,2', '{', '}', ';', '\n', '!', 'n', '$', ' ', 'ba;', ':a;');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.array(piece, { maxLength: 6 }), (before, after) => {
      const head = before.join('');
      const plain = readSedScript(head);
      fc.pre(plain !== undefined);
      for (const evil of ['e id', 'w out', 's/a/b/e', 's/a/b/w out']) {
        const read = readSedScript(`${head}\n${evil}\n${after.join('')}`);
        expect(read === undefined || read.writes.includes('out')).toBe(true);
      }
    }),
    { numRuns: 1500, seed: 5 },
  );
});
