/** Programs that print text: what they read, and which of their options do more than that. */
import { describe } from 'vitest';
import { refusedLines, understood } from './programs-stories.ts';

describe('they read the files they are given', () => {
  understood([
    ['cat', 'does nothing else'],
    ['cat -', 'does nothing else'],
    ['cat /dev/stdin', 'does nothing else'],
    ['cat a b', 'reads a, reads b'],
    ['cat -n a', 'reads a'],
    ['cat --number a', 'reads a'],
    ['cat -- -n', 'reads -n'],
    ['cat --help', 'does nothing else'],
    ['head a', 'reads a'],
    ['head -5 a', 'reads a'],
    ['head -n 5 a', 'reads a'],
    ['head -n5 a', 'reads a'],
    ['head -n -5 a', 'reads a'],
    ['head -c 1K a', 'reads a'],
    ['head --lines=5 a', 'reads a'],
    ['head --lines 5 a', 'reads a'],
    ['tail -n +5 a', 'reads a'],
    ['tail -20 a', 'reads a'],
    ['tac a', 'reads a'],
    ['nl -ba a', 'reads a'],
    ['wc -l a b', 'reads a, reads b'],
    ["cut -d' ' -f1,3 a", 'reads a'],
    ['cut -f 2- --output-delimiter=, a', 'reads a'],
    ['paste -sd, a', 'reads a'],
    ['fold -sw 80 a', 'reads a'],
    ['fmt -w 72 a', 'reads a'],
    ['column -t -s, a', 'reads a'],
    ['expand -t4 a', 'reads a'],
    ['rev a', 'reads a'],
    ['od -An -tx1 a', 'reads a'],
    ['hexdump -C -n 64 a', 'reads a'],
    ['xxd -l 64 a', 'reads a'],
    ['xxd -p a', 'reads a'],
    ['xxd -ps a', 'reads a'],
    ['xxd -r a', 'reads a'],
    ['strings -n 8 a', 'reads a'],
    ['base64 -d a', 'reads a'],
    ['base64 -w0 a', 'reads a'],
    ['iconv -f latin1 -t utf-8 a', 'reads a'],
    ['md5sum a', 'reads a'],
    ['sha256sum a b', 'reads a, reads b'],
    ['shasum -a 256 a', 'reads a'],
    ['cksum a', 'reads a'],
    ['comm -13 a b', 'reads a, reads b'],
    ['join -t, -1 2 -2 1 a b', 'reads a, reads b'],
    ['cmp -s a b', 'reads a, reads b'],
    ['sort a', 'reads a'],
    ['sort -rn -k2,2 -t: a', 'reads a'],
    ['sort -u --parallel=2 a', 'reads a'],
    ['uniq -c', 'does nothing else'],
    ['uniq -c a', 'reads a'],
    ['shuf -n 3 a', 'reads a'],
    ['shuf -e a b c', 'does nothing else'],
    ['shuf -i 1-9', 'does nothing else'],
    ['tr a-z A-Z', 'does nothing else'],
    ["tr -d '\n'", 'does nothing else'],
    ['numfmt --to=iec 12345', 'does nothing else'],
    ['basename /a/b.c .c', 'does nothing else'],
    ['dirname /a/b', 'does nothing else'],
  ]);
});

describe('a flag after the first file may be a file too, because some systems open it', () => {
  understood([
    ['cat a -n', 'reads a, reads -n'],
    ['head a -n 5', 'reads a, reads -n, reads 5'],
    ['wc a -- b', 'reads a, reads --, reads b'],
  ]);
});

describe('what they write is stated', () => {
  understood([
    ['sort -o out a', 'reads a, writes out'],
    ['sort a -o a', 'reads a, writes a'],
    ['sort --output=out a', 'reads a, writes out'],
    ['sort -uo out a', 'reads a, writes out'],
    ['shuf -o out a', 'reads a, writes out'],
    ['uniq a out', 'reads a, writes out'],
    ['uniq - out', 'writes out'],
    ['xxd a out', 'reads a, writes out'],
    ['xxd -r -p a out', 'reads a, writes out'],
  ]);
});

describe('hidden powers', () => {
  refusedLines([
    ['tail -f a', '-f'],
    ['tail -F a', '-F'],
    ['tail -n 5 -f a', '-f'],
    ['tail a -f', '-f'],
    ['tail -5f a', '-5f'],
    ['tail --follow a', '--follow'],
    ['tail --follow=name a', '--follow=name'],
    ['tail --retry a', '--retry'],
    ['tail +5f a', 'never end'],
    ['tac', 'temporary file'],
    ['tac -', 'temporary file'],
    ['tac a -', 'temporary file'],
    ['wc --files0-from=list', '--files0-from'],
    ['sort --files0-from=list', '--files0-from'],
    ['sort --compress-program=./evil a', '--compress-program'],
    ['sort --compress-prog ./evil a', '--compress-prog'],
    ['sort -T /elsewhere a', '-T'],
    ['sort --random-source=/etc/x -R a', '--random-source'],
    ['sort --outp=x a', '--outp=x'],
    ['shuf -r a', 'never ends'],
    ['shuf --random-source=x a', '--random-source'],
    ['uniq a b c', 'more than two'],
    ['uniq a -c b', 'after the first file'],
    ['md5sum -c list', '-c'],
    ['sha256sum --check list', '--check'],
    ['cksum --check list', '--check'],
    ['base64 -o out a', '-o'],
    ['iconv -f a -t b -o out a', '-o'],
    ['hexdump -f format a', '-f'],
    ['strings @list', 'out of a file'],
    ['head -n /etc/shadow', '-n'],
    ['head -n', '-n'],
    ['cut -d', '-d'],
    ['cat $X', 'known only when it runs'],
    ['cat -- $X', 'known only when it runs'],
    ['nl -s $X a', 'known only when it runs'],
    ['basename -- $X', 'known only when it runs'],
    ['split a', 'as many files'],
    ['csplit a 1', 'as many files'],
    ['yes', 'never ends'],
    ['less a', 'other programs'],
    ['more a', 'other programs'],
    ['vi a', 'other programs'],
    ['ed a', 'other programs'],
  ]);
});

describe('words that come only when it runs', () => {
  refusedLines(
    [
      ['cat', 'more words'],
      ['sort', 'more words'],
      ['tr a b', 'more words'],
    ],
    { open: true },
  );
});
