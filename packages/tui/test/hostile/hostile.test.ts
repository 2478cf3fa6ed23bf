/** Every component with every kind of text that nobody should send, in windows that nobody should have. */
import { expect, test } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { widthOf } from '../../src/text/width.ts';
import { everything } from './everything.ts';

const texts = {
  nothing: '',
  'one letter': 'a',
  'one wide character': '漢',
  'a long word': 'a'.repeat(600),
  controls: '\u0000\u001b[2J\u001b]0;title\u0007\u009b5A\b\r\u007f',
  'half characters': '\ud800 \udc00\ud800',
  'joined emoji': '👩\u200d'.repeat(60),
  'a flood of marks': `e${'\u0301'.repeat(300)}`,
  'text from right to left': 'שלום \u202eעולם\u202c مرحبا',
  'many lines': 'ab\n'.repeat(30),
};

test.each(Object.entries(texts))('no component fails or is too wide with %s', async (_, text) => {
  for (const [name, make] of Object.entries(await everything())) {
    for (const width of [1, 2, 3, 7, 40]) {
      for (const line of make(text).render(width)) {
        const bare = line.replaceAll(cursorMarker, '');
        expect(widthOf(bare), `${name} at ${width}: ${JSON.stringify(bare)}`).toBeLessThanOrEqual(width);
        expect(stripAnsi(bare), name).not.toMatch(/\p{Cc}/u);
      }
    }
  }
});
