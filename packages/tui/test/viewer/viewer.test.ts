import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDecoder } from '../../src/input/decoder.ts';
import { defaultActions } from '../../src/keys/defaults.ts';
import { createKeymap } from '../../src/keys/keymap.ts';
import type { Theme } from '../../src/theme/theme.ts';
import type { Sections } from '../../src/viewer/document.ts';
import { createViewer, textSections, type ViewerOptions } from '../../src/viewer/viewer.ts';
import { createStage } from '../screen/stage.ts';

const theme: Theme = {
  name: 'marks',
  kind: 'dark',
  paint: (role, text) => (role === 'searchCurrent' ? `<${text}>` : role === 'searchMatch' ? `(${text})` : text),
};

function opened(
  sections: Sections,
  { columns = 30, rows = 6, ...more }: Partial<ViewerOptions> & { columns?: number; rows?: number } = {},
) {
  const stage = createStage({ columns, rows, reflowCursorLine: false });
  stage.screen.commit(['committed']);
  stage.show('> |');
  const viewer = createViewer({
    theme,
    keys: createKeymap({ actions: defaultActions }),
    sections,
    onClose: () => full.close(),
    onChange: () => stage.screen.draw(),
    ...more,
  });
  const full = stage.screen.openFull(viewer);
  const decoder = createDecoder({ onEvent: (event) => void stage.screen.handleInput(event) });
  stage.screen.draw();
  return {
    ...stage,
    viewer,
    press(data: string) {
      decoder.feed(data);
      decoder.flush();
      stage.screen.draw();
      return stage.terminal.screenOf();
    },
  };
}

// A search that has used up its time goes on later. Here it has all the time there is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);
const [down, pageDown, end, home] = ['\u001b[B', '\u001b[6~', '\u001b[F', '\u001b[H'];

test('it scrolls by lines, pages and to both ends, and says where it is', () => {
  const { terminal, press } = opened(textSections(numbered(20)), { title: 'log' });
  expect(terminal.screenOf()).toEqual([
    'line 0',
    'line 1',
    'line 2',
    'line 3',
    'line 4',
    'log                        top',
  ]);
  expect(press(down)[0]).toBe('line 1');
  expect(press(pageDown)[0]).toBe('line 5');
  expect(press('k')[0]).toBe('line 4');
  expect(press(end)).toEqual(['line 15', 'line 16', 'line 17', 'line 18', 'line 19', 'log                        end']);
  expect(press(pageDown)[0]).toBe('line 15');
  expect(press('b')[0]).toBe('line 11');
  expect(press('g')[0]).toBe('line 0');
  expect(press('G')[0]).toBe('line 15');
  expect(press(home)[0]).toBe('line 0');
});

test('closing it brings back the main screen and what was committed meanwhile', () => {
  const { terminal, screen, press } = opened(textSections(numbered(20)));
  screen.commit(['meanwhile']);
  press('q');
  expect(terminal.linesOf()).toEqual(['committed', 'meanwhile', '>']);
});

test('a search marks what it finds, goes on, back and around, and Escape returns', () => {
  const lines = numbered(40).map((line, at) => (at % 10 === 7 ? `${line} Needle and needle` : line));
  const { terminal, press } = opened(textSections(lines), { columns: 40 });
  press('/need');
  expect(terminal.cursorOf().visible).toBe(true);
  expect(terminal.screenOf()).toContain('line 7 <Need>le and <need>le');
  press('\r');
  press('n');
  expect(terminal.screenOf()).toContain('line 17 <need>le and <need>le'.replace('<need>', '<Need>'));
  press('N');
  expect(terminal.screenOf()).toContain('line 7 <Need>le and <need>le');
  press('nnn');
  expect(terminal.screenOf()).toContain('line 37 <Need>le and <need>le');
  press('n');
  expect(terminal.screenOf()).toContain('line 7 <Need>le and <need>le');
  expect(terminal.screenOf().at(-1)).toContain('found again from the top');
  const before = terminal.screenOf().slice(0, -1);
  press('/nothing like it');
  expect(terminal.screenOf().at(-1)).toContain('not found');
  press('\u001b');
  expect(terminal.screenOf().slice(0, -1)).toEqual(before);
  press('/Needle\r');
  expect(terminal.screenOf()).toContain('line 7 <Needle> and needle');
});

test('sections fold one by one and all together, and a search opens the one it finds', () => {
  const section = (name: string) => ({ title: name, lines: () => [`${name} 1`, `${name} 2`] });
  const names = ['apple', 'berry', 'cherry', 'date'];
  const { press } = opened({ length: 4, section: (at) => section(names[at] ?? '') }, { rows: 9 });
  expect(press('\t').slice(0, 4)).toEqual(['▸ apple', '▾ berry', 'berry 1', 'berry 2']);
  expect(press('-').slice(0, 5)).toEqual(['▸ apple', '▸ berry', '▸ cherry', '▸ date', '~']);
  expect(press('/cherry 2\r')).toContain('<cherry 2>');
  expect(press('+').slice(0, 3)).toEqual(['▾ apple', 'apple 1', 'apple 2']);
  expect(press(']')[0]).toBe('▾ berry');
  expect(press('[')[0]).toBe('▾ apple');
});

test('a narrower window keeps the place and wraps what no longer fits', () => {
  const { terminal, screen, press } = opened(textSections(numbered(30).map((line) => `${line} and some more words`)));
  press(`${pageDown}${pageDown}`);
  expect(terminal.screenOf()[0]).toBe('line 8 and some more words');
  terminal.resize(16, 6);
  screen.draw();
  expect(terminal.screenOf().slice(0, 3)).toEqual(['line 8 and some', 'more words', 'line 9 and some']);
  terminal.resize(1, 1);
  screen.draw();
});

test('a million lines cost no more than what is seen', () => {
  let asked = 0;
  const sections: Sections = {
    length: 1_000_000,
    section: (at) => ({
      lines: () => {
        asked++;
        return [`line ${at}`];
      },
    }),
  };
  const { terminal, press } = opened(sections, { rows: 25 });
  press(end);
  expect(terminal.screenOf()[23]).toBe('line 999999');
  press('b'.repeat(3));
  press(home);
  press(pageDown);
  expect(asked).toBeLessThan(400);
});

test('at the end it stays at the end when more comes', () => {
  const { terminal, screen, viewer } = opened(textSections(numbered(20)), { atEnd: true });
  expect(terminal.screenOf()[4]).toBe('line 19');
  viewer.set(textSections(numbered(25)));
  screen.draw();
  expect(terminal.screenOf()[4]).toBe('line 24');
});

test('an empty document is an empty page', () => {
  const { terminal, press } = opened(textSections([]));
  press(`${down}${end}/x\rn\t`);
  expect(terminal.screenOf()[0]).toBe('~');
});
