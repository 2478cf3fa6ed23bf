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
