import { describe, expect, test } from 'vitest';
import { createCache } from '../../src/code/cache.ts';
import { createHighlighter, highlightLimits } from '../../src/code/highlighter.ts';
import { languageOf } from '../../src/code/languages.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import type { Theme } from '../../src/theme/theme.ts';
import { colours } from '../lines.ts';

/** Writes the role where its colours would be. */
const named: Theme = { name: 'named', kind: 'dark', paint: (role, text) => `${role}(${text})` };

describe('code in colours', () => {
  test('is plain until its language is loaded, and says when it is', async () => {
    let ready = 0;
    const highlighter = createHighlighter({ onReady: () => (ready += 1) });
    expect(highlighter.isReady('typescript')).toBe(false);
    expect(highlighter.lines('const a = 1;', 'typescript', named)).toEqual(['const a = 1;']);
    await highlighter.settled();
    expect(ready).toBe(1);
    expect(highlighter.lines('const a = 1;', 'typescript', named)).toEqual([
      'syntaxKeyword(const) a = syntaxNumber(1);',
    ]);
  });

  test('follows a theme whose colours change while it is held', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('typescript');
    const other: Theme = { ...named, paint: (_, text) => `other(${text})` };
    let current = named;
    const live: Theme = {
      ...{ name: 'live', kind: 'dark', paint: (role, text) => current.paint(role, text) },
      get current() {
        return current;
      },
    };
    const first = highlighter.lines('const a;', 'typescript', live);
    expect(first).toEqual(['syntaxKeyword(const) a;']);
    current = other;
    expect(highlighter.lines('const a;', 'typescript', live)).toEqual(['other(const) a;']);
    current = named;
    expect(highlighter.lines('const a;', 'typescript', live)).toBe(first);
  });

  test('closes the colours of what goes over several lines at the end of each', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('typescript');
    expect(highlighter.lines('/* a\n\nb */ f()', 'typescript', named)).toEqual([
      'syntaxComment(/* a)',
      '',
      'syntaxComment(b */) syntaxFunction(f)()',
    ]);
  });

  test('knows whether a comment or string is still open at its end', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('typescript');
    expect(highlighter.section('const a = `one', 'typescript', named).isClosed).toBe(false);
    expect(highlighter.section('const a = `one`;', 'typescript', named).isClosed).toBe(true);
  });

  test('colours a language inside another one', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('xml');
    const [line] = highlighter.lines('<script>let a = 1</script>', 'xml', named);
    expect(line).toContain('syntaxKeyword(let)');
  });

  test('two languages that hold each other are both loaded', async () => {
    const highlighter = createHighlighter();
    await Promise.all([highlighter.load('javascript'), highlighter.load('xml')]);
    expect(highlighter.lines('x = <b>y</b>', 'javascript', named).join('')).toContain('syntaxTag(b)');
  });

  test('makes harmless whatever the code holds, and loses nothing of it', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('javascript');
    const text = "const a = '\u001b[2J\u0007'; // \u202e\n\tb";
    expect(highlighter.lines(text, 'javascript', colours).map(stripAnsi)).toEqual([
      "const a = '␛[2J␇'; // <U+202E>",
      '    b',
    ]);
  });

  test('leaves plain what is too long', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('javascript');
    const lines = 'let a;\n'.repeat(highlightLimits.lines);
    expect(highlighter.lines(lines, 'javascript', named)[0]).toBe('let a;');
    const file = `let a;${' '.repeat(93)}\n`.repeat(1 + highlightLimits.characters / 100);
    expect(highlighter.lines(file, 'javascript', named)[0]).not.toContain('syntaxKeyword');
    const words = (letters: number) => `let a = '${'x'.repeat(letters - 1)}'`;
    expect(highlighter.lines(words(highlightLimits.word), 'javascript', named)[0]).toContain('syntaxKeyword(let)');
    const long = words(highlightLimits.word + 2);
    expect(highlighter.lines(long, 'javascript', named)).toEqual([long]);
    const wide = (columns: number) => `let a;${' '.repeat(columns - 7)}b`;
    expect(highlighter.lines(wide(highlightLimits.line), 'javascript', named)[0]).toContain('syntaxKeyword(let)');
    const wider = `let b;\n${wide(highlightLimits.line + 1)}`;
    expect(highlighter.lines(wider, 'javascript', named)).toEqual(wider.split('\n'));
  });

  test('remembers what it coloured, for each theme', async () => {
    const highlighter = createHighlighter();
    await highlighter.load('javascript');
    const lines = highlighter.lines('let a', 'javascript', named);
    expect(highlighter.lines('let a', 'javascript', named)).toBe(lines);
    expect(highlighter.lines('let a', 'javascript', { ...named })).not.toBe(lines);
  });
});

test('the cache forgets what was not used for longest', () => {
  const cache = createCache<number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3, 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  cache.set('huge', 4, 100);
  expect([cache.get('a'), cache.get('c'), cache.get('huge')]).toEqual([undefined, undefined, 4]);
});

test.each([
  [{ label: 'ts' }, 'typescript'],
  [{ label: 'TSX title="a"' }, 'typescript'],
  [{ label: '{.python .numberLines}' }, 'python'],
  [{ label: 'language-rust' }, 'rust'],
  [{ label: 'src/main.go' }, 'go'],
  [{ label: 'nonsense' }, undefined],
  [{ label: 'constructor' }, undefined],
  [{ path: '/a/b/Dockerfile' }, 'dockerfile'],
  [{ path: 'Dockerfile.dev' }, 'dockerfile'],
  [{ path: 'CMakeLists.txt' }, 'cmake'],
  [{ path: 'x.test.MJS' }, 'javascript'],
  [{ path: '.bashrc' }, 'bash'],
  [{ path: 'LICENSE' }, undefined],
  [{ code: '#!/usr/bin/env -S python3.12 -u\nx' }, 'python'],
  [{ code: '#!/bin/bash -e' }, 'bash'],
  [{ code: 'text' }, undefined],
  [{}, undefined],
])('the language of %j is %s', (hint, language) => {
  expect(languageOf(hint)).toBe(language);
});
