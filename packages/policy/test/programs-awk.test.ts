/** `awk`: a program that is known has no way to open a file, to start a program or to show the environment. */
import { describe, expect, test } from 'vitest';
import { isHarmless } from '../src/shell/programs/awk.ts';
import { refusedLines, understood } from './programs-stories.ts';

describe('how it is called', () => {
  understood([
    ["awk '{print $1}' a", 'reads a'],
    ["awk -F: '{print $1}' a b", 'reads a, reads b'],
    ["awk -F '|' -v n=3 'NR==n' a", 'reads a'],
    ["gawk '{print $1}' -", 'does nothing else'],
    ["awk '{print}' system.log", 'reads system.log'],
    ["awk -- '{print}' -x", 'reads -x'],
  ]);
  refusedLines([
    ['awk -f program a', '-f'],
    ['gawk -i inplace {print} a', '-i'],
    ['gawk -l lib {print} a', '-l'],
    ['gawk -E program a', '-E'],
    ['gawk --file=program a', '--file'],
    ['mawk -W exec program', '-W'],
    ['gawk {print} /inet/tcp/0/example.com/80', 'connection'],
    ['awk $X a', 'only when it runs'],
    ['awk -- $X a', 'only when it runs'],
    ['awk -v $X {print} a', 'only when it runs'],
  ]);
});

describe('programs that are harmless', () => {
  test.each([
    '{print $1}',
    'NR>10',
    '$3 > 100 && $2 >= 5 {print $1}',
    '{ if ($1 > 5) print $2 }',
    '{ x = ($1 > $2) ? "a" : "b"; print x }',
    '{ print (1 > 2) }',
    '/a|b/ {print}',
    '$0 ~ /a|b/ || /c>d/ {n++} END {print n}',
    '{print $1 " -> " $2}',
    '{print "a | b"}',
    '{split($0, p, "|"); print p[1]/2, length(p[2])}',
    '{gsub(/[^a-z>]/, "|"); print} # > comment',
    'BEGIN{for(i=0;i<10;i++) print i}',
    'function f(a, b) { return (a > b) } { print f($1, $2) }',
    'length > 80',
    '{a[$1]++} END {for (k in a) if (a[k] > 1) print k, a[k]}',
    '{ n += $1 / 2; print n >= 3 }',
  ])('%s', (program) => {
    expect(isHarmless(program)).toBe(true);
  });
});

describe('programs that are not, or of which nobody can be sure', () => {
  test.each([
    '{print > "out"}',
    '{print >> "out"}',
    '{print $1 > $2}',
    '{printf "%s", $1 > "out"}',
    '{print(1) > "out"}',
    '{print (1)(2) > "out"}',
    '{ y = length /"/ ; print "a" > "f" ; x = /"/ }',
    '{print | "sh"}',
    '{print |& "sh"}',
    '{print "a" || "b" | "sh"}',
    'BEGIN{system("id")}',
    'BEGIN{ awk::system("id") }',
    'BEGIN{"id" | getline x}',
    'BEGIN{getline < "/etc/passwd"; print}',
    'BEGIN{while ((getline l < "/etc/passwd") > 0) print l}',
    'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2} {print}',
    'BEGIN{SYMTAB["x"]=1}',
    'BEGIN{for (k in ENVIRON) print k, ENVIRON[k]}',
    'BEGIN{print PROCINFO["version"]}',
    '@load "filefuncs"',
    '@include "x"',
    'BEGIN{f="sys"; @f("id")}',
    'BEGIN{extension("x", "y")}',
    // A slash that is a division would make code of what looks like a pattern, and the other way round.
    '{ x = (1) / 2; print > "out"; y = 3 / 4 }',
    '{ x = (1) /a/ 1; print 1 > "out" }',
    '{ x++ / 2; print > "out"; y = 1 / 3 }',
    '{ case /2; print > "out"; y/ 3 }',
    '/"/ {print > "out"} /"/',
    '/[/]/ {print > "out"; x = "]/"}',
    '{ x = 4 / 2; print "y" > "f"; z = 1 / 3 }',
    '{ print /x/ ? "a" : "b" > "out" }',
    '(x { print > "f" })',
    '{ print "unclosed > }',
    '{ print > \\\n"out" }',
    "{ print 'x' > 1 }",
  ])('%s', (program) => {
    expect(isHarmless(program)).toBe(false);
  });
});
