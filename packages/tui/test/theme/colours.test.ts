import fc from 'fast-check';
import { expect, test } from 'vitest';
import { colourNames, colourParameters, parseColour, reduced, rgbOfIndex } from '../../src/theme/colours.ts';
import { contrast, distance, luminance } from '../../src/theme/perception.ts';

test('a colour is written in six ways', () => {
  expect(parseColour('#abc')).toEqual({ kind: 'rgb', rgb: [0xaa, 0xbb, 0xcc] });
  expect(parseColour('#7FB4ff')).toEqual({ kind: 'rgb', rgb: [0x7f, 0xb4, 0xff] });
  expect(parseColour(200)).toEqual({ kind: 'index', index: 200 });
  expect(parseColour('200')).toEqual({ kind: 'index', index: 200 });
  expect(parseColour('brightRed')).toEqual({ kind: 'index', index: 9 });
  expect(parseColour('default')).toEqual({ kind: 'default' });
  for (const name of colourNames()) expect(parseColour(name)).toMatchObject({ kind: 'index' });
  for (const bad of ['', '#', '#12', '#12345', '#ggg', 'reddish', '256', '-1'])
    expect(parseColour(bad)).toBeUndefined();
  for (const bad of [256, -1, 1.5, Number.NaN]) expect(parseColour(bad)).toBeUndefined();
});

test('each depth writes a colour as far as it can', () => {
  const orange = { kind: 'rgb', rgb: [255, 135, 0] } as const;
  expect(colourParameters(orange, 'fg', 'truecolour')).toBe('38;2;255;135;0');
  expect(colourParameters(orange, 'bg', 'truecolour')).toBe('48;2;255;135;0');
  expect(colourParameters(orange, 'fg', '256')).toBe('38;5;208');
  expect(colourParameters(orange, 'fg', '16')).toMatch(/^(?:33|93|31|91)$/);
  expect(colourParameters(orange, 'fg', 'none')).toBe('');
  expect(colourParameters({ kind: 'index', index: 9 }, 'fg', 'truecolour')).toBe('91');
  expect(colourParameters({ kind: 'index', index: 9 }, 'bg', '16')).toBe('101');
  expect(colourParameters({ kind: 'index', index: 3 }, 'bg', '256')).toBe('43');
  expect(colourParameters({ kind: 'index', index: 208 }, 'fg', '256')).toBe('38;5;208');
  expect(colourParameters({ kind: 'default' }, 'fg', '16')).toBe('39');
});

test('every colour of the 256 that does not depend on the terminal is its own nearest', () => {
  for (let index = 16; index < 256; index++) {
    const found = reduced({ kind: 'rgb', rgb: rgbOfIndex(index) }, '256');
    expect(rgbOfIndex(found)).toEqual(rgbOfIndex(index));
  }
});

test('the nearest colour is nearer than any other', () => {
  const part = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(part, part, part), part, (rgb, other) => {
      const found = reduced({ kind: 'rgb', rgb }, '256');
      expect(found).toBeGreaterThanOrEqual(16);
      const candidate = Math.max(16, other);
      expect(distance(rgb, rgbOfIndex(found))).toBeLessThanOrEqual(distance(rgb, rgbOfIndex(candidate)));
    }),
    { seed: 15, numRuns: 200 },
  );
});

test('contrast and brightness are those of WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  expect(contrast([255, 255, 255], [118, 118, 118])).toBeCloseTo(4.54, 2);
  expect(contrast([9, 9, 9], [9, 9, 9])).toBe(1);
  expect(luminance([255, 255, 255])).toBeCloseTo(1);
});
