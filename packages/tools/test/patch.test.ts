import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TauError } from '@tau/core';
import { type Host, localHost } from '@tau/host';
import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyHunks } from '../src/patch/hunks.ts';
import { parsePatch } from '../src/patch/parse.ts';
import { applyPatchTool } from '../src/patch/patch.ts';
import { createSeenFiles } from '../src/seen.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const envelope = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const patch = (...lines: string[]) => bench.call('apply_patch', { input: envelope(...lines) });

async function put(files: Record<string, string | Buffer>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(bench.cwd, name)), { recursive: true });
    await writeFile(join(bench.cwd, name), content);
  }
}

/** Every file in the folder, by its path. */
async function files(): Promise<Record<string, string>> {
  const found = await readdir(bench.cwd, { recursive: true, withFileTypes: true });
  const plain = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    plain.map(async (name) => [name.slice(bench.cwd.length + 1), await readFile(name, 'utf8')] as const),
  );
  return Object.fromEntries(contents.sort());
}

describe('a patch', () => {
  test('adds, updates, moves and deletes in one go, and says what it did', async () => {
    await put({ 'a.txt': 'one\ntwo\nthree\n', 'old/b.sh': 'echo 1\n', 'c.txt': 'bye\n' });
    await chmod(join(bench.cwd, 'old/b.sh'), 0o755);
    await bench.call('read', { path: 'c.txt' });
    const result = await patch(
      '*** Add File: new/d.txt',
      '+first',
      '+',
      '+third',
      '*** Update File: a.txt',
      '@@',
      ' one',
      '-two',
      '+2',
      ' three',
      '*** Update File: old/b.sh',
      '*** Move to: bin/b.sh',
      '@@',
      '-echo 1',
      '+echo 2',
      '*** Delete File: c.txt',
    );
    expect(textOf(result)).toBe('Applied the patch:\nA new/d.txt\nM a.txt\nR old/b.sh -> bin/b.sh\nD c.txt');
    expect(await files()).toEqual({
      'a.txt': 'one\n2\nthree\n',
      'bin/b.sh': 'echo 2\n',
      'new/d.txt': 'first\n\nthird\n',
    });
    expect((await stat(join(bench.cwd, 'bin/b.sh'))).mode & 0o777).toBe(0o755);
    expect(result.details).toEqual({
      files: [
        { path: 'new/d.txt', kind: 'add', diff: expect.stringContaining('+first') },
        { path: 'a.txt', kind: 'update', diff: expect.stringContaining('-two\n+2') },
        { path: 'bin/b.sh', kind: 'move', from: 'old/b.sh', diff: expect.stringContaining('-echo 1\n+echo 2') },
        { path: 'c.txt', kind: 'delete', diff: expect.stringContaining('-bye') },
      ],
    });
  });

  test('says what it will touch, and nothing when it cannot be read', async () => {
    const { effects } = bench.tool('apply_patch');
    const lines = ['*** Add File: a', '+x', '*** Update File: b', '*** Move to: c', '*** Delete File: d'];
    expect(await effects({ input: envelope(...lines) }, { cwd: bench.cwd })).toEqual([
      { kind: 'write', path: 'a' },
      { kind: 'read', path: 'b' },
      { kind: 'write', path: 'b' },
      { kind: 'write', path: 'c' },
      { kind: 'read', path: 'd' },
      { kind: 'write', path: 'd' },
    ]);
    expect(await effects({ input: 'rm -rf' }, { cwd: bench.cwd })).toEqual([]);
    expect(textOf(await bench.call('apply_patch', { input: 'rm -rf' }))).toContain('begins with *** Begin Patch');
  });

  test('that fits the first file and not the second changes neither', async () => {
    await put({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const before = await files();
    const result = await patch('*** Update File: a.txt', '-one', '+1', '*** Update File: b.txt', '-three', '+3');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('The hunk at line 6 of the patch does not fit b.txt. Nothing was changed.');
    expect(await files()).toEqual(before);
  });

  test('that fails while it is written is taken back whole', async () => {
    await put({ 'a.txt': 'one\n', 'gone.txt': 'here\n', 'm.txt': 'move me\n', 'locked.txt': 'no\n' });
    const local = localHost({ cwd: bench.cwd });
    const host: Host = {
      ...local,
      files: {
        ...local.files,
        pinned: () => host.files,
        async move(from, to) {
          if (from === 'locked.txt') throw new TauError('file', 'the disk is full');
          return local.files.move(from, to);
        },
      },
    };
    const seen = createSeenFiles();
    for (const name of ['gone.txt', 'locked.txt']) {
      const found = await local.files.stat(name);
      if (found) seen.note(join(bench.cwd, name), found);
    }
    const ask = async () => ({ unattended: true }) as const;
    const context = { toolCallId: 'c', cwd: bench.cwd, signal: new AbortController().signal, onUpdate() {}, ask };
    const before = await files();
    const input = envelope(
      '*** Update File: m.txt',
      '*** Move to: moved.txt',
      '-move me',
      '+moved',
      '*** Update File: a.txt',
      '-one',
      '+1',
      '*** Add File: fresh.txt',
      '+x',
      '*** Delete File: gone.txt',
      '*** Delete File: locked.txt',
    );
    const run = applyPatchTool(host, seen).run({ input }, context);
    await expect(run).rejects.toMatchObject({
      message: 'the disk is full',
      remedy: 'Nothing was changed: what had been written was taken back.',
    });
    expect(await files()).toEqual(before);
  });

  test('builds on itself when it speaks of one file twice', async () => {
    await put({ 'a.txt': 'one\ntwo\n' });
    await patch('*** Update File: a.txt', '-one', '+1', '*** Update File: a.txt', '-two', '+2');
    expect(await files()).toEqual({ 'a.txt': '1\n2\n' });
  });

  test('may delete a file and add another in its place', async () => {
    await put({ 'a.txt': 'one\n' });
    await bench.call('read', { path: 'a.txt' });
    const result = await patch('*** Delete File: a.txt', '*** Add File: a.txt', '+new');
    expect(textOf(result)).toBe('Applied the patch:\nM a.txt');
    expect(await files()).toEqual({ 'a.txt': 'new\n' });
  });

  test('may move a file on and put another where it was', async () => {
    await put({ 'a.txt': 'one\n' });
    await patch(
      ...['*** Update File: a.txt', '*** Move to: b.txt', '*** Update File: b.txt', '*** Move to: c.txt'],
      ...['*** Add File: a.txt', '+new'],
    );
    expect(await files()).toEqual({ 'a.txt': 'new\n', 'c.txt': 'one\n' });
  });

  test('that moves a file and deletes it there deletes it, if it was read', async () => {
    await put({ 'a.txt': 'one\n' });
    const lines = ['*** Update File: a.txt', '*** Move to: b.txt', '*** Delete File: b.txt'];
    expect(textOf(await patch(...lines))).toContain('b.txt exists, but you have not read it');
    expect(await files()).toEqual({ 'a.txt': 'one\n' });
    await bench.call('read', { path: 'a.txt' });
    expect(textOf(await patch(...lines))).toBe('Applied the patch:\nD a.txt');
    expect(await files()).toEqual({});
  });

  test('may move a file by way of another name to where one was deleted', async () => {
    await put({ 'a.txt': 'one\n', 'c.txt': 'three\n' });
    await bench.call('read', { path: 'c.txt' });
    const result = await patch(
      ...['*** Delete File: c.txt', '*** Update File: a.txt', '*** Move to: b.txt'],
      ...['*** Update File: b.txt', '*** Move to: c.txt'],
    );
    expect(textOf(result)).toBe('Applied the patch:\nM c.txt\nD a.txt');
    expect(await files()).toEqual({ 'c.txt': 'one\n' });
  });

  test.each([
    ['adds what is there', ['*** Add File: a.txt', '+x'], 'a.txt exists already'],
    ['moves onto what is there', ['*** Update File: a.txt', '*** Move to: b.txt'], 'b.txt exists already'],
    ['updates what is not there', ['*** Update File: c.txt', '-x', '+y'], 'There is no file c.txt'],
    ['deletes what was never read', ['*** Delete File: a.txt'], 'a.txt exists, but you have not read it'],
    ['changes nothing', ['*** Update File: a.txt', ' one'], 'The patch changes nothing'],
    ['adds what is in the way', ['*** Add File: a.txt/b', '+x'], 'a part of the path is a file'],
  ])('that %s is refused', async (_, lines, message) => {
    await put({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const before = await files();
    const result = await patch(...lines);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(message);
    expect(await files()).toEqual(before);
  });

  test('may change a file that was not read, but not one that changed since it was', async () => {
    await put({ 'a.txt': 'one\n' });
    expect((await patch('*** Update File: a.txt', '-one', '+two')).isError).toBeUndefined();
    await put({ 'a.txt': 'one\n' });
    expect(textOf(await patch('*** Update File: a.txt', '-one', '+two'))).toContain('a.txt changed since you read it');
    await bench.call('read', { path: 'a.txt' });
    expect((await patch('*** Update File: a.txt', '-one', '+two')).isError).toBeUndefined();
    expect(textOf(await bench.call('edit', { path: 'a.txt', old_string: 'two', new_string: '3' }))).toContain(
      'Replaced',
    );
  });

  test('does not delete through a symlink', async () => {
    await put({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    await symlink('a.txt', join(bench.cwd, 'link'));
    await bench.call('read', { path: 'link' });
    const result = await patch('*** Update File: b.txt', '-two', '+2', '*** Delete File: link');
    expect(textOf(result)).toContain('it is a symbolic link');
    expect(await files()).toEqual({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  });

  test('is not written when the user interrupted', async () => {
    await put({ 'a.txt': 'one\n' });
    const input = envelope('*** Update File: a.txt', '-one', '+1');
    const result = await bench.call('apply_patch', { input }, { signal: AbortSignal.abort() });
    expect(textOf(result)).toBe('Not written: the user interrupted');
    expect(await files()).toEqual({ 'a.txt': 'one\n' });
  });

  test('keeps byte order mark, line endings and encoding', async () => {
    await put({ 'a.txt': '\ufeffone\r\ntwo\r\n', 'b.txt': Buffer.from('é\nx\n', 'latin1') });
    await patch('*** Update File: a.txt', ' one', '+1.5', ' two', '*** Update File: b.txt', ' é', '-x', '+ü');
    expect(await readFile(join(bench.cwd, 'a.txt'), 'utf8')).toBe('\ufeffone\r\n1.5\r\ntwo\r\n');
    expect(await readFile(join(bench.cwd, 'b.txt'))).toEqual(Buffer.from('é\nü\n', 'latin1'));
  });

  test('leaves the byte order mark where it is, whatever becomes of the first line', async () => {
    const changed = async (...lines: string[]) => {
      await put({ 'a.txt': '\uFEFFone\ntwo\n' });
      await bench.call('read', { path: 'a.txt' });
      const said = textOf(await patch('*** Update File: a.txt', '@@', ...lines));
      return { said, text: (await files())['a.txt'] };
    };
    const said = 'Applied the patch:\nM a.txt';
    expect(await changed('-one', '+1', '+1.5')).toEqual({ said, text: '\uFEFF1\n1.5\ntwo\n' });
    expect(await changed('-one', ' two')).toEqual({ said, text: '\uFEFFtwo\n' });
    expect(await changed(' one', '+between', ' two')).toEqual({ said, text: '\uFEFFone\nbetween\ntwo\n' });
    expect(await changed('+zero', ' one')).toEqual({ said, text: '\uFEFFzero\none\ntwo\n' });
  });

  test('must fit a very large file exactly', async () => {
    const large = `first \n${'some words to fill it\n'.repeat(100_000)}`;
    await put({ 'a.txt': large });
    expect(textOf(await patch('*** Update File: a.txt', '@@', '-first', '+1'))).toContain('does not fit a.txt');
    expect(textOf(await patch('*** Update File: a.txt', '@@', '-first ', '+1'))).toBe('Applied the patch:\nM a.txt');
  });

  test('says which tolerance it needed, and shows the lines', async () => {
    await put({ 'a.ts': '\tif (a) {\n\t\tb();\n\t}\n' });
    const result = await patch('*** Update File: a.ts', '@@', '     if (a) {', '-        b();', '+        c();');
    expect(textOf(result)).toContain('Matched after ignoring indentation:\n@@ -1,3 +1,3 @@');
    expect(await files()).toEqual({ 'a.ts': '\tif (a) {\n\t\tc();\n\t}\n' });
  });
});

describe('hunks', () => {
  const apply = (text: string, ...lines: string[]) => {
    const [section] = parsePatch(envelope('*** Update File: f', ...lines));
    if (section?.kind !== 'update') throw new Error('no update');
    return applyHunks('f', text, section.hunks).text;
  };

  test('are found one behind the other, the first place that fits', () => {
    expect(apply('x\na\nx\na\n', '@@', '-x', '+1', '@@', '-x', '+2')).toBe('1\na\n2\na\n');
    expect(() => apply('b\na\n', '@@', '-a', '+1', '@@', '-b', '+2')).toThrow('does not fit');
  });

  test('headers lead to the place, one inside the other', () => {
    const text = 'class A\n  def f\n    x\nclass B\n  def f\n    x\n  def g\n    x\n';
    expect(apply(text, '@@ class B', '@@   def g', '-    x', '+    y')).toBe(
      'class A\n  def f\n    x\nclass B\n  def f\n    x\n  def g\n    y\n',
    );
    expect(apply(text, '@@ class B', '-    x', '+    y')).toContain('class B\n  def f\n    y\n  def g\n    x');
    expect(() => apply(text, '@@ class C', '-    x', '+    y')).toThrow('is not in f: class C');
  });

  test('the header of a unified diff is taken for what it says', () => {
    expect(apply('a\nb\n', '@@ -1,2 +1,2 @@', '-b', '+c')).toBe('a\nc\n');
    expect(apply('a\nx\nb\nx\n', '@@ -3,2 +3,2 @@ b', '-x', '+y')).toBe('a\nx\nb\ny\n');
  });

  test('the end of the file is looked at first when it is meant', () => {
    expect(apply('x\ny\nx\n', '@@', '-x', '+z', '*** End of File')).toBe('x\ny\nz\n');
  });

  test('new lines without neighbours go behind their header, or to the end', () => {
    expect(apply('a\nb\n', '@@ a', '+new')).toBe('a\nnew\nb\n');
    expect(apply('a\nb\n', '@@', '+new')).toBe('a\nb\nnew\n');
    expect(apply('', '+new')).toBe('new\n');
  });

  test('a missing last line break stays missing', () => {
    expect(apply('a\nb', '-b', '+c')).toBe('a\nc');
    expect(apply('a\nb', ' b', '+c')).toBe('a\nb\nc');
    expect(apply('a\nb', '-b')).toBe('a');
  });

  test('context stays as the file has it', () => {
    expect(apply('say “a”  \nold\n', ' say "a"', '-old', '+new')).toBe('say “a”  \nnew\n');
  });

  test('an empty line is a line of context, or nothing before the next header', () => {
    expect(apply('a\n\nb\n', ' a', '', '-b', '+c')).toBe('a\n\nc\n');
    expect(apply('a\nb\n', '', '@@', '-a', '+1', '', '@@', '-b', '+2', '')).toBe('1\n2\n');
  });
});

describe('the parser', () => {
  const body = envelope('*** Add File: a', '+x');
  test.each([
    ['a code fence', `\`\`\`patch\n${body}\n\`\`\``],
    ['a here-document', `apply_patch <<'EOF'\n${body}\nEOF`],
    ['a here-document alone', `<<"PATCH"\n${body}\nPATCH\n`],
    ['blank lines', `\n\n${body}\n\n`],
    ['line breaks of Windows', body.replaceAll('\n', '\r\n')],
    ['a fence around a here-document', `\`\`\`\napply_patch <<EOF\n${body}\nEOF\n\`\`\``],
  ])('takes off %s', (_, input) => {
    expect(parsePatch(input)).toEqual([{ kind: 'add', path: 'a', lines: ['x'] }]);
  });

  test.each([
    ['no beginning', 'x', 'line 1: a patch begins with'],
    ['nothing', '', 'line 1: a patch begins with'],
    ['no end', '*** Begin Patch\n*** Add File: a\n+x', 'line 3: a patch ends with *** End Patch; this one may'],
    ['no section', '*** Begin Patch\n*** End Patch', 'it has no section'],
    ['a strange section', envelope('*** Rename File: a'), 'line 2: a section begins with'],
    ['a section without a path', envelope('*** Delete File: '), 'line 2: the path is missing'],
    ['a line without its sign', envelope('*** Add File: a', '+x', 'y'), 'line 4: each line of an added file'],
    ['a hunk line without its sign', envelope('*** Update File: a', '@@', 'y'), 'line 4: a line of a hunk begins'],
    ['an empty hunk', envelope('*** Update File: a', '@@ x'), 'line 3: the hunk has no lines'],
    ['an empty update', envelope('*** Update File: a'), 'line 2: it changes nothing in a'],
    ['lines after a deletion', envelope('*** Delete File: a', '-x'), 'line 3: nothing follows'],
    ['an end of file alone', envelope('*** Update File: a', '*** End of File'), 'line 3: *** End of File follows'],
  ])('names the line when there is %s', (_, input, message) => {
    expect(() => parsePatch(input)).toThrow(message);
  });

  test('throws nothing but a TauError, whatever it is given', () => {
    const line = fc.constantFrom(
      ...[
        '*** Begin Patch',
        '*** End Patch',
        '*** Add File: a',
        '*** Update File: a',
        '*** Delete File: a',
        '@@',
        '@@ x',
      ],
      ...[
        '*** Move to: b',
        '*** End of File',
        '+x',
        '-x',
        ' x',
        '',
        'x',
        '***',
        '```',
        '<<EOF',
        'EOF',
        '\r',
        '@@ -1 +1 @@',
      ],
    );
    const input = fc.oneof(
      fc.string(),
      fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
    );
    const property = fc.property(input, fc.array(line, { maxLength: 8 }), (some, inner) => {
      for (const text of [some, envelope(...inner)]) {
        try {
          for (const section of parsePatch(text)) {
            if (section.kind === 'update') applyHunks('a', 'x\ny\n', section.hunks);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(TauError);
        }
      }
    });
    fc.assert(property, { seed: 3, numRuns: 2000 });
  });
});

test('a patch made from two texts turns the one into the other', () => {
  const text = fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c', '', ' d', '\te', '“f”', '+g', '@@ h'), fc.constant('\n')), {
      maxLength: 15,
    })
    .map((lines) => lines.map((line) => line.join('')).join(''));
  const property = fc.property(text, text, (before, after) => {
    fc.pre(before !== after && before !== '');
    const { hunks } = structuredPatch('f', 'f', before, after, undefined, undefined, { context: 100 });
    const lines = hunks.flatMap((hunk) => ['@@', ...hunk.lines]);
    const [section] = parsePatch(envelope('*** Update File: f', ...lines));
    if (section?.kind !== 'update') throw new Error('no update');
    expect(applyHunks('f', before, section.hunks).text).toBe(after);
  });
  fc.assert(property, { seed: 11, numRuns: 1000 });
});
