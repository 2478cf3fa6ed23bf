/** `read` through the door: whatever a file is, what the model can take of it is in the next request. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notebookOf, pdfOf } from '../../tools/test/documents.ts';
import { pngOf } from '../../tools/test/pictures.ts';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at, list } from './json.ts';

async function reading(input: Record<string, unknown>, files: Record<string, string | Uint8Array> = {}) {
  const { tau, model, project } = await converse([calls(call('read', input)), says('ok')]);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(project, name), content);
  expect(await tau(['-p', 'read it'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  const next = request(model, 1);
  const [result] = resultsIn(next);
  return { text: result?.text ?? '', next };
}

/** The blocks of the tool result, as Anthropic gets them. */
function blocksIn(body: unknown): unknown[] {
  return list(at(body, 'messages', 2, 'content', 0, 'content'));
}

test.each(apis)('an image is in the next request, over %s', async (api) => {
  const png = pngOf(3, 2);
  const { tau, model, project } = await converse([calls(call('read', { path: 'a.png' })), says('ok')], { api });
  writeFileSync(join(project, 'a.png'), png);
  expect(await tau(['-p', 'look'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(request(model, 1).raw).toContain(png.toString('base64'));
  expect(request(model, 1).raw).toContain('a.png: PNG image of 3 x 2');
});

test('a large image is made smaller on its way', async () => {
  const { text, next } = await reading({ path: 'wide.png' }, { 'wide.png': pngOf(1700, 40) });
  expect(text).toBe('wide.png: PNG image of 1700 x 40, sent as PNG of 1568 x 37');
  const [, image] = blocksIn(next.body);
  expect(image).toMatchObject({ type: 'image', source: { type: 'base64', media_type: 'image/png' } });
  const sent = Buffer.from(String(at(image, 'source', 'data')), 'base64');
  expect([sent.readUInt32BE(16), sent.readUInt32BE(20)]).toEqual([1568, 37]);
});

test('the wanted pages of a PDF', async () => {
  const { text } = await reading({ path: 'a.pdf', pages: '2-3' }, { 'a.pdf': pdfOf(['one', 'two', 'three', 'four']) });
  expect(text).toContain('[page 2]\ntwo\n\n[page 3]\nthree');
  expect(text).toContain('a.pdf has 4 pages, showing 2-3');
  expect(text).not.toContain('four');
});

test('the cells of a notebook, and the image in it', async () => {
  const image = { output_type: 'display_data', data: { 'image/png': pngOf(2, 2).toString('base64') } };
  const cells = [{ cell_type: 'code', execution_count: 1, source: ['plot()'], outputs: [image] }];
  const { text, next } = await reading({ path: 'a.ipynb' }, { 'a.ipynb': notebookOf(cells) });
  expect(text).toContain('[cell 1: code [1]]\nplot()\n[output: image 1]');
  expect(blocksIn(next.body)).toMatchObject([{ type: 'text' }, { type: 'image' }]);
});

test.each([
  ['UTF-16', Buffer.from('\ufeffgr\u00fc\u00dfe\n', 'utf16le'), 'NOTE: encoding utf-16le.\n1\tgrüße'],
  ['Latin-1', Buffer.from('gr\xfc\xdfe\n', 'latin1'), 'NOTE: not UTF-8; assumed to be windows-1252.\n1\tgrüße'],
])('text in %s', async (_, content, expected) => {
  expect((await reading({ path: 'a.txt' }, { 'a.txt': content })).text).toBe(expected);
});

test('the last lines', async () => {
  expect((await reading({ path: 'a.log', offset: -2 }, { 'a.log': 'a\nb\nc\n' })).text).toBe('2\tb\n3\tc');
});

test.each([
  ['a missing file', 'notes.tx', 'There is no file notes.tx. Near it in .: notes.txt.'],
  ['a folder', 'src', 'src is a folder. It is empty. Look into it with ls or glob.'],
  ['a binary', 'a.out', 'a.out is a binary file, not text. Try file a.out, or xxd a.out | head, through bash.'],
])('%s is an error that says how to go on', async (_, path, message) => {
  const { tau, model, project, write } = await converse([calls(call('read', { path })), says('ok')]);
  write('notes.txt', 'x');
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'a.out'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: message }]);
  expect(request(model, 1).raw).toContain('"is_error":true');
});
