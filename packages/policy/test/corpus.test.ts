/** Shell as people and models write it: everything in it is found, and what acts is asked about. */
import { expect, test } from 'vitest';
import { createShellReader, decide, shellEffects } from '../src/index.ts';
import { scripts } from './corpus-scripts.ts';
import { decideShell, resolved, scope, shellIn } from './decisions.ts';

const reader = await shellIn({ tameGit: () => true, glob: (pattern) => (pattern.includes('/') ? [] : ['a.ts']) });

test('there are enough of them to mean something', () => {
  expect(scripts.length).toBeGreaterThan(80);
  expect(scripts.filter(({ acts }) => acts === false).length).toBeGreaterThan(15);
});

test.each(scripts)('$text: every program in it is found', ({ text, starts }) => {
  const { parts, problem } = reader.analyse(text);
  expect(problem).toBeUndefined();
  const found = parts.map(({ invocation }) => invocation.words[0]);
  expect(found).toEqual(expect.arrayContaining(starts.split(' ')));
});

test.each(scripts.filter(({ acts }) => acts !== false))('$text: it acts, so it is not allowed unasked', ({ text }) => {
  expect(decideShell(text).outcome).not.toBe('allow');
});

test.each(scripts.filter(({ acts }) => acts === false))('$text: it only looks, so nobody is asked', ({ text }) => {
  const effects = resolved(shellEffects(text, reader));
  const policy = { mode: 'default', rules: [], scope, analyse: reader.analyse } as const;
  const decision = decide({ id: 'c1', toolName: 'bash', input: {} }, 'builtin', effects, policy);
  expect(decision).toMatchObject({ outcome: 'allow', class: 'read-only' });
});

test('a script that is cut at any place is taken apart or refused, and never throws', () => {
  for (const { text, acts } of scripts) {
    for (let end = 0; end <= text.length; end++) {
      const analysis = reader.analyse(text.slice(0, end));
      expect(Array.isArray(analysis.parts)).toBe(true);
      if (acts !== false && end === text.length) expect(decideShell(text).outcome).not.toBe('allow');
    }
  }
});

test('a reader refuses what it was not made ready for', async () => {
  const reader = createShellReader(() => ({ cwd: '/w/app', home: '/home/me', trustedPath: true }));
  expect(reader.analyse('ls').problem).toMatch(/\w/);
  await reader.ready('ls');
  expect(reader.analyse('ls').problem).toBeUndefined();
  expect(reader.analyse('ls $(pwd)').problem).toMatch(/\w/);
  await reader.ready('ls $(pwd)');
  expect(reader.analyse('ls $(pwd)').problem).toBeUndefined();
});
