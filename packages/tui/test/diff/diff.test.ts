import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHighlighter } from '../../src/code/highlighter.ts';
import { type Differ, loadDiffer } from '../../src/diff/differ.ts';
import type { FileDiff } from '../../src/diff/model.ts';
import { parseUnified } from '../../src/diff/parse.ts';
import { createDiffView } from '../../src/diff/view.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import type { Theme } from '../../src/theme/theme.ts';
import { colours, linesAt, plain, screens, widths } from '../lines.ts';
import { hostileText, plainText } from '../text/hostile.ts';

let differ: Differ;
beforeAll(async () => {
  differ = await loadDiffer();
});

/** Only what is pointed out inside of lines. */
const words: Theme = { ...plain, paint: (role, text) => (role.endsWith('Word') ? `<${text}>` : text) };

function shown(diff: FileDiff, width = 60, theme = plain): string[] {
  return linesAt(createDiffView({ diff, theme, header: false, layout: 'unified' }), width);
}

const before = `import { a } from './a.ts';

export function one(): number {
  return 1;
}

// unchanged
// unchanged
// unchanged
// unchanged
// unchanged
// unchanged
// unchanged

export const text = 'the quick brown fox jumps over the lazy dog, and then does it again for good measure';
const gone = true;
last line`;
const after = before
  .replace('return 1;', 'return 2; // changed')
  .replace('brown', 'red')
  .replace('const gone = true;\n', '')
  .replace('last line', 'last line\n');

describe('a diff', () => {
  test('looks right at every width', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('typescript');
    const diff = differ.compare(before, after, { oldPath: 'src/one.ts' });
    for (const width of [1, 3, 10, ...widths]) linesAt(createDiffView({ diff, theme: colours, highlighter }), width);
    expect(screens(createDiffView({ diff, theme: colours, highlighter }))).toMatchSnapshot();
  });

  test('lines that differ alike are each compared with their own, in order', () => {
    const diff = differ.compare('const a = one;\nconst b = two;\n', 'const a = three;\nconst b = four;\n');
    expect(shown(diff, 60, words)).toEqual([
      '1 - const a = <one>;',
      '2 - const b = <two>;',
      '1 + const a = <three>;',
      '2 + const b = <four>;',
    ]);
    const same = differ.compare('call(1);\ncall(2);\n', 'call(3);\ncall(4);\n');
    expect(same.hunks[0]?.lines.every(({ marks }) => marks !== undefined && marks.length > 0)).toBe(true);
  });

  test('lines below what came or went have the numbers that they have in both files', () => {
    const old = 'a\nb\nc\n';
    const numbersOf = (diff: FileDiff) =>
      diff.hunks[0]?.lines.map(({ kind, number, oldNumber }) => [kind, oldNumber, number]);
    expect(numbersOf(differ.compare(old, 'a\nx\ny\nb\nc\n'))).toEqual([
      ['context', 1, 1],
      ['added', undefined, 2],
      ['added', undefined, 3],
      ['context', 2, 4],
      ['context', 3, 5],
    ]);
    expect(numbersOf(differ.compare('a\nx\ny\nb\nc\n', old))).toEqual([
      ['context', 1, 1],
      ['removed', undefined, 2],
      ['removed', undefined, 3],
      ['context', 4, 2],
      ['context', 5, 3],
    ]);
  });

  test('points out the words that differ', () => {
    const diff = differ.compare('const a = one + two;\n', 'const a = one + three;\n');
    expect(shown(diff, 60, words)).toEqual(['1 - const a = one + <two>;', '1 + const a = one + <three>;']);
  });

  test('finds the line that a line stands for, where others came or went beside it', () => {
    const diff = differ.compare('const a = one + two;\nx\n', 'new\nconst a = one + three;\n');
    expect(shown(diff, 60, words)).toEqual([
      '1 - const a = one + <two>;',
      '2 - x',
      '1 + new',
      '2 + const a = one + <three>;',
    ]);
    const more = differ.compare('const a = one + two;\n', 'new\nand more\nconst a = one + three;\n');
    expect(shown(more, 60, words)).toContain('3 + const a = one + <three>;');
  });

  test('points out nothing in lines that have little in common', () => {
    const diff = differ.compare('const a = one + two;\n', 'return something else entirely\n');
    expect(shown(diff, 60, words)).toEqual(['1 - const a = one + two;', '1 + return something else entirely']);
  });

  test('shows changes of white space', () => {
    const diff = differ.compare('if (a)\n  b();\n', 'if (a)\n    b();\n');
    expect(shown(diff, 60, words)).toEqual(
      ['1   if (a)', '2 -   b();', '2 + <····>b();'].map((line) => line.replace('2 -   b', '2 - <··>b')),
    );
    expect(shown(differ.compare('a\n', 'a  \n'), 60, words)).toContain('1 + a<··>');
    expect(shown(differ.compare('a\r\n', 'a\n'))).toEqual(['1 - a␍', '1 + a']);
    expect(shown(differ.compare('a\r\nb\r\n', 'a\r\nc\r\n'))).toEqual(['1   a', '2 - b', '2 + c']);
  });

  test('shows that a line break at the end is missing', () => {
    expect(shown(differ.compare('a', 'a\n'))).toEqual(['1 - a', '    no line break at the end', '1 + a']);
  });

  test('has a mark between hunks and keeps the gutter of wrapped lines', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `${index + 1}`);
    const changed = lines.map((line) => (line === '3' || line === '25' ? 'x'.repeat(40) : line));
    const text = shown(differ.compare(lines.join('\n'), changed.join('\n'), { context: 1 }), 30);
    expect(text).toEqual([
      ' 2   2',
      ' 3 - 3',
      ` 3 + ${'x'.repeat(25)}`,
      `     ${'x'.repeat(15)}`,
      ' 4   4',
      '⋯',
      '24   24',
      '25 - 25',
      `25 + ${'x'.repeat(25)}`,
      `     ${'x'.repeat(15)}`,
      '26   26',
    ]);
  });

  test('puts old and new side by side where there is room', () => {
    const diff = differ.compare('a\nb\nc\n', 'a\nx\ny\nc\n');
    const lines = linesAt(createDiffView({ diff, theme: plain, header: false }), 120);
    expect(lines.map((line) => line.split('│').map((half) => half.trim()))).toEqual([
      ['1   a', '1   a'],
      ['2 - b', '2 + x'],
      ['', '3 + y'],
      ['3   c', '4   c'],
    ]);
  });

  test.each<[string, (made: Differ) => FileDiff, string[]]>([
    ['a new file', (d) => d.compare(undefined, 'a\n', { oldPath: 'n.txt' }), ['n.txt (new) +1', '1 + a']],
    ['a removed one', (d) => d.compare('a\n', undefined, { oldPath: 'n.txt' }), ['n.txt (removed) -1', '1 - a']],
    [
      'a renamed one',
      (d) => d.compare('a', 'a', { oldPath: 'o', newPath: 'n' }),
      ['o → n', 'The content is the same.'],
    ],
    ['a binary one', (d) => d.compare('a\0', 'b', { oldPath: 'o' }), ['o', 'The file is binary.']],
    ['an empty one', (d) => d.compare(undefined, '', { oldPath: 'o' }), ['o (new)', 'The file is empty.']],
    ['one without a change', (d) => d.compare('a', 'a', { oldPath: 'o' }), ['o', 'Nothing changed.']],
  ])('says what happened to %s', (_, make, lines) => {
    expect(linesAt(createDiffView({ diff: make(differ), theme: plain }), 60)).toEqual(lines);
  });

  test('is bounded, and says what is missing', () => {
    const many = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}`).join('\n');
    const diff = differ.compare(many('old'), many('new'));
    expect(diff.note).toBe('too different to compare line by line');
    expect([diff.added, diff.removed]).toEqual([5000, 5000]);
    const lines = createDiffView({ diff, theme: plain, header: false, maxLines: 10 }).render(60);
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe('… 9990 more lines of this diff');
    expect(differ.compare('x'.repeat(3_000_000), 'y'.repeat(3_000_000)).note).toContain('too large to compare');
  });

  test('gives back both texts, whatever they are', () => {
    fc.assert(
      fc.property(plainText, plainText, (one, two) => {
        const diff = differ.compare(one, two, { context: 1_000_000 });
        const side = (gone: string) =>
          diff.hunks
            .flatMap((hunk) => hunk.lines.filter(({ kind }) => kind !== gone).map(({ text }) => text))
            .join('\n');
        const isSame = diff.hunks.length === 0;
        expect(isSame).toBe(one === two);
        expect(isSame || side('added')).toBe(isSame || one.replace(/\n$/, ''));
        expect(isSame || side('removed')).toBe(isSame || two.replace(/\n$/, ''));
      }),
      { seed: 8, numRuns: 100 },
    );
  });

  test('fits and is harmless, whatever the texts are', () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.integer({ min: 1, max: 130 }), (one, two, width) => {
        linesAt(createDiffView({ diff: differ.compare(one, two, { oldPath: one }), theme: colours }), width);
      }),
      { seed: 8, numRuns: 80 },
    );
  });
});

describe('a diff that comes as text', () => {
  const git = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,3 +10,4 @@ export function f() {
 same
--- removed, not a header
+++ added, not a header
+more
 end
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
diff --git a/i.png b/i.png
Binary files a/i.png and b/i.png differ
diff --git a/n b/n
new file mode 100644
--- /dev/null
+++ b/n
@@ -0,0 +1 @@
+text
\\ No newline at end of file
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`;

  test('is read file by file', () => {
    const files = differ.parse(git);
    expect(files.map(({ change, oldPath, newPath }) => [change, oldPath, newPath])).toEqual([
      ['modified', 'src/a.ts', 'src/a.ts'],
      ['renamed', 'old name', 'new name'],
      ['modified', 'i.png', 'i.png'],
      ['added', undefined, 'n'],
      ['mode', 'run.sh', 'run.sh'],
    ]);
    const [first, , binary, added] = files;
    expect(first?.hunks[0]).toMatchObject({ title: 'export function f() {', newStart: 10 });
    expect(first?.hunks[0]?.lines.map(({ kind, number }) => `${kind} ${number}`)).toEqual([
      'context 10',
      'removed 11',
      'added 11',
      'added 12',
      'context 13',
    ]);
    expect(binary?.isBinary).toBe(true);
    expect(added?.hunks[0]?.lines[0]).toMatchObject({ text: 'text', isUnended: true });
  });

  test('is read without the header of git', () => {
    const files = parseUnified('--- a.txt\t2024-01-01\n+++ b.txt\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n');
    expect(files).toMatchObject([{ oldPath: 'a.txt', newPath: 'b.txt', added: 1, removed: 1 }]);
  });

  test('is cut when it is too long, and says so', () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `+line ${index}`).join('\n');
    const [file] = parseUnified(`--- a\n+++ a\n@@ -0,0 +1,30000 @@\n${lines}`);
    expect(file?.note).toBe('10003 more lines of this diff are not shown');
  });

  test('may be anything', () => {
    const line = fc.constantFrom(...git.split('\n'), '@@ -1,9 +1,9 @@', '+', '-', ' ', '\\', '--- x', '+++ y');
    fc.assert(
      fc.property(fc.array(fc.oneof(line, hostileText), { maxLength: 30 }), (lines) => {
        for (const diff of differ.parse(lines.join('\n'))) linesAt(createDiffView({ diff, theme: colours }), 40);
      }),
      { seed: 8, numRuns: 80 },
    );
  });

  test('shows control characters in names as what they are', () => {
    const [diff] = parseUnified('--- a\u001b[2J\n+++ a\u001b[2J\n@@ -1 +1 @@\n-a\n+b\n');
    if (diff === undefined) throw new Error('no file');
    expect(createDiffView({ diff, theme: colours }).render(40).map(stripAnsi)[0]).toBe('a␛[2J +1 -1');
  });
});
