/** What `@` and Tab offer: the right file first, at once among very many, and never one list too often. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompletionRequest } from '@tau/tui';
import { expect, onTestFinished, test } from 'vitest';
import { createPathCompletion, droppedAsMentions } from '../../src/app/find/complete.ts';
import { createFileIndex } from '../../src/app/find/file-index.ts';

const live = () => new AbortController().signal;

function indexOf(paths: () => readonly string[] | Promise<readonly string[]>) {
  const state = { lists: 0, at: 1_000_000, problems: [] as string[] };
  const index = createFileIndex({
    async list() {
      state.lists += 1;
      return { paths: await paths(), complete: true };
    },
    onProblem: (text) => state.problems.push(text),
    now: () => state.at,
  });
  return { index, state };
}

test('a name that begins so comes before one that has it, and that before a folder on the way', async () => {
  const { index } = indexOf(() => [
    'docs/main/intro.md',
    'src/domain.ts',
    'src/main.ts',
    'src/m/a/i/n.ts',
    'README.md',
  ]);
  expect(await index.find('main', live())).toEqual([
    'src/main.ts',
    'docs/main/',
    'src/domain.ts',
    'docs/main/intro.md',
    'src/m/a/i/n.ts',
  ]);
  expect(await index.find('MAIN', live())).toEqual([]);
  expect(await index.find('s/dom', live())).toEqual(['src/domain.ts']);
});

test('nothing typed shows what is in no folder; a folder that stands there is offered for itself last', async () => {
  const { index } = indexOf(() => ['z.md', 'src/b.ts', 'src/a.ts', 'a.md', 'c\u001b[31m.md', 'd\n/e.md', '"f".md']);
  expect(await index.find('', live())).toEqual(['a.md', 'src/', 'z.md']);
  expect(await index.find('src/', live())).toEqual(['src/a.ts', 'src/b.ts', 'src/']);
  expect(await index.find('./src/b', live())).toEqual(['src/b.ts']);
});

test('of a hundred thousand files the one is found, the loop goes on meanwhile, and the list is made once', async () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `packages/p${at % 97}/src/file-${at}.ts`);
  const { index, state } = indexOf(() => many);
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  for (const typed of ['f', 'fi', 'file-4', 'file-4242', 'file-42424']) {
    const found = await index.find(typed, live());
    expect(found.length).toBeLessThanOrEqual(100);
    if (typed === 'file-42424') expect(found).toEqual(['packages/p35/src/file-42424.ts']);
  }
  isOver = true;
  expect(state.lists).toBe(1);
  expect(turns).toBeGreaterThan(10);
});

test('an old list answers while it is made again in the background', async () => {
  let paths = ['old.ts'];
  const { index, state } = indexOf(() => paths);
  expect(await index.find('ts', live())).toEqual(['old.ts']);
  paths = ['new.ts'];
  expect(await index.find('ts', live())).toEqual(['old.ts']);
  index.touch();
  expect(await index.find('ts', live())).toEqual(['old.ts']);
  await expect.poll(() => index.find('ts', live())).toEqual(['new.ts']);
  expect(state.lists).toBe(2);
});

function asked(before: string, forced = false): CompletionRequest {
  return { text: before, cursor: before.length, before, first: true, forced, signal: live() };
}

test('behind @ a name with blanks is quoted, a path that leads out is listed, and Tab completes any path', async () => {
  const folders: Record<string, { name: string; folder: boolean }[]> = {
    '../': [
      { name: 'other', folder: true },
      { name: 'on.txt', folder: false },
    ],
    '/etc/': [{ name: 'hosts', folder: false }],
  };
  const agent = {
    folder: async (path: string) => {
      const found = folders[path];
      if (!found) throw new Error('there is no such folder');
      return found;
    },
  };
  const { index } = indexOf(() => ['with blank/a b.txt', 'plain.txt']);
  const { complete } = createPathCompletion(agent, index);
  const values = async (before: string, forced?: boolean) =>
    (await complete(asked(before, forced)))?.items.map(({ value }) => value);
  expect(await values('see @blank')).toEqual(['@"with blank/', '@"with blank/a b.txt" ']);
  expect(await values('see @"with blank/')).toEqual(['@"with blank/a b.txt" ', '@"with blank/" ']);
  expect(await values('see @plain')).toEqual(['@plain.txt ']);
  expect(await values('see @../o')).toEqual(['@../other/', '@../on.txt ']);
  expect(await values('see @/nowhere/x')).toEqual([]);
  expect(await values('/etc/ho', true)).toEqual(['/etc/hosts ']);
  expect(await values('/etc/ho')).toBeUndefined();
  expect(await values('a word')).toBeUndefined();
});

test('files dropped on the terminal become mentions, and other text that looks so stays as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tau-drop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'project'));
  writeFileSync(join(folder, 'a picture.png'), '');
  writeFileSync(join(folder, 'project', 'in.ts'), '');
  const cwd = join(folder, 'project');
  expect(droppedAsMentions(`'${folder}/a picture.png' ${cwd}/in.ts`, cwd)).toBe(`@"${folder}/a picture.png" @in.ts `);
  expect(droppedAsMentions('/nowhere/at/all', cwd)).toBeUndefined();
  expect(droppedAsMentions('/* a comment */', cwd)).toBeUndefined();
});
