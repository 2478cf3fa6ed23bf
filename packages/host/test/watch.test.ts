import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFiles } from '../src/index.ts';

function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tau-watch-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return (name: string) => join(folder, name);
}

function watching(paths: readonly string[]) {
  const told: string[][] = [];
  const waiting: (() => void)[] = [];
  const watch = watchFiles(
    paths,
    (changed) => {
      told.push([...changed]);
      for (const go of waiting.splice(0)) go();
    },
    { settleMs: 30, maxWaitMs: 10_000 },
  );
  onTestFinished(() => watch.close());
  const next = async () => {
    const before = told.length;
    while (told.length === before) await new Promise<void>((go) => waiting.push(go));
    return told.at(-1);
  };
  return { told, next, close: () => watch.close() };
}

test('what changes together is told together, once, and by what differs', async () => {
  const at = place();
  for (const name of ['a', 'b', 'c']) writeFileSync(at(name), '1');
  const { told, next } = watching([at('a'), at('b'), at('c')]);
  const first = next();
  for (let step = 0; step < 20; step++) writeFileSync(at('a'), `${step}`);
  writeFileSync(at('other'), 'nobody watches this');
  // As editors do it.
  writeFileSync(at('b.new'), '2');
  renameSync(at('b.new'), at('b'));
  expect(await first).toEqual([at('a'), at('b')]);
  const second = next();
  rmSync(at('c'));
  expect(await second).toEqual([at('c')]);
  expect(told).toHaveLength(2);
});

test('a file that is not there yet is told of when it appears, with its folders', async () => {
  const at = place();
  const file = at('.tau/deep/settings.json');
  const { next } = watching([file]);
  const made = next();
  mkdirSync(at('.tau/deep'), { recursive: true });
  writeFileSync(file, '{}');
  expect(await made).toEqual([file]);
  const changed = next();
  writeFileSync(file, '{ }');
  expect(await changed).toEqual([file]);
  const gone = next();
  rmSync(at('.tau'), { recursive: true });
  expect(await gone).toEqual([file]);
  const again = next();
  mkdirSync(at('.tau/deep'), { recursive: true });
  writeFileSync(file, '{}');
  expect(await again).toEqual([file]);
});

test('nothing is told after it was closed', async () => {
  const at = place();
  writeFileSync(at('a'), '1');
  const closed = watching([at('a')]);
  const open = watching([at('a')]);
  closed.close();
  const seen = open.next();
  writeFileSync(at('a'), '2');
  utimesSync(at('a'), new Date(0), new Date(0));
  await seen;
  expect(closed.told).toEqual([]);
});
