/** What every component owes the screen, checked: widths, no controls, styles closed, the same array when nothing changed. */
import { expect } from 'vitest';
import { type Component, cursorMarker } from '../src/component.ts';
import { createScreen } from '../src/screen/screen.ts';
import { stripAnsi } from '../src/text/ansi.ts';
import { widthOf } from '../src/text/width.ts';
import type { Theme } from '../src/theme/theme.ts';
import { createVirtualTerminal } from './terminal/virtual.ts';

/** Colours that can be told apart and nest as those of a real theme do. */
export const colours: Theme = {
  name: 'test',
  kind: 'dark',
  paint: (role, text) => (role.endsWith('Bg') ? `\u001b[44m${text}\u001b[49m` : `\u001b[35m${text}\u001b[39m`),
};

/** No colours at all. */
export const plain: Theme = { name: 'plain', kind: 'dark', paint: (_, text) => text };

export const hostile = [
  'tab\there',
  'esc \u001b[2J\u001b]0;title\u0007 end',
  'two\nlines\r\nand\rmore',
  '漢字とかな交じり文がここに続きます',
  '👨‍👩‍👧‍👦 family 🇩🇪 flag e\u0301 \u0000nul',
  'שלום עולם \u202egnp.exe',
  'a'.repeat(300),
  '',
  ' ',
  '\ud800 lone',
];

/** Lines as text, after checking them at this width. */
export function linesAt(component: Component, width: number): string[] {
  const lines = component.render(width);
  expect(component.render(width)).toBe(lines);
  return lines.map((line) => {
    const bare = line.replaceAll(cursorMarker, '');
    expect(widthOf(bare), JSON.stringify(bare)).toBeLessThanOrEqual(width);
    // Whatever is left without styles and links has no control characters.
    expect(stripAnsi(bare)).not.toMatch(/\p{Cc}/u);
    const opened = bare.split('\u001b[35m').length + bare.split('\u001b[44m').length - 2;
    const closed = bare.split('\u001b[39m').length + bare.split('\u001b[49m').length - 2;
    expect(closed, JSON.stringify(bare)).toBeGreaterThanOrEqual(Math.min(1, opened));
    return stripAnsi(bare);
  });
}

export const widths = [20, 40, 80, 120];

/** As a terminal shows it, with the recorder on. */
function screenAt(component: Component, columns: number): string {
  const terminal = createVirtualTerminal({ columns, rows: 40 });
  const screen = createScreen({ terminal, root: component });
  terminal.watch(screen);
  screen.draw();
  return terminal.screenOf().join('\n').trimEnd();
}

/** All widths below each other, for a snapshot. */
export function screens(component: Component): string {
  return widths.map((width) => `── ${width}\n${screenAt(component, width)}`).join('\n');
}
