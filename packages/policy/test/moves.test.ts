import { describe, expect, test } from 'vitest';
import { summarise } from '../src/index.ts';
import { shellIn } from './decisions.ts';

/** In /w/app the folder `d` has a link in it and `l` is one; `alias` leads to `sub`. */
const reader = await shellIn({
  glob: () => [],
  realPath: (path) => path.replace('/w/app/alias', '/w/app/sub'),
  holdsLinks: (path) => /\/(d|l)$/.test(path),
});
const blind = await shellIn({ glob: () => [] });
const isKnown = (line: string, shell = reader) => summarise(shell.analyse(line)).known;

describe('a path through what the line has put there', () => {
  test.each([
    'mv d e && cat e/l/x',
    'mv d e && echo x > e/l/x',
    'mv d e; cd e/l && touch x',
    'mv d e && mv e f',
    'mv l sub/l && cat sub/l',
    'cp -r d e && touch e/l/x',
    'cp -a d e && touch e/l/x',
    'cp -P l sub/l && cat sub/l',
    'ln -s d y && touch y/l/x',
    'ln -s src y && touch y/x',
    'ln -sT .git/hooks y && cp a y/pre-commit',
    'mv d sub/e && cat alias/e/l',
    'cat x | mv d e',
    'while true; do cat e/l; mv d e; done',
  ])('%j is not known', (line) => {
    expect(isKnown(line)).toBe(false);
  });

  test.each([
    'mv a b && cat b',
    'mv a sub/ && cat sub/a',
    'cp -r src dst && cat dst/a && cd dst && sed -i s/a/b/ a',
    'cat e/l/x && mv d e',
    'cp d/x e && cat e',
    'ln -s a b && cat b',
    'mkdir n && touch n/x',
  ])('%j is known: nothing that was moved has links', (line) => {
    expect(isKnown(line)).toBe(true);
  });

  test('where nobody can look, everything may have links', () => {
    expect(isKnown('mv a b && cat b', blind)).toBe(false);
    expect(isKnown('mv a b && cat c', blind)).toBe(true);
  });
});

test('more moves than anybody follows make the rest unknown', () => {
  const line = Array.from({ length: 60 }, (_, at) => `mv a${at} b${at}`).join('; ');
  expect(isKnown(line)).toBe(false);
});

describe('what is removed after something was moved into it', () => {
  test.each(['mv src dist/ && rm -rf dist', 'mv src dist/x && rm -rf dist', 'mv src dist && find dist -delete'])(
    '%j is not known',
    (line) => {
      expect(isKnown(line)).toBe(false);
    },
  );

  test.each(['rm -rf dist && mv build dist', 'mv a b && rm -rf dist', 'cp -r src dist/ && rm -rf dist'])(
    '%j is known',
    (line) => {
      expect(isKnown(line)).toBe(true);
    },
  );
});
