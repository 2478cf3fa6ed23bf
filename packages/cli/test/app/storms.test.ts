/** Windows that change while words arrive, pastes of megabytes, text that is hostile or wide: the screen stays whole. */
import { expect, test } from 'vitest';
import { call, calls, converse, request, says, talkIn } from '../conversation.ts';
import { eventually, keys, openDesk } from './desk.ts';
import { lostWords, manyWords } from './storm-words.ts';

const free = { settings: { permissionMode: 'dangerously', theme: 'dark' } };
const rule = (columns: number) => '─'.repeat(columns);

test('a window that changes all the time while tau works and answers ends with a whole screen, every word above it, and what was said in the viewer', async () => {
  const conversation = await converse(manyWords(), free);
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  desk.type(`go${keys.enter}`);
  await desk.shows('word1');
  const sizes = [40, 100, 25, 60, 33, 120, 80, 21, 79, 52].map(
    (columns, at) => [columns, 12 + ((at * 7) % 25)] as const,
  );
  let rounds = 0;
  for (; rounds < 150 && conversation.model.requests.length < 11; rounds++) {
    const [columns, rows] = sizes[rounds % sizes.length] ?? [80, 24];
    desk.resize(columns, rows);
    desk.type('x');
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  desk.resize(70, 20);
  await desk.shows(() => desk.screen().includes(rule(70)) && desk.screen().includes('The end.'));
  await desk.hides('esc stops)');
  desk.settled();
  // A row that was on its way when the window changed may be broken; what is drawn after it is whole.
  expect(desk.screen().trimEnd().split('\n').slice(-4)).toEqual([
    expect.stringMatching(/^ {2}x*$|^> x+$/),
    rule(70),
    expect.stringMatching(/project +scripted\/scripted$/),
    expect.stringMatching(/^dangerously/),
  ]);
  expect(lostWords(desk)).toEqual([]);
  desk.type(keys.ctrlO);
  await desk.shows('q closes');
  desk.type(`/word200${keys.enter}`);
  await desk.shows('word201');
  desk.type('q');
  await desk.shows(() => !desk.isAlternate);
  desk.type(keys.ctrlC);
  await desk.shows('> Ask, or /help');
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
});

test('five megabytes are pasted at once, shown as one mark, and sent whole', async () => {
  const conversation = await converse([says('Read.')], free);
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  const line = `${'0123456789'.repeat(9)} pasted\n`;
  const pasted = line.repeat(Math.ceil(5_000_000 / line.length));
  desk.type(`see ${keys.pasteBegin}${pasted}${keys.pasteEnd}`);
  await desk.shows('[');
  const before = desk.written();
  desk.type(' now');
  await desk.shows(' now');
  // A key costs what it costs without the paste.
  expect(desk.written() - before).toBeLessThan(4000);
  desk.type(keys.enter);
  await desk.shows('Read.');
  expect(talkIn(request(conversation.model, 0)).at(-1)?.length).toBeGreaterThan(5_000_000);
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
});

test('wide and hostile text in prompts, names, outputs and answers is drawn as text and moves nothing', async () => {
  const wide = '日本語 👩‍👩‍👧 🇩🇪 ｗｉｄｅ é';
  const evil = '\u001b[2J\u001b[H\u001b]0;owned\u0007\u001b[?1049h\u202egnp.exe\u0007\u0000';
  const conversation = await converse(
    [
      calls(
        call('bash', { command: `printf '\\033[2J\\033[H\\033[?25l\\033c out ${wide}\\n'; ls` }),
        call('write', { path: `${evil}.txt`, content: `${evil}\n${wide}\n` }),
        call('read', { path: `名前 ${wide}.txt` }),
      ),
      says(`${wide.repeat(12)}\n\n${evil} safe\n\n| a | b |\n|---|---|\n| ${wide} | ${evil} |\n\nThe end.`),
    ],
    free,
  );
  conversation.write(`名前 ${wide}.txt`, `${wide}\n`.repeat(3));
  const desk = await openDesk(conversation, { columns: 47, rows: 24 });
  await desk.shows('Ask, or /help');
  desk.type(`${keys.pasteBegin}${wide} ${evil} ${wide}${keys.pasteEnd}${keys.enter}`);
  await desk.shows('The end.');
  await desk.hides('esc stops)');
  expect(desk.isAlternate).toBe(false);
  expect(desk.output()).not.toContain('owned\u0007');
  expect(desk.lines().join('\n')).not.toMatch(/[\u202a-\u202e]/);
  expect(desk.lines().filter((one) => one.startsWith(rule(47)))).toHaveLength(2);
  desk.type(keys.ctrlO);
  await desk.shows('q closes');
  expect(desk.screen()).toContain('日本語');
  desk.type('q');
  await desk.shows('> Ask, or /help');
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
  await eventually(() => expect(desk.leftOn()).toEqual([]));
});
