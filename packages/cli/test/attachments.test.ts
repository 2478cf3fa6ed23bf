/** `tau -p @FILE`: what a user hands over reaches the model, in every protocol, and stays in the session. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notebookOf, pdfOf } from '../../tools/test/documents.ts';
import { pngOf } from '../../tools/test/pictures.ts';
import { apis, converse, request, says } from './conversation.ts';

/** The smallest image there is: one transparent dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

test.each(apis)('an image is in the request over %s, and again when the conversation goes on', async (api) => {
  const { tau, model, project } = await converse([says('a dot'), says('still')], { api });
  writeFileSync(join(project, 'dot.bin'), Buffer.from(dot, 'base64'));
  expect(await tau(['-p', '@dot.bin', 'what is this?'])).toMatchObject({ code: 0, stdout: 'a dot\n', stderr: '' });
  expect(await tau(['-p', '-c', 'sure?'])).toMatchObject({ code: 0, stdout: 'still\n', stderr: '' });
  for (const number of [0, 1]) {
    const { raw } = request(model, number);
    expect(raw).toContain(dot);
    expect(raw).toContain('image/png');
    expect(raw).toContain('what is this?');
  }
});

test('of a PDF the words are in the request', async () => {
  const { tau, model, write } = await converse([says('ok')]);
  write('offer.pdf', pdfOf(['Three apples for two']));
  expect(await tau(['-p', '@offer.pdf', 'sum it up'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(request(model, 0).body).toMatchObject({
    messages: [{ content: [{}, { text: '<file name="offer.pdf">\n[page 1]\nThree apples for two\n</file>' }] }],
  });
});

test('a large image is made smaller, a notebook comes as its cells, an old encoding as text', async () => {
  const { tau, model, project } = await converse([says('ok')]);
  writeFileSync(join(project, 'wide.png'), pngOf(1700, 40));
  writeFileSync(join(project, 'a.ipynb'), notebookOf([{ cell_type: 'code', source: 'print(1)', outputs: [] }]));
  writeFileSync(join(project, 'old.txt'), Buffer.from('caf\xe9', 'latin1'));
  const run = await tau(['-p', '@wide.png', '@a.ipynb', '@old.txt', 'look']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(request(model, 0).body).toMatchObject({
    messages: [
      {
        content: [
          { text: 'look' },
          { text: '<file name="wide.png">\nPNG image of 1700 x 40, sent as PNG of 1568 x 37\n</file>' },
          { type: 'image', source: { media_type: 'image/png' } },
          { text: '<file name="a.ipynb">\n[cell 1: code]\nprint(1)\n</file>' },
          { text: '<file name="old.txt">\ncafé\n</file>' },
        ],
      },
    ],
  });
});

test('a text file comes with its name, and only with the first prompt', async () => {
  const { tau, model, write } = await converse([says('one'), says('two')]);
  write('my notes.txt', 'remember the milk');
  expect(await tau(['-p', 'first', '@my notes.txt', 'second'])).toMatchObject({ code: 0, stdout: 'one\ntwo\n' });
  expect(request(model, 0).body).toMatchObject({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'first' },
          { type: 'text', text: '<file name="my notes.txt">\nremember the milk\n</file>' },
        ],
      },
    ],
  });
  expect(request(model, 1).raw.split('remember the milk')).toHaveLength(2);
});

test.each([
  ['that is not there', '@gone.png', undefined, /gone\.png cannot be attached: .*no such file/],
  [
    'that is a broken PDF',
    '@a.pdf',
    '%PDF-1.7 and no more',
    /a\.pdf cannot be attached: it is a damaged or locked PDF/,
  ],
  ['that is a PDF without words', '@a.pdf', pdfOf(['']), /a\.pdf cannot be attached: it holds no text/],
  ['that is neither image nor text', '@a.bin', 'a\0b', /neither an image nor text/],
  ['that is a folder', '@.', undefined, /it is no file/],
  ['that is too long', '@long.txt', 'x'.repeat(300_000), /more than 256 KB.*name it in the prompt/],
  ['that is far too long', '@large.txt', 'x'.repeat(4_000_000), /more than 256 KB/],
  ['that is a broken image', '@a.gif', 'GIF89a and no more', /a\.gif cannot be attached: it is a damaged GIF image/],
])('a file %s is told before anything is asked: exit 2', async (_, word, content, message) => {
  const { tau, write, model } = await converse([says('never')]);
  if (content !== undefined) write(word.slice(1), content);
  expect(await tau(['-p', word, 'look'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
  expect(model.requests).toHaveLength(0);
});

test('a prompt that begins with @ and has a blank in it is a prompt', async () => {
  const { tau, model } = await converse([says('ok')]);
  expect(await tau(['-p', '@types/node is old'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(request(model, 0).raw).toContain('@types/node is old');
});

test('a model that takes no images is not sent one', async () => {
  const { tau, model, project, tauHome, write } = await converse([says('never')]);
  const models = [{ id: 'scripted', input: ['text'] }];
  const scripted = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'k', models };
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: { scripted } }));
  writeFileSync(join(project, 'dot.png'), Buffer.from(dot, 'base64'));
  const run = await tau(['-p', '@dot.png', 'look']);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('scripted/scripted takes no images') });
  expect(model.requests).toHaveLength(0);
});
