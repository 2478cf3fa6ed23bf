/** `tau -p @FILE`: what a user hands over reaches the model, in every protocol, and stays in the session. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, converse, request, says } from './conversation.ts';

/** The smallest image there is: one transparent dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A document of one page with one line on it. */
function pdfOf(words: string): string {
  const drawn = `BT /F1 24 Tf 72 700 Td (${words}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = String(file.length).padStart(10, '0');
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${place} 00000 n \n`;
  });
  const start = file.length;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

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
  write('offer.pdf', pdfOf('Three apples for two'));
  expect(await tau(['-p', '@offer.pdf', 'sum it up'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(request(model, 0).body).toMatchObject({
    messages: [{ content: [{}, { text: '<file name="offer.pdf">\n[page 1]\nThree apples for two\n</file>' }] }],
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
  ['that is a PDF without words', '@a.pdf', pdfOf(''), /a\.pdf cannot be attached: this PDF holds no text/],
  ['that is neither image nor text', '@a.bin', 'a\0b', /neither an image nor text/],
  ['that is a folder', '@.', undefined, /it is no file/],
  ['that is too long', '@long.txt', 'x'.repeat(300_000), /more than 256 KB.*Name it in the prompt/],
  ['that is far too large', '@large.txt', 'x'.repeat(4_000_000), /more than 3\.75 MB/],
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
