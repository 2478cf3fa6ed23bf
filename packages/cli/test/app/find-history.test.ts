/** What was said before: kept privately, without secrets, this project's first. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPromptHistory } from '../../src/app/find/history-file.ts';

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'tau-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'home', 'history.jsonl');
}

function open(file: string | undefined, project: string) {
  const problems: string[] = [];
  const history = createPromptHistory({
    ...{ file, project, now: () => 1, onProblem: (text) => problems.push(text) },
    scrub: (text) => text.replaceAll('sk-123', '[secret]'),
  });
  const all = () => Array.from({ length: history.size() }, (_, at) => history.at(at));
  return { history, problems, all };
}

test('the next sitting recalls it, what was said in its own project first and the same text once', async () => {
  const file = place();
  const first = open(file, '/a');
  first.history.add('one');
  first.history.add('two');
  await first.history.settled();
  const other = open(file, '/b');
  for (const text of ['three', 'one', 'four']) other.history.add(text);
  await other.history.settled();

  const again = open(file, '/a');
  again.history.add('said before it was read');
  await again.history.load();
  expect(again.all()).toEqual(['said before it was read', 'two', 'one', 'four', 'three']);
  expect(again.problems).toEqual([]);
});

test('a secret is on the screen only, and nobody else can read the file', async () => {
  const file = place();
  const { history, all } = open(file, '/a');
  history.add('use sk-123');
  history.add('x'.repeat(40_000));
  await history.settled();
  expect(all()).toEqual(['x'.repeat(40_000), 'use sk-123']);
  expect(readFileSync(file, 'utf8')).toBe('{"at":1,"project":"/a","text":"use [secret]"}\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that others could read is made private, what is no line of ours is left out, and it does not grow', async () => {
  const file = place();
  const first = open(file, '/a');
  first.history.add('begin');
  await first.history.settled();
  const lines = Array.from({ length: 2500 }, (_, at) => JSON.stringify({ at, project: '/a', text: `prompt ${at}` }));
  writeFileSync(file, `{"half\n[]\n${lines.join('\n')}\n`, { mode: 0o644 });
  const { history, all } = open(file, '/a');
  await history.load();
  expect(all().slice(0, 2)).toEqual(['prompt 2499', 'prompt 2498']);
  expect(history.size()).toBe(1000);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1001);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('without a file nothing is kept, and a file that cannot be written is told of once', async () => {
  const none = open(undefined, '/a');
  none.history.add('here only');
  await none.history.load();
  expect(none.all()).toEqual(['here only']);

  const file = place();
  writeFileSync(join(file, '../..', 'home'), 'in the way');
  const broken = open(file, '/a');
  broken.history.add('one');
  await broken.history.settled();
  broken.history.add('two');
  await broken.history.settled();
  expect(broken.all()).toEqual(['two', 'one']);
  expect(broken.problems).toEqual([expect.stringContaining('What you say is not kept for next time')]);
  expect(existsSync(file)).toBe(false);
});
