/** What the user's words mention as `@path`: what is attached, what is left, and what is only a word. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pngOf } from '../../tools/test/pictures.ts';
import { findMentions } from '../src/index.ts';
import { providerAt, says, workbench } from './workbench.ts';

/** An agent in a project with these files. */
async function placeWith(files: Record<string, string>, options: Parameters<typeof workbench>[1] = {}) {
  const bench = await workbench([says('ok')], options);
  for (const [path, content] of Object.entries(files)) bench.write(path, content);
  const names = async (text: string) => {
    const { attachments, left } = await bench.agent.expandMentions(text);
    const attached = attachments.flatMap((block) =>
      block.type === 'text' ? (/name="([^"]*)"/.exec(block.text)?.[1] ?? block.text) : [],
    );
    return { attached, left };
  };
  return { ...bench, names };
}

const files = { 'a.ts': 'one', 'b.ts': 'two', 'my notes.txt': 'three', 'src/c.ts': 'four', 'odd(1).txt': 'five' };

test.each([
  ['look at @a.ts', ['a.ts']],
  ['@a.ts and @b.ts, please', ['a.ts', 'b.ts']],
  ['is it (@a.ts)? or "@b.ts"! [@src/c.ts]', ['a.ts', 'b.ts', 'src/c.ts']],
  ['`@a.ts`, @./b.ts.', ['a.ts', './b.ts']],
  ['@"my notes.txt" says', ['my notes.txt']],
  ['@odd(1).txt', ['odd(1).txt']],
  ['one\n@a.ts\ntwo', ['a.ts']],
  ['@a.ts again @./a.ts', ['a.ts']],
  ['me@a.ts is an address, @Component a decorator, @types/node a package', []],
  ['@gone.ts @ @. @.. @/ @"" @', []],
  ['nothing at all', []],
])('%j mentions %j', async (text, attached) => {
  const { names } = await placeWith(files);
  expect(await names(text)).toEqual({ attached, left: [] });
});

test('a file comes with its name and its text, also by its full path and from home', async () => {
  const { agent, project, home } = await placeWith({ 'a.ts': 'one' });
  writeFileSync(join(home, 'own.txt'), 'mine\n');
  const full = join(project, 'a.ts');
  const { attachments } = await agent.expandMentions(`@${full} @~/own.txt`);
  expect(attachments).toEqual([
    { type: 'text', text: `<file name="${full}">\none\n</file>` },
    { type: 'text', text: '<file name="~/own.txt">\nmine\n</file>' },
  ]);
});

test('a folder comes as its list', async () => {
  const { agent, project } = await placeWith({ 'src/c.ts': '', 'src/deep/d.ts': '' });
  mkdirSync(join(project, 'empty'));
  const { attachments } = await agent.expandMentions('@src/ @empty');
  expect(attachments).toEqual([
    { type: 'text', text: '<folder name="src/">\nc.ts\ndeep/\n</folder>' },
    { type: 'text', text: '<folder name="empty">\nempty is empty.\n</folder>' },
  ]);
});

test('what holds credentials or is denied by a rule is not attached, by whichever way it is named', async () => {
  const { names, home, project, write } = await placeWith(
    { 'secrets/key.txt': 'no', 'open.txt': 'yes' },
    { settings: { permissions: { deny: ['read(secrets/**)'] } }, permissionMode: 'dangerously' },
  );
  mkdirSync(join(home, '.ssh'));
  write(join(home, '.ssh', 'id_rsa'), 'private');
  symlinkSync(join(home, '.ssh', 'id_rsa'), join(project, 'link.txt'));
  const { attached, left } = await names('@open.txt @secrets/key.txt @secrets @~/.ssh/id_rsa @link.txt');
  expect(attached).toEqual(['open.txt']);
  expect(left).toEqual([
    expect.stringMatching(/^secrets\/key\.txt cannot be attached: the rule read\(secrets\/\*\*\) denies it/),
    expect.stringMatching(/^secrets cannot be attached: the rule/),
    expect.stringMatching(/^~\/\.ssh\/id_rsa cannot be attached: .*holds credentials/),
  ]);
  await expect(names('@link.txt')).resolves.toMatchObject({
    attached: [],
    left: [expect.stringContaining('holds credentials')],
  });
});

test.each(['default', 'dontAsk', 'plan'] as const)(
  'outside the project the word of the user is enough in %s mode',
  async (permissionMode) => {
    const { names, home, write } = await placeWith({}, { permissionMode });
    write(join(home, 'notes.txt'), 'x');
    expect(await names('@~/notes.txt')).toEqual({ attached: ['~/notes.txt'], left: [] });
  },
);

test('what is too large, or no text, stays a word, and that is said', async () => {
  const { names } = await placeWith({ 'big.txt': 'x'.repeat(300_000), 'a.bin': 'a\0b', 'a.ts': '' });
  expect(await names('@big.txt @a.bin @a.ts')).toEqual({
    attached: ['a.ts'],
    left: [
      'big.txt cannot be attached: it has more than 256 KB of text',
      expect.stringMatching(/^a\.bin cannot be attached: it is neither/),
    ],
  });
});

test('no more than twenty files and half a megabyte of text come along', async () => {
  const many = Array.from({ length: 25 }, (_, at) => `f${at}.txt`);
  const { names } = await placeWith(Object.fromEntries(many.map((name) => [name, 'x'])));
  const { attached, left } = await names(many.map((name) => `@${name}`).join(' '));
  expect(attached).toEqual(many.slice(0, 20));
  expect(left).toEqual(['Only the first 20 files that are mentioned were attached, 5 were not']);

  const large = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(200_000)]));
  const heavy = await placeWith({ ...large, d: 'small' });
  expect(await heavy.names('@a @b @c @d')).toEqual({
    attached: ['a', 'b', 'd'],
    left: ['c cannot be attached: with the others it is too much for one message'],
  });
});

test('an image comes as one, but not to a model that takes none', async () => {
  const { agent, project } = await placeWith({});
  writeFileSync(join(project, 'dot.png'), pngOf(2, 2));
  expect((await agent.expandMentions('@dot.png')).attachments).toMatchObject([
    { type: 'text' },
    { type: 'image', mimeType: 'image/png' },
  ]);
  const { model } = await workbench([]);
  const blind = await placeWith(
    {},
    { providers: { blind: providerAt(model, 'anthropic-messages', { input: ['text'] }) }, model: 'blind/scripted' },
  );
  writeFileSync(join(blind.project, 'dot.png'), pngOf(2, 2));
  expect(await blind.names('@dot.png')).toEqual({
    attached: [],
    left: ['dot.png cannot be attached: it has images, and the model takes none'],
  });
});

test('a long text full of @ is gone through at once', async () => {
  const { names } = await placeWith({ 'a.ts': '' });
  const noise = `@${'.'.repeat(5000)} @"@"@" `.repeat(2000);
  expect(await names(`@a.ts ${noise}`)).toEqual({ attached: ['a.ts'], left: [] });
});

test('findMentions says what there is without reading it', async () => {
  const { project } = await placeWith({ 'src/c.ts': 'x' });
  expect(await findMentions('@src/c.ts in @src, @gone', project)).toEqual([
    { path: 'src/c.ts', resolved: join(project, 'src/c.ts'), kind: 'file' },
    { path: 'src', resolved: join(project, 'src'), kind: 'directory' },
  ]);
});

test('attach refuses what a mention may not bring either', async () => {
  const { agent, home, write } = await placeWith({ 'a.ts': 'one' });
  write(join(home, '.netrc'), 'machine x');
  expect(await agent.attach('a.ts')).toEqual([{ type: 'text', text: '<file name="a.ts">\none\n</file>' }]);
  await expect(agent.attach('~/.netrc')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('holds credentials'),
  });
});
