/** Whole conversations at a real terminal, which is watched all the while. */
import { expect, test } from 'vitest';
import { call, calls, converse } from '../conversation.ts';
import { keys, openDesk, steady } from './desk.ts';

const free = { settings: { permissionMode: 'dangerously', theme: 'dark' } };

test('an answer streams as markdown, calls run side by side, and every line stays in the scrollback once', async () => {
  const list = Array.from({ length: 30 }, (_, at) => `${at + 1}. point **${at + 1}**`).join('\n');
  const conversation = await converse(
    [
      calls(
        { text: 'First I *look*.' },
        call('bash', { command: 'echo one; echo two' }, 'c1'),
        call('read', { path: 'a.txt' }, 'c2'),
        call('bash', { command: 'seq 1 500; exit 2' }, 'c3'),
      ),
      { blocks: [{ text: `# Result\n\n${list}\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\nThe **end**.` }], chunk: 5 },
    ],
    free,
  );
  conversation.write('a.txt', 'alpha\nbeta\n');
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  desk.type(`go on${keys.enter}`);
  await desk.shows('The end.');
  await desk.hides('esc');
  expect(steady(desk.lines())).toMatchSnapshot();
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
});
