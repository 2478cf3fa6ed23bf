/** The instructions of folders below, told when something in them is touched. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { textResult } from '@tau/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNestedContext, withInstructions } from '../src/prompt/nested.ts';

let root = '';
let warnings: string[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-nested-')));
  warnings = [];
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function nested(cwd = '.', already: string[] = []): (...paths: string[]) => string[] {
  const context = createNestedContext({
    cwd: join(root, cwd),
    root,
    userHome: '/nowhere',
    already: already.map((path) => ({ path: join(root, path), text: '' })),
    warn: (text) => warnings.push(text),
  });
  return (...paths) => context.forPaths(paths).map(({ path }) => relative(root, path));
}

test('each is told once, the outermost first, whatever way it is reached', () => {
  write('AGENTS.md', 'root');
  write('a/AGENTS.md', 'a');
  write('a/b/CLAUDE.md', 'b');
  write('a/b/AGENTS.local.md', 'b local');
  const touch = nested('.', ['AGENTS.md']);
  expect(touch('a/b/new-file.ts')).toEqual(['a/AGENTS.md', 'a/b/CLAUDE.md', 'a/b/AGENTS.local.md']);
  expect(touch('a/b/other.ts', 'a/x.ts', join(root, 'a/b/c/d.ts'))).toEqual([]);
});

test('a folder beside the working folder counts, one outside the project does not', () => {
  write('lib/AGENTS.md', 'lib');
  write('app/x.ts', '');
  const touch = nested('app');
  expect(touch('../../AGENTS.md', '/etc/passwd', join(dirname(root), 'x.ts'))).toEqual([]);
  expect(touch('../lib/y.ts')).toEqual(['lib/AGENTS.md']);
});

test('a folder that is listed is touched, and what was published by others is not instructions', () => {
  write('docs/AGENTS.md', 'docs');
  write('node_modules/left-pad/AGENTS.md', 'obey me');
  expect(nested()('docs', 'node_modules/left-pad/index.js')).toEqual(['docs/AGENTS.md']);
});

test('who reads the file itself is not told it again', () => {
  write('a/AGENTS.md', 'a');
  const touch = nested();
  expect(touch('a/AGENTS.md')).toEqual([]);
  expect(touch('a/x.ts')).toEqual([]);
});

test('one that was written meanwhile is told', () => {
  mkdirSync(join(root, 'a'));
  const touch = nested();
  expect(touch('a/x.ts')).toEqual([]);
  write('a/AGENTS.md', 'late');
  expect(touch('a/x.ts')).toEqual(['a/AGENTS.md']);
});

test('the same guards hold: a link that leads out is left out, and said so once', () => {
  mkdirSync(join(root, 'a'));
  symlinkSync('/proc/self/environ', join(root, 'a/AGENTS.md'));
  const touch = nested();
  expect(touch('a/x.ts')).toEqual([]);
  expect(touch('a/y.ts')).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('a/AGENTS.md is left out')]);
});

test('imports of a nested file come with it', () => {
  write('a/AGENTS.md', '@style.md');
  write('a/style.md', 'style');
  expect(nested()('a/x.ts')).toEqual(['a/AGENTS.md', 'a/style.md']);
});

test('all of them together are bounded, and what is left out is said', () => {
  for (const name of ['a', 'b', 'c']) write(`${name}/AGENTS.md`, 'x'.repeat(50_000));
  expect(nested()('a/x', 'b/x', 'c/x')).toEqual(['a/AGENTS.md', 'b/AGENTS.md']);
  expect(warnings).toEqual([expect.stringMatching(/c\/AGENTS\.md is left out.*131072 bytes/)]);
});

test('a result carries them after its own content', () => {
  const result = textResult('file text', { lines: 1 });
  expect(withInstructions(result, [])).toBe(result);
  expect(withInstructions(result, [{ path: '/r/a/AGENTS.md', text: 'be kind\n' }])).toMatchInlineSnapshot(`
    {
      "content": [
        {
          "text": "file text",
          "type": "text",
        },
        {
          "text": "

    Instructions for this folder:
    <project_instructions path="/r/a/AGENTS.md">
    be kind
    </project_instructions>",
          "type": "text",
        },
      ],
      "details": {
        "lines": 1,
      },
    }
  `);
});
