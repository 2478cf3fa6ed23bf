/** A conversation of ten thousand turns, opened again: what is written to the terminal depends on the screen, not on its length. */
import { expect, test } from 'vitest';
import { type Conversation, converse, says } from '../conversation.ts';
import { keys, openDesk } from './desk.ts';

const words = 'a sentence of some words that goes on for a while, as they do, until it ends. '.repeat(3);

/** What a start, ten keys and an answer wrote. */
async function bytesOf(conversation: Conversation): Promise<{ start: number; typing: number; answer: number }> {
  const desk = await openDesk(conversation, { args: ['-c'] });
  await desk.shows('> Ask, or /help');
  await desk.shows('the last answer');
  const start = desk.written();
  for (const [at, key] of [...'0123456789'].entries()) {
    desk.type(key);
    await desk.shows(`> ${'0123456789'.slice(0, at + 1)}`);
  }
  const typing = desk.written() - start;
  desk.type(keys.enter);
  await desk.shows('And again.');
  await desk.hides('esc stops)');
  const answer = desk.written() - start - typing;
  desk.type(keys.ctrlO);
  await desk.shows('q closes');
  desk.type('g');
  await desk.shows('prompt 0');
  desk.type('q');
  await desk.shows('> Ask, or /help');
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
  return { start, typing, answer };
}

async function after(turns: number): Promise<Conversation> {
  const conversation = await converse([says('And again.')], { settings: { theme: 'dark' } });
  const { project, tauHome, write } = conversation;
  const time = '2026-01-01T00:00:00.000Z';
  const usage = {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 2,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const model = { api: 'anthropic-messages', provider: 'scripted', model: 'scripted' };
  const lines: object[] = [{ type: 'session', version: 3, id: 'long', timestamp: time, cwd: project }];
  for (let turn = 0; turn < turns; turn++) {
    const said = turn === turns - 1 ? 'the last answer' : `answer ${turn}: ${words}`;
    const user = { role: 'user', content: [{ type: 'text', text: `prompt ${turn}` }], timestamp: turn };
    const assistant = {
      role: 'assistant',
      content: [{ type: 'text', text: said }],
      ...model,
      usage,
      stopReason: 'stop',
      timestamp: turn,
    };
    lines.push({
      type: 'message',
      id: `u${turn}`,
      parentId: turn === 0 ? null : `a${turn - 1}`,
      timestamp: time,
      message: user,
    });
    lines.push({ type: 'message', id: `a${turn}`, parentId: `u${turn}`, timestamp: time, message: assistant });
  }
  const folder = `--${project.replace(/^\//, '').replaceAll('/', '-')}--`;
  write(
    `${tauHome}/sessions/${folder}/2026-01-01T00-00-00-000Z_long.jsonl`,
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
  );
  return conversation;
}

test('ten thousand turns cost the terminal no more than ten do', async () => {
  const turns = 10_000;
  const few = await bytesOf(await after(10));
  const many = await bytesOf(await after(turns));
  // A slow machine sees the screen drawn once more, and more of the line that moves; a byte for each turn would be more.
  expect(many.start).toBeLessThan(few.start + turns);
  expect(many.typing).toBeLessThan(few.typing + turns);
  expect(many.answer).toBeLessThan(few.answer + turns);
});
