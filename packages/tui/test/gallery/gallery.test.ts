/** The gallery, page by page: on a virtual terminal in every theme, and in a real process behind a pty. */
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { pages, startGallery, themeNames } from '../../gallery/app.ts';
import type { Tui } from '../../src/start.ts';
import { openShell, type PtyShell } from '../terminal/pty.ts';
import { createVirtualTerminal, type VirtualTerminal } from '../terminal/virtual.ts';

const environment = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
const tab = '\t';
const titles = pages.map(({ title }) => title);

describe('on a virtual terminal', () => {
  let gallery: Tui | undefined;
  afterEach(() => gallery?.stop());

  function open(columns: number, rows = 24): VirtualTerminal {
    const terminal = createVirtualTerminal({ columns, rows });
    gallery = startGallery({ terminal, environment, isTerminal: true, now: () => 0 });
    terminal.watch(gallery.screen);
    return terminal;
  }

  function draw(): void {
    gallery?.screen.draw();
  }

  test('every page is drawn at 100 columns, and in every theme at 40, with every write checked', async () => {
    for (const columns of [40, 100]) {
      const terminal = open(columns);
      for (const title of titles) {
        expect(terminal.screenOf().join('\n')).toContain(`[${title}]`);
        for (const _ of columns === 40 ? themeNames : []) {
          terminal.type('\u0014');
          draw();
        }
        // What loads when it is first needed has come by then, or comes with a later page.
        await new Promise((resolve) => setImmediate(resolve));
        draw();
        terminal.type(tab);
        draw();
      }
      expect(terminal.screenOf().join('\n')).toContain(`[${titles[0]}]`);
      await gallery?.stop();
    }
  });

  test('a list chooses, the editor types, an overlay opens over them and the viewer beside them', async () => {
    const terminal = open(60);
    const goTo = (title: string) => {
      while (!terminal.screenOf().join('\n').includes(`[${title}]`)) {
        terminal.type(tab);
        draw();
      }
    };
    goTo('Select');
    terminal.type('satu\r');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('✓ Chosen: Saturn');
    goTo('Markdown');
    const shown = () => {
      draw();
      return terminal.screenOf().join('\n');
    };
    await expect.poll(shown).toMatch(/With strong, emphasised[\s\S]*Earth +│ +1/);
    goTo('Settings');
    terminal.type('\u001b[B\r');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('✓ size is large now');
    goTo('Editor');
    terminal.type('!\u001b[13;5u');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('in them.!');
    terminal.type('\u001bOQ');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('╭─ An overlay');
    terminal.type('\u001b[27u');
    draw();
    expect(terminal.screenOf().join('\n')).not.toContain('An overlay');
    // The same by a chord; the editor has others that begin alike.
    terminal.type('\u0018h!');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('> !');
    terminal.type('\u0018o');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('╭─ An overlay');
    terminal.type('\u001b[27u\u000f');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('1: a line of the viewer');
    terminal.type('q');
    draw();
    expect(terminal.screenOf().join('\n')).toContain('[Editor]');
  });

  test('a window too low for a page shows a part of it and scrolls', () => {
    const terminal = open(80, 14);
    terminal.type('\u001b[Z');
    draw();
    expect(terminal.screenOf().join('\n')).toMatch(/\[Colours\][\s\S]*↓ \d+ more lines/);
    terminal.type('\u001b[6~'.repeat(40));
    draw();
    expect(terminal.screenOf().join('\n')).not.toContain('more lines');
  });

  test('in a low window the chosen row of a list and the line that is typed into stay in sight', () => {
    const terminal = open(40, 12);
    const shown = () => terminal.screenOf().join('\n');
    const goTo = (title: string) => {
      while (!shown().includes(`[${title}]`)) {
        terminal.type(tab);
        draw();
      }
    };
    goTo('Select');
    terminal.type('\u001b[B'.repeat(6));
    draw();
    expect(shown()).toMatch(/^› Uranus/m);
    terminal.type('\u001b[A'.repeat(6));
    draw();
    expect(shown()).toMatch(/^› Mercury/m);
    goTo('Editor');
    terminal.type('\u001b[13;2umore\u001b[13;2uand more');
    draw();
    expect(shown()).toContain('and more');
    expect(shown()).toContain('Ctrl+Q leave');
  });
});

describe('behind a pty', () => {
  let shell: PtyShell | undefined;
  afterEach(() => shell?.close());

  test('npm run gallery walks through all its pages at 40 columns and gives the terminal back', async () => {
    shell = openShell(40, 24);
    const { terminal, type, until } = shell;
    const script = fileURLToPath(new URL('../../../../scripts/gallery.mjs', import.meta.url));
    const shows = (text: string) => () => terminal.screenOf().some((line) => line.includes(text));
    type(`node ${script}; echo "code $?"\r`);
    for (const title of titles) {
      await until(shows(`[${title}]`));
      type(tab);
    }
    await until(shows(`[${titles[0]}]`));
    type('\u0011');
    await until('code 0');
    expect(terminal.cursorOf().visible).toBe(true);
    expect(shell.output()).not.toContain('\u001b[2J');
  });
});
