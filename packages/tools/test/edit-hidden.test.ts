/** A model is not told of invisible characters, and can edit a file that has them all the same: what it did not name stays. */
import { expect, test } from 'vitest';
import { applyEdits } from '../src/edit/replace.ts';
import { applyHunks } from '../src/patch/hunks.ts';

const hidden = [...'evil'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
const selectors = '\ufe01\u{e0120}\u{e0130}';

async function edited(text: string, oldText: string, newText: string) {
  const { text: after, tolerances } = await applyEdits('f', text, [{ oldText, newText, replaceAll: false }]);
  return { after, ignored: tolerances.join() };
}

test.each([
  ['tags', hidden],
  ['selectors', selectors],
])('an edit beside hidden %s leaves them where they are', async (_, secret) => {
  const text = `one${secret}\nconst b = 2;\nthree${secret}\n`;
  expect(await edited(text, 'const b = 2;', 'const b = 3;')).toEqual({
    after: `one${secret}\nconst b = 3;\nthree${secret}\n`,
    ignored: '',
  });
  // Up to the hidden ones and no further.
  expect((await edited(text, 'one', 'ONE')).after).toBe(`ONE${secret}\nconst b = 2;\nthree${secret}\n`);
});

test.each([
  ['tags', hidden],
  ['selectors', selectors],
])('an edit across hidden %s is found, and those between words that stay do stay', async (_, secret) => {
  const text = `start\nconst b${secret} = 2;\nend${secret}\n`;
  expect(await edited(text, 'const b = 2;', 'const b = 3;')).toEqual({
    after: `start\nconst b${secret} = 3;\nend${secret}\n`,
    ignored: 'typographic characters',
  });
});

test('hidden characters within what is replaced go with it, and those outside never do', async () => {
  const { after } = await edited(`keep${hidden}\nof${hidden}f = 1\nkeep${hidden}\n`, 'off = 1', 'on = 2');
  expect(after).toBe(`keep${hidden}\non = 2\nkeep${hidden}\n`);
});

test('a patch finds lines with hidden characters, and its context lines keep them', () => {
  const lines = [
    { kind: 'context' as const, text: 'alpha' },
    { kind: 'old' as const, text: 'beta' },
    { kind: 'new' as const, text: 'gamma' },
  ];
  const text = `alpha${hidden}\nbeta\nend${hidden}\n`;
  const patched = applyHunks('f', text, [{ at: 1, headers: [], lines, atEnd: false }]);
  expect(patched.text).toBe(`alpha${hidden}\ngamma\nend${hidden}\n`);
  expect([...patched.tolerances]).toEqual(['typographic characters']);
});
