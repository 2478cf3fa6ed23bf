/** The widths of a terminal that knows grapheme clusters, for the virtual one, which by itself knows those of 2010. */
import type { IUnicodeVersionProvider } from '@xterm/headless';
import { graphemeWidth } from '../../src/text/width.ts';

const zeroWidthJoiner = 0x200d;
const emojiStyle = 0xfe0f;

/** What the virtual terminal keeps about the character before, packed as it wants it. */
const joinerState = 1;
const flagState = 2;

export const clusters: IUnicodeVersionProvider = {
  version: 'clusters',
  wcwidth: (code) => narrow(graphemeWidth(String.fromCodePoint(code))),
  charProperties(code, preceding) {
    const width = graphemeWidth(String.fromCodePoint(code));
    const before = { state: preceding >> 3, width: (preceding >> 1) & 3 };
    if (preceding !== 0) {
      if (code === zeroWidthJoiner) return pack(joinerState, before.width, true);
      if (code === emojiStyle) return pack(0, before.width === 0 ? 0 : 2, true);
      if (before.state === joinerState || isSkinTone(code)) return pack(0, Math.max(before.width, width), true);
      if (isFlag(code) && before.state === flagState) return pack(0, 2, true);
      if (width === 0) return pack(before.state, before.width, true);
    }
    return pack(isFlag(code) ? flagState : 0, width, false);
  },
};

function pack(state: number, width: number, joins: boolean): number {
  return (state << 3) | ((width & 3) << 1) | (joins ? 1 : 0);
}

function narrow(width: number): 0 | 1 | 2 {
  return width === 0 ? 0 : width === 1 ? 1 : 2;
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}

function isFlag(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}
