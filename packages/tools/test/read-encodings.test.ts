/** Text in the encodings files are found in: told apart, read right, and written back as it was. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectEncoding } from '../src/text/detect.ts';
import { decode, type Encoding, encode } from '../src/text/encoding.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

const japanese = 'これは日本語のテキストです。漢字とひらがなとカタカナが混ざっています。';
const russian = 'Это текст на русском языке. Мы хотим правильно прочитать его содержание.';

const samples: readonly [name: string, text: string][] = [
  ['windows-1252', 'Ça va très bien – „Grüße“ aus Köln, 5 € pour l’élève'],
  ['windows-1251', russian],
  ['koi8-r', russian],
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['gb18030', '这是一个简体中文的文本文件。我们希望能够正确地读取它的内容，并且保持原来的编码。'],
  ['big5', '這是一個繁體中文的文字檔案。我們希望能夠正確地讀取它的內容，並且保持原來的編碼。'],
  ['euc-kr', '이것은 한국어로 된 텍스트 파일입니다. 우리는 그 내용을 올바르게 읽고 싶습니다.'],
];

function bytesOf(text: string, encoding: Encoding): Buffer {
  const bytes = encode(text, encoding);
  if (!bytes) throw new Error(`${encoding.name} cannot hold it`);
  return bytes;
}

async function readBytes(bytes: Uint8Array, input: Record<string, unknown> = {}) {
  await writeFile(join(bench.cwd, 'file.txt'), bytes);
  return bench.call('read', { path: 'file.txt', ...input });
}

test.each(samples)('a file in %s is read in it, and it is said that this was assumed', async (name, text) => {
  const result = await readBytes(bytesOf(`// ${text}\nint main() {}\n`, { name, bom: false }));
  expect(textOf(result)).toBe(`NOTE: not UTF-8; assumed to be ${name}.\n1\t// ${text}\n2\tint main() {}`);
  expect(result.details).toMatchObject({ encoding: name, totalLines: 2 });
});

test('the table of windows-1252 is the one of the standard', () => {
  const bytes = Buffer.from([0x80, 0x81, 0x85, 0x93, 0x94, 0x96, 0x99, 0x9f, 0xa0, 0xe9, 0xff]);
  expect(decode(bytes, { name: 'windows-1252', bom: false })).toBe('€\u0081…“”–™Ÿ\u00a0éÿ');
});

describe.each(['utf-16le', 'utf-16be'])('%s', (name) => {
  const text = 'one ü 日本\ntwo\nthree\n';

  test('with a mark it is certain, without one it is told by its zeros', async () => {
    const marked = await readBytes(bytesOf(text, { name, bom: true }));
    expect(textOf(marked)).toBe(`NOTE: encoding ${name}.\n1\tone ü 日本\n2\ttwo\n3\tthree`);
    const plain = await readBytes(bytesOf(text, { name, bom: false }));
    expect(textOf(plain)).toBe(`NOTE: not UTF-8; assumed to be ${name}.\n1\tone ü 日本\n2\ttwo\n3\tthree`);
  });

  test('offset, limit and the end work on its lines, also far into the file', async () => {
    // U+0A0A and U+0D0A have the byte of a line feed in them.
    const lines = Array.from({ length: 40_000 }, (_, at) => `\u0a0a line ${at + 1} \u0d0a`);
    const bytes = bytesOf(`${lines.join('\n')}\n`, { name, bom: true });
    const middle = await readBytes(bytes, { offset: 20_000, limit: 1 });
    expect(textOf(middle)).toContain('\n20000\t\u0a0a line 20000 \u0d0a');
    expect(middle.details).toMatchObject({ totalLines: 40_000 });
    expect(textOf(await readBytes(bytes, { offset: -1 }))).toContain('\n40000\t\u0a0a line 40000 \u0d0a');
  });
});

test('a mark of UTF-8 is no part of the first line', async () => {
  expect(textOf(await readBytes(Buffer.from('\ufeffone\ntwo')))).toBe('1\tone\n2\ttwo');
});

test('broken characters in UTF-8 are shown as such, with a note', async () => {
  const bytes = Buffer.concat([Buffer.from('Grüße aus Köln, Füße, Äpfel, Öl\n'), Buffer.from([0xff, 0x0a])]);
  expect(textOf(await readBytes(bytes))).toBe(
    'NOTE: some bytes are not valid utf-8; they are shown as \ufffd.\n1\tGrüße aus Köln, Füße, Äpfel, Öl\n2\t\ufffd',
  );
});

test('a file that begins in ASCII and is something else later is read as what it is there', async () => {
  const bytes = Buffer.concat([Buffer.from('plain\n'.repeat(20_000)), Buffer.from('caf\xe9 cr\xe8me\n', 'latin1')]);
  const result = await readBytes(bytes, { offset: -1 });
  expect(textOf(result)).toBe('NOTE: not UTF-8; assumed to be windows-1252.\n20001\tcafé crème');
});

test('a character across the end of the first look does not change the verdict', () => {
  const bytes = Buffer.from('é'.repeat(100));
  expect(detectEncoding(bytes.subarray(0, 99), { cut: true })).toEqual({ name: 'utf-8', bom: false });
  expect(detectEncoding(bytes.subarray(0, 99))).toEqual({ name: 'utf-8', bom: false });
  expect(detectEncoding(Buffer.from('abc\xe9', 'latin1'))).toEqual({ name: 'windows-1252', bom: false });
});

test('what is no text has no encoding', () => {
  const compressed = Buffer.from([0x1f, 0x8b, 8, 1, 1, 2, 3, 4, 5, 0x93, 0xff, 0x16, 0x12, 0x84]);
  expect(detectEncoding(compressed)).toBeUndefined();
  expect(detectEncoding(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]))).toBeUndefined();
  expect(detectEncoding(Buffer.from('\xff\xfe\0\0a\0\0\0', 'latin1'))).toBeUndefined();
  expect(detectEncoding(Buffer.alloc(0))).toEqual({ name: 'utf-8', bom: false });
});

test('a long line in another encoding is cut so that it fits as text', async () => {
  const result = await readBytes(bytesOf('é'.repeat(60_000), { name: 'windows-1252', bom: false }));
  expect(textOf(result)).toContain('line 1 has 60000 bytes, showing the first 17066.');
  expect(Buffer.byteLength(textOf(result))).toBeLessThan(50 * 1024);
});

test('the same text comes back from every encoding that can hold it', () => {
  const western = fc.string({
    unit: fc.integer({ min: 0, max: 0xff }).map((byte) => decode(Uint8Array.of(byte), windows)),
  });
  const unicode = fc.string({ unit: 'binary' });
  const windows: Encoding = { name: 'windows-1252', bom: false };
  fc.assert(
    fc.property(western, (text) => {
      expect(decode(bytesOf(text, windows), windows)).toBe(text);
    }),
    { seed: 1 },
  );
  for (const name of ['utf-8', 'utf-16le', 'utf-16be']) {
    for (const bom of [true, false]) {
      fc.assert(
        fc.property(unicode, (text) => {
          expect(decode(bytesOf(text, { name, bom }), { name, bom })).toBe(text);
        }),
        { seed: 2 },
      );
    }
  }
  for (const [name, text] of samples) {
    fc.assert(
      fc.property(fc.shuffledSubarray([...text]), (letters) => {
        expect(decode(bytesOf(letters.join(''), { name, bom: false }), { name, bom: false })).toBe(letters.join(''));
      }),
      { seed: 3, numRuns: 5 },
    );
  }
});

test('a text an encoding cannot hold is not written in it', () => {
  expect(encode('日本', { name: 'windows-1252', bom: false })).toBeUndefined();
  expect(encode('\u0080', { name: 'windows-1252', bom: false })).toBeUndefined();
  expect(encode('é', { name: 'shift_jis', bom: false })).toBeUndefined();
  expect(encode('half \ud83d', { name: 'utf-8', bom: false })).toBeUndefined();
  expect(encode('half \ud83d', { name: 'utf-16le', bom: true })).toBeUndefined();
  expect(encode('text', { name: 'iso-2022-jp', bom: false })).toBeUndefined();
});

test('any bytes have a verdict, and none makes it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, cut) => {
      const encoding = detectEncoding(bytes, { cut });
      if (encoding) expect(typeof decode(bytes, encoding)).toBe('string');
    }),
    { seed: 4, numRuns: 2000 },
  );
});
