/** Every component with every kind of text that nobody should send, in windows that nobody should have. */
import { expect, test } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { widthOf } from '../../src/text/width.ts';
import { createViewer, textSections } from '../../src/viewer/viewer.ts';
import { plain } from '../lines.ts';
import { bytes, defaultKeys, press } from '../press.ts';
import { createStage } from '../screen/stage.ts';
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

test.each([1, 2, 3])(
  'every component is drawn in a window of %i rows, and none writes where it may not',
  async (rows) => {
    for (const [name, make] of Object.entries(await everything())) {
      const { terminal, screen } = createStage({ columns: 12, rows });
      screen.commit(['committed']);
      screen.setRoot(make('some words\nand 漢字 👩\u200d👧 more'));
      screen.draw();
      terminal.resize(5, rows);
      screen.draw();
      screen.commit(['too']);
      screen.draw();
      const said = terminal.linesOf().join('\n');
      expect(said, name).toContain('committed');
      expect(said, name).toContain('too');
    }
  },
);

test.each([1, 2, 3])('the viewer fills a window of %i rows, whatever is typed', (rows) => {
  const { terminal, screen } = createStage({ columns: 12, rows });
  const viewer = createViewer({
    theme: plain,
    keys: defaultKeys(),
    sections: textSections(Array.from({ length: 40 }, (_, at) => `line ${at}`)),
    title: 'title',
    onClose: () => {},
    onChange: screen.requestFrame,
  });
  screen.openFull(viewer);
  const { pageDown, end, enter, home } = bytes;
  for (const key of ['', pageDown, end, '/', 'l', enter, 'n', home, '/', 'x', bytes.escape]) {
    press(viewer, key);
    screen.draw();
    expect(terminal.screenOf(), key).toHaveLength(rows);
    expect(terminal.screenOf().join(''), key).not.toBe('');
  }
});
