/** The tables in docs/permissions.md, cell by cell. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ResolvedEffect } from '@tau/core';
import { expect, test } from 'vitest';
import { createShellReader, decide, shellEffects } from '../src/index.ts';
import { decideOn, resolved, scope } from './decisions.ts';
import { columns, type Everyday, everyday, everydayTable, modes } from './everyday.ts';
import { expected, matrix, matrixTable } from './mode-matrix.ts';

const shell = createShellReader(() => ({
  cwd: '/w/app',
  home: '/home/me',
  trustedPath: true,
  tameGit: () => true,
  managed: () => false,
  glob: () => [],
}));
await shell.ready('$(ready)');

/** What a tool makes can be made again; nobody knows that of the rest. */
function follow(command: string): ResolvedEffect[] {
  return resolved(shellEffects(command, shell)).map((effect) =>
    effect.kind === 'write' && effect.removes === 'tree'
      ? { ...effect, recoverable: ['/w/app/node_modules', '/w/app/dist'].includes(effect.resolved ?? '') }
      : effect,
  );
}

function account({ command }: Everyday) {
  const effects = follow(command);
  const call = { id: 'c1', toolName: 'bash', input: { command } };
  const decisions = columns.map(({ mode, contained }) =>
    decide(call, 'builtin', effects, { mode, rules: [], scope, analyse: shell.analyse, contained }),
  );
  return {
    class: decisions[0]?.class,
    outcomes: Object.fromEntries(decisions.map(({ outcome }, at) => [columns[at]?.head, outcome])),
  };
}

test('there are a hundred everyday commands, each once', () => {
  expect(new Set(everyday.map(({ command }) => command)).size).toBe(100);
  expect(everyday).toHaveLength(100);
});

test.each(everyday)('in each mode $command fares as the page says', (one) => {
  expect(account(one)).toEqual({
    class: one.class,
    outcomes: Object.fromEntries(one.outcomes.map((outcome, at) => [columns[at]?.head, outcome])),
  });
});

test.each(matrix)('in each mode a call that would $what fares as the page says', (one) => {
  const { tool, source = 'builtin', effect } = one;
  expect(modes.map((mode) => decideOn(tool, [effect], { mode, source }).outcome)).toEqual(expected(one));
});

test('the page has the tables as they are', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/permissions.md', import.meta.url)), 'utf8');
  expect(page).toContain(`\n${everydayTable()}\n`);
  expect(page).toContain(`\n${matrixTable()}\n`);
});
