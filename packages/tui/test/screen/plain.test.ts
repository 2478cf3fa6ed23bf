import { expect, test } from 'vitest';
import { createPlainScreen } from '../../src/screen/plain.ts';
import { createVirtualTerminal } from '../terminal/virtual.ts';

test('a plain screen writes committed lines, says the live region when asked, and moves nothing', () => {
  const terminal = createVirtualTerminal({ columns: 20, rows: 5 });
  let live = ['working', '> '];
  const screen = createPlainScreen({ terminal, root: { render: () => live } });
  screen.commit(['\u001b[1mone\u001b[22m', 'a line that is longer than the terminal']);
  screen.draw();
  screen.say();
  screen.say();
  live = ['done'];
  screen.requestFrame();
  screen.say();
  screen.send('\u001b]2;title\u0007');
  screen.leave();
  screen.commit(['too late']);
  const written = terminal.writes.join('');
  expect(written).toBe('one\r\na line that is longer than the terminal\r\nworking\r\n>\r\ndone\r\n');
});

test('what opens over the live region is said, again when typing changed it, and what was behind it comes back', async () => {
  const terminal = createVirtualTerminal({ columns: 20, rows: 5 });
  const screen = createPlainScreen({ terminal, root: { render: () => ['root'] } });
  const said = () => new Promise((resolve) => setImmediate(resolve));
  let typed = 0;
  const list = { render: () => [`list ${typed}`], handleInput: () => ++typed < 3 };
  const press = () => screen.handleInput({ type: 'key', key: 'x', text: 'x', kind: 'press' });
  screen.showOverlay({ render: () => ['a note in passing'] }, { passive: true });
  const overlay = screen.showOverlay(list);
  await said();
  press();
  press();
  await said();
  expect(press()).toBe(false);
  const page = screen.openFull({ render: (width, height) => [`${width}x${height}`], handleInput: () => true });
  overlay.close();
  await said();
  page.close();
  await said();
  expect(terminal.writes.join('').split('\r\n')).toEqual(['a note in passing', 'list 0', 'list 2', '20x5', 'root', '']);
});

test('hostile lines leave a plain screen nothing to act on', () => {
  const terminal = createVirtualTerminal({ columns: 20, rows: 5 });
  const screen = createPlainScreen({ terminal, root: { render: () => [] }, styled: true });
  screen.commit(['\u001b[31mred\u001b[39m \u001b[2J\u001b[H\u0007 a\rb']);
  expect(terminal.writes.join('')).toBe('\u001b[31mred\u001b[39m  ab\r\n');
});
