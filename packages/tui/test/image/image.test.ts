import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createImage, dataUrlBytes, placementOf } from '../../src/image/image.ts';
import { isImageLine, kittyDelete } from '../../src/image/sequences.ts';
import { imageInfo } from '../../src/image/size.ts';
import { createScreen } from '../../src/screen/screen.ts';
import { widthOf } from '../../src/text/width.ts';
import { colours, hostile, linesAt, plain } from '../lines.ts';
import { createVirtualTerminal } from '../terminal/virtual.ts';

function bytes(...parts: (string | number)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((one) => (typeof one === 'number' ? [one] : [...one].map((c) => c.charCodeAt(0)))),
  );
}

const u16 = (value: number) => [value >> 8, value & 255];
const le16 = (value: number) => [value & 255, value >> 8];

/** Headers, with as much behind them as is looked at. */
const png = (width: number, height: number, more = 0) =>
  bytes(
    0x89,
    'PNG\r\n\u001a\n',
    0,
    0,
    0,
    13,
    'IHDR',
    0,
    0,
    ...u16(width),
    0,
    0,
    ...u16(height),
    ...new Array(more).fill(7),
  );
const gif = bytes('GIF89a', ...le16(300), ...le16(200), 0, 0);
const jpeg = bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc0, 0, 17, 8, ...u16(480), ...u16(640), 3, 0, 0);
const riff = (kind: string, ...rest: number[]) =>
  bytes('RIFF', 0, 0, 0, 0, 'WEBP', kind, 0, 0, 0, 0, ...rest, 0, 0, 0, 0, 0);
const webp = {
  extended: riff('VP8X', 0, 0, 0, 0, ...le16(799), 0, ...le16(599), 0),
  lossless: riff('VP8L', 0x2f, 99 & 255, (49 & 3) << 6, 49 >> 2, 0, 0, 0),
  lossy: riff('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, ...le16(320), ...le16(240)),
};

describe('the size of an image', () => {
  test.each([
    ['png', png(800, 600), { format: 'png', width: 800, height: 600 }],
    ['gif', gif, { format: 'gif', width: 300, height: 200 }],
    ['jpeg', jpeg, { format: 'jpeg', width: 640, height: 480 }],
    ['webp', webp.extended, { format: 'webp', width: 800, height: 600 }],
    ['lossless webp', webp.lossless, { format: 'webp', width: 100, height: 50 }],
    ['lossy webp', webp.lossy, { format: 'webp', width: 320, height: 240 }],
    ['no image', bytes('hello world, this is text'), undefined],
    ['an image without a size', png(0, 5), undefined],
  ])('is in its header: %s', (_, data, info) => {
    expect(imageInfo(data)).toEqual(info);
  });

  test('is never looked for behind the end', () => {
    const whole = [png(1, 1), gif, jpeg, ...Object.values(webp)];
    for (const data of whole) for (let end = 0; end < data.length; end += 1) imageInfo(data.subarray(0, end));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (data) => void imageInfo(data)),
      { seed: 8 },
    );
  });
});

describe('an image', () => {
  test('takes the cells it needs, not more than there are, and keeps its proportion', () => {
    const info = { format: 'png', width: 800, height: 400 } as const;
    expect(placementOf(info, 200, {})).toEqual({ columns: 96, rows: 24 });
    expect(placementOf(info, 200, { maxRows: 100 })).toEqual({ columns: 100, rows: 25 });
    expect(placementOf(info, 50, {})).toEqual({ columns: 50, rows: 13 });
    expect(placementOf(info, 200, { maxRows: 5 })).toEqual({ columns: 20, rows: 5 });
    expect(placementOf(info, 200, { cell: { width: 10, height: 20 }, maxRows: 100 })).toEqual({
      columns: 80,
      rows: 20,
    });
    expect(placementOf({ ...info, width: 1, height: 9999 }, 10, {})).toEqual({ columns: 1, rows: 24 });
  });

  test('goes to a terminal with the protocol of Kitty in parts, on the first of its rows', () => {
    const image = createImage({ data: png(80, 64, 7000), theme: plain, protocol: 'kitty', id: 42 });
    const lines = image.render(40);
    expect(lines).toHaveLength(4);
    expect(lines.slice(1)).toEqual(['', '', '']);
    const [first = ''] = lines;
    expect(widthOf(first)).toBe(0);
    expect(lines.map(isImageLine)).toEqual([true, false, false, false]);
    const parts = first
      .split('\u001b\\')
      .slice(0, -1)
      .map((part) => part.replace('\u001b_G', '').split(';'));
    expect(parts.map(([keys]) => keys)).toEqual(['a=T,f=100,t=d,i=42,p=1,c=10,r=4,C=1,q=2,m=1', 'm=1', 'm=0']);
    expect(parts.every(([, data = '']) => data.length <= 4096)).toBe(true);
    expect(Buffer.from(parts.map(([, data]) => data).join(''), 'base64')).toEqual(Buffer.from(png(80, 64, 7000)));
    expect(image.render(40)).toBe(lines);
    expect(image.remove()).toBe(kittyDelete(42));
  });

  test('goes to a terminal with the protocol of iTerm2 whole, in any format', () => {
    const lines = createImage({ data: gif, theme: plain, protocol: 'iterm2' }).render(40);
    const fields = 'inline=1;size=12;width=38;height=13;preserveAspectRatio=1;doNotMoveCursor=1';
    expect(lines[0]).toBe(`\u001b]1337;File=${fields}:${Buffer.from(gif).toString('base64')}\u0007`);
    expect(lines).toHaveLength(13);
    expect(isImageLine(lines[0] ?? '')).toBe(true);
  });

  test('is written by the screen as it is, and what is below it stands below it', () => {
    const terminal = createVirtualTerminal({ columns: 40, rows: 12 });
    const image = createImage({ data: png(80, 64), theme: plain, protocol: 'kitty', id: 7 });
    const screen = createScreen({ terminal, root: { render: (width) => [...image.render(width), 'below'] } });
    terminal.watch(screen);
    screen.draw();
    expect(terminal.writes.join('')).toContain(image.render(40)[0]);
    expect(terminal.screenOf().indexOf('below') - 4).toBe(0);
    screen.commit(['above', ...image.render(40), 'under']);
    screen.draw();
    const lines = terminal.linesOf();
    expect(lines.indexOf('under') - lines.indexOf('above')).toBe(5);
  });

  test.each<[string, Parameters<typeof createImage>[0], string]>([
    [
      'the terminal shows none',
      { data: png(8, 9), theme: plain, protocol: undefined, name: 'a.png' },
      '[image: a.png, 8×9, 24 bytes]',
    ],
    [
      'it is no PNG',
      { data: jpeg, theme: plain, protocol: 'kitty', path: '/x/b.jpg' },
      '[image: b.jpg, 640×480, 21 bytes]',
    ],
    ['it is no image', { data: bytes('text'), theme: plain, protocol: 'iterm2' }, '[image: unknown, 4 bytes]'],
    [
      'its address is broken',
      { data: 'data:image/png;base64,???', theme: plain, protocol: 'kitty' },
      '[image: unknown, not readable]',
    ],
  ])('is a line of text when %s', (_, options, line) => {
    expect(linesAt(createImage(options), 60)).toEqual([line]);
  });

  test('leads to its file', () => {
    const options = { data: png(8, 9), theme: plain, protocol: undefined, path: '/a b/ü.png', hyperlinks: true };
    expect(createImage(options).render(60)[0]).toContain(';file:///a%20b/%C3%BC.png\u001b\\');
  });

  test('may come in a data address', () => {
    const data = `data:image/png;base64,${Buffer.from(png(8, 16)).toString('base64')}`;
    expect(createImage({ data, theme: plain, protocol: 'kitty', id: 1 }).info).toEqual({
      format: 'png',
      width: 8,
      height: 16,
    });
    expect(dataUrlBytes('https://example.org/a.png')).toBeUndefined();
  });

  test.each(hostile.map((name) => [name]))('with a hostile name is harmless: %j', (name) => {
    const component = createImage({ data: gif, theme: colours, protocol: undefined, name });
    for (const width of [1, 5, 20, 80]) linesAt(component, width);
  });
});
