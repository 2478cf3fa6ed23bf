/** Images come as models take them; what could not be decoded safely, or would be refused, never leaves. */
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { localHost } from '@tau/host';
import { expect, test } from 'vitest';
import { readTool } from '../src/read/read.ts';
import { createSeenFiles } from '../src/seen.ts';
import { bmpOf, colourAt, gif, icoOf, jpegOf, pngFrom, pngOf, tiffOf, webpOf } from './pictures.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

async function readBytes(name: string, bytes: Uint8Array) {
  await writeFile(join(bench.cwd, name), bytes);
  const result = await bench.call('read', { path: name });
  const image = result.content.find((block) => block.type === 'image');
  return { result, text: textOf(result), image, sent: image && Buffer.from(image.data, 'base64') };
}

test('a small image is sent byte for byte, whatever its name is', async () => {
  const png = pngOf(3, 2);
  const { text, image, sent, result } = await readBytes('photo.txt', png);
  expect(text).toBe('photo.txt: PNG image of 3 x 2');
  expect(image?.mimeType).toBe('image/png');
  expect(sent).toEqual(png);
  expect(result.details).toMatchObject({ original: { width: 3, height: 2 }, sent: { width: 3, height: 2 } });
});

test('a large image is made smaller, and the text says from what to what', async () => {
  const { text, sent, result } = await readBytes('wide.png', pngOf(1800, 600));
  expect(text).toBe('wide.png: PNG image of 1800 x 600, sent as PNG of 1568 x 523');
  expect([sent?.readUInt32BE(16), sent?.readUInt32BE(20)]).toEqual([1568, 523]);
  expect(result.details).toMatchObject({ sent: { width: 1568, height: 523 } });
});

const tinyPixels = deflateSync(Buffer.alloc(4 * (1 + 5 * 4)));

test.each([
  ['bmp', bmpOf(5, 4)],
  ['ico', icoOf(5, 4, pngFrom(5, 4, tinyPixels, { alpha: true }))],
  ['tiff', tiffOf(5, 4)],
])('a %s becomes a PNG', async (format, bytes) => {
  const { text, image, sent } = await readBytes(`a.${format}`, bytes);
  expect(text).toBe(`a.${format}: ${format.toUpperCase()} image of 5 x 4, sent as PNG of 5 x 4`);
  expect(image?.mimeType).toBe('image/png');
  expect(sent?.subarray(1, 4).toString()).toBe('PNG');
});

test('GIF, WebP and JPEG are taken as they are', async () => {
  const jpeg = await jpegOf(8, 8, () => [10, 20, 30]);
  for (const [type, bytes, size] of [
    ['gif', gif, '1 x 1'],
    ['webp', await webpOf(7, 5), '7 x 5'],
    ['jpeg', jpeg, '8 x 8'],
  ] as const) {
    const { text, image, sent } = await readBytes(`a.${type}`, bytes);
    expect(text).toBe(`a.${type}: ${type.toUpperCase()} image of ${size}`);
    expect(image?.mimeType).toBe(`image/${type}`);
    expect(sent).toEqual(bytes);
  }
});

test('a photograph stays one when it is made smaller, and is turned upright', async () => {
  const redLeftBlueRight = await jpegOf(2000, 400, (x) => (x < 1000 ? [255, 0, 0] : [0, 0, 255]), 6);
  const { text, image, sent } = await readBytes('photo.jpg', redLeftBlueRight);
  expect(text).toBe('photo.jpg: JPEG image of 2000 x 400, sent as JPEG of 314 x 1568');
  expect(image?.mimeType).toBe('image/jpeg');
  const [topRed, , topBlue] = await colourAt(sent ?? Buffer.alloc(0), 150, 100);
  const [lowRed, , lowBlue] = await colourAt(sent ?? Buffer.alloc(0), 150, 1500);
  expect(topRed).toBeGreaterThan(200);
  expect(topBlue).toBeLessThan(50);
  expect(lowRed).toBeLessThan(50);
  expect(lowBlue).toBeGreaterThan(200);
});

test('an image of few pixels and many bytes is packed tighter until vendors take it', async () => {
  let state = 1;
  const noise = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return [(state >> 16) & 255, (state >> 12) & 255, (state >> 20) & 255] as const;
  };
  const noisy = pngOf(1500, 1000, noise);
  expect(noisy.length).toBeGreaterThan(4_000_000);
  const { image } = await readBytes('noise.png', noisy);
  expect(image?.mimeType).toBe('image/jpeg');
  expect(image?.data.length).toBeLessThanOrEqual(4_500_000);
});

test('an image that says it is enormous is refused before it is decoded', async () => {
  const { result, text } = await readBytes('bomb.png', pngFrom(60_000, 60_000, deflateSync(Buffer.alloc(100))));
  expect(result.isError).toBe(true);
  expect(text).toBe(
    'bomb.png is an image of 60000 x 60000, too large to decode. Make it smaller first, to 100 megapixels at most.',
  );
  const hidden = icoOf(16, 16, pngFrom(60_000, 60_000, deflateSync(Buffer.alloc(100))));
  expect((await readBytes('bomb.ico', hidden)).text).toContain('60000 x 60000, too large to decode');
});

test('a file too large for an image is refused by its size', async () => {
  const path = join(bench.cwd, 'big.png');
  await writeFile(path, pngOf(1, 1));
  await truncate(path, 51 * 1024 * 1024);
  expect(textOf(await bench.call('read', { path: 'big.png' }))).toContain('big.png is an image of more than 50 MB');
});

test('a damaged image is an error, and nothing of it is sent', async () => {
  const whole = pngOf(40, 40);
  for (const bytes of [
    whole.subarray(0, 20),
    whole.subarray(0, -20),
    gif.subarray(0, -1),
    (await jpegOf(8, 8, () => [1, 2, 3])).subarray(0, 60),
    (await jpegOf(8, 8, () => [1, 2, 3])).subarray(0, -2),
    (await webpOf(7, 5)).subarray(0, -4),
    whole.map((byte, at) => (at === 50 ? byte ^ 1 : byte)),
    // All sums are right, but the data are not what they should be.
    pngFrom(2000, 10, Buffer.alloc(40, 7)),
  ]) {
    const { result, text, image } = await readBytes('broken.img', bytes);
    expect(result.isError).toBe(true);
    expect(text).toMatch(/^broken\.img is a damaged \w+ image/);
    expect(image).toBeUndefined();
  }
});

test('a model that takes no images is told so, and how to go on', async () => {
  await writeFile(join(bench.cwd, 'a.png'), pngOf(1, 1));
  const blind = readTool(localHost({ cwd: bench.cwd }), createSeenFiles(), { images: () => false });
  const context = {
    toolCallId: 'call',
    cwd: bench.cwd,
    signal: new AbortController().signal,
    onUpdate() {},
    ask: async () => ({ unattended: true }) as const,
  };
  await expect(blind.run({ path: 'a.png' }, context)).rejects.toThrow(
    'a.png is an image, and the current model takes none',
  );
});

test('an interruption ends the work on an image', async () => {
  await writeFile(join(bench.cwd, 'wide.png'), pngOf(3000, 1000));
  const controller = new AbortController();
  const reading = bench.call('read', { path: 'wide.png' }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  expect(textOf(await reading)).toBe('Not read: the user interrupted');
});
