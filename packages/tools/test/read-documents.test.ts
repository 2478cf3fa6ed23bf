/** PDFs by their pages, notebooks by their cells. */
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval as intervals } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { notebookOf, packedPdf, pdfOf } from './documents.ts';
import { pngOf } from './pictures.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

async function readFile(name: string, content: string, input: Record<string, unknown> = {}) {
  await writeFile(join(bench.cwd, name), content);
  return bench.call('read', { path: name, ...input });
}

const numbered = (count: number) => pdfOf(Array.from({ length: count }, (_, at) => `words of page ${at + 1}`));

test('a short PDF comes whole, page by page', async () => {
  const result = await readFile('a.pdf', pdfOf(['Hello there', 'and good bye']));
  expect(textOf(result)).toBe('[page 1]\nHello there\n\n[page 2]\nand good bye');
  expect(result.details).toEqual({ path: 'a.pdf', totalPages: 2, firstPage: 1, lastPage: 2, truncated: false });
});

test('of a long PDF the first ten pages come, with a note of how many there are', async () => {
  const result = await readFile('a.pdf', numbered(30));
  const [note, ...rest] = textOf(result).split('\n');
  expect(note).toBe('NOTE: a.pdf has 30 pages, showing 1-10. Use pages (like "11-") to read others.');
  expect(rest.filter((line) => line.startsWith('[page'))).toHaveLength(10);
  expect(result.details).toMatchObject({ totalPages: 30, lastPage: 10, truncated: true });
});

test.each([
  ['3', [3]],
  ['2-4', [2, 3, 4]],
  [' 29 - 40 ', [29, 30]],
  ['28-', [28, 29, 30]],
])('pages %s are the wanted ones', async (pages, expected) => {
  const text = textOf(await readFile('a.pdf', numbered(30), { pages }));
  const shown = [...text.matchAll(/^words of page (\d+)$/gm)].map(([, number]) => Number(number));
  expect(shown).toEqual(expected);
});

test.each([
  ['31', 'pages is "31", but the document has 30 pages. Use pages from 1 to 30.'],
  ['0-2', 'pages is "0-2", but the document has 30 pages. Use pages from 1 to 30.'],
  ['5-3', 'pages is "5-3", but the document has 30 pages. Use pages from 1 to 30.'],
  ['1-25', 'pages is "1-25", more than 20 pages. Read at most 20 of them at a time.'],
  ['all', 'pages is "all", which is no range of pages. Write 3, 1-5 or 7-.'],
])('pages %s are refused with what to write', async (pages, message) => {
  const result = await readFile('a.pdf', numbered(30), { pages });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(message);
});

test('a PDF with very much text is cut, and says where', async () => {
  const words = `${'word '.repeat(20)}\n`.repeat(300);
  const result = await readFile('a.pdf', pdfOf([words, words, words]));
  expect(textOf(result)).toContain('WARNING: cut at 50 KB, on page 2. Read fewer pages at a time.');
  expect(textOf(result).length).toBeLessThan(52 * 1024);
  expect(result.details).toMatchObject({ truncated: true, lastPage: 2 });
});

test('a PDF without words, a broken one and a huge one each say what is wrong', async () => {
  expect(textOf(await readFile('scan.pdf', pdfOf(['', ''])))).toContain('scan.pdf holds no text on pages 1-2');
  expect(textOf(await readFile('broken.pdf', '%PDF-1.7 and no more'))).toContain(
    'broken.pdf is a damaged or locked PDF',
  );
  await writeFile(join(bench.cwd, 'huge.pdf'), '%PDF-1.7');
  await truncate(join(bench.cwd, 'huge.pdf'), 51 * 1024 * 1024);
  expect(textOf(await bench.call('read', { path: 'huge.pdf' }))).toContain('huge.pdf is a PDF of more than 50 MB');
});

/** A page of 100 MB that keeps its reader busy for many seconds, while this thread goes on. */
async function readSlowly(signal: AbortSignal) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await writeFile(join(bench.cwd, 'slow.pdf'), packedPdf(Buffer.alloc(100e6, 'q Q ')));
  let isDone = false;
  const result = bench.call('read', { path: 'slow.pdf' }, { signal }).finally(() => {
    isDone = true;
  });
  let rounds = 0;
  for await (const _ of intervals(10)) {
    // From when its time runs.
    if (vi.getTimerCount() > 0) rounds += 1;
    if (rounds === 20 || isDone) break;
  }
  expect([rounds, isDone]).toEqual([20, false]);
  return { result };
}

test('a PDF that takes too long is given up after 20 s, and nothing else has to wait for it', async () => {
  const { result } = await readSlowly(new AbortController().signal);
  vi.advanceTimersByTime(20_000);
  expect(await result).toMatchObject({ isError: true });
  expect(textOf(await result)).toBe(
    'slow.pdf is a PDF that takes longer than 20 s to read. Read fewer pages at a time, or try pdftotext through bash.',
  );
});

test('an interruption ends the reading of a PDF at once', async () => {
  const interruption = new AbortController();
  const { result } = await readSlowly(interruption.signal);
  interruption.abort();
  expect(textOf(await result)).toBe('Not read: the user interrupted');
  expect(vi.getTimerCount()).toBe(0);
});

const image = { output_type: 'display_data', data: { 'image/png': pngOf(2, 2).toString('base64') } };

test('a notebook comes as its cells, in order, with what they gave out', async () => {
  const result = await readFile(
    'a.ipynb',
    notebookOf([
      { cell_type: 'markdown', source: ['# Title\n', 'words'] },
      {
        cell_type: 'code',
        execution_count: 3,
        source: 'print(1)\nplot()',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['1\n'] },
          image,
          { output_type: 'execute_result', data: { 'text/plain': ['<Axes>'], 'text/html': '<p>no</p>' } },
          { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\x1b[31mE\x1b[0m: v', 'line 2'] },
        ],
      },
    ]),
  );
  expect(textOf(result)).toBe(
    [
      'a.ipynb: python notebook with 2 cells. To change it, see its JSON with cat first.',
      '[cell 1: markdown]\n# Title\nwords',
      '[cell 2: code [3]]\nprint(1)\nplot()',
      '[output]\n1',
      '[output: image 1]',
      '[output]\n<Axes>',
      '[output]\nE: v\nline 2',
    ].join('\n'),
  );
  expect(result.content.map((block) => block.type)).toEqual(['text', 'image']);
  expect(result.details).toEqual({ path: 'a.ipynb', totalCells: 2, firstCell: 1, lastCell: 2, truncated: false });
});

test('of a long notebook offset and limit choose the cells', async () => {
  const cells = Array.from({ length: 9 }, (_, at) => ({ cell_type: 'raw', source: `text ${at + 1}` }));
  const some = textOf(await readFile('a.ipynb', notebookOf(cells), { offset: 4, limit: 2 }));
  expect(some).toContain('WARNING: showing cells 4-5.');
  expect(some).toContain('[cell 4: raw]\ntext 4\n[cell 5: raw]\ntext 5');
  expect(some).not.toContain('text 6');
  const last = textOf(await readFile('a.ipynb', notebookOf(cells), { offset: -1 }));
  expect(last).toContain('[cell 9: raw]\ntext 9');
  const beyond = await readFile('a.ipynb', notebookOf(cells), { offset: 10 });
  expect(textOf(beyond)).toBe('offset 10 is beyond the end of a.ipynb, which has 9 cells. Use an offset from 1 to 9.');
});

test('outputs, images and the whole notebook are bounded', async () => {
  const outputs = [{ output_type: 'stream', text: 'x'.repeat(9000) }, image, image, image, image, image, image];
  const cells = [{ cell_type: 'code', source: 'go()', outputs }];
  const result = await readFile('a.ipynb', notebookOf(cells));
  expect(textOf(result)).toContain('[cut: the first 4000 of 9000 characters]');
  expect(result.content.filter((block) => block.type === 'image')).toHaveLength(4);
  expect(textOf(result)).toContain('[output: an image, left out]');
  const long = Array.from({ length: 30 }, () => ({ cell_type: 'raw', source: 'y'.repeat(5000) }));
  const cut = await readFile('b.ipynb', notebookOf(long));
  expect(cut.details).toMatchObject({ totalCells: 30, lastCell: 10, truncated: true });
});

test('what is called a notebook and is none is shown as text, with a note', async () => {
  for (const content of ['{"cells": [', '[1, 2]', '{"a": 1}']) {
    const text = textOf(await readFile('a.ipynb', content));
    expect(text).toMatch(/^NOTE: this is no notebook that can be read/);
    expect(text).toContain(`\n1\t${content}`);
  }
});

test('a broken image in a notebook is left out, the rest is there', async () => {
  const broken = { output_type: 'display_data', data: { 'image/png': 'AAAA' } };
  const result = await readFile('a.ipynb', notebookOf([{ cell_type: 'code', source: 'go()', outputs: [broken] }]));
  expect(textOf(result)).toContain('go()\n[output: an image, left out]');
  expect(result.content).toHaveLength(1);
});
