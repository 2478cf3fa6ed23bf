import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorResult, summariseCall, type ToolInput, textResult } from '../src/index.ts';

const diff = '--- a\n+++ b\n@@ -1,2 +1,4 @@\n-old\n+new\n+more\n+again\n same\n';

test.each<[string, ToolInput, unknown, string]>([
  ['read', { path: 'src/a.ts' }, { totalLines: 120, firstLine: 1, lastLine: 120 }, 'read src/a.ts (120 lines)'],
  ['read', { path: 'src/a.ts' }, { totalLines: 120, firstLine: 5, lastLine: 9 }, 'read src/a.ts (lines 5-9 of 120)'],
  ['read', { path: 'a.pdf' }, { totalPages: 1, firstPage: 1, lastPage: 1 }, 'read a.pdf (1 page)'],
  ['read', { path: 'a.ipynb' }, { totalCells: 9, firstCell: 2, lastCell: 3 }, 'read a.ipynb (cells 2-3 of 9)'],
  ['read', { path: 'a.png' }, { mimeType: 'image/png' }, 'read a.png (image/png)'],
  ['edit', { path: 'src/a.ts' }, { diff }, 'edit src/a.ts (+3 -1)'],
  ['write', { path: 'a' }, { bytes: 5, created: true, diff }, 'write a (new, 5 bytes)'],
  ['write', { path: 'a' }, { bytes: 5, created: false, diff }, 'write a (+3 -1)'],
  ['write', { path: 'a' }, { bytes: 5000, created: false }, 'write a (5 KB)'],
  [
    'apply_patch',
    {},
    {
      files: [
        { path: 'a', diff },
        { path: 'b', diff },
      ],
    },
    'apply_patch a, b (+6 -2)',
  ],
  ['bash', { command: 'npm\ntest' }, { exitCode: 0 }, 'bash npm test: exit 0'],
  ['bash', { command: 'npm start' }, { jobId: 'job-1' }, 'bash npm start: runs as job-1'],
  ['grep', { pattern: 'foo' }, { matches: 12, files: 4 }, 'grep foo: 12 matches in 4 files'],
  ['grep', { pattern: 'foo' }, { matches: 1, files: 1 }, 'grep foo: 1 match in 1 file'],
  ['grep', { pattern: 'foo' }, { files: 0 }, 'grep foo: no matches'],
  ['glob', { pattern: '*.ts' }, { files: 3 }, 'glob *.ts: 3 files'],
  ['ls', {}, { entries: 2 }, 'ls .: 2 entries'],
  ['web_fetch', { url: 'https://me:pw@example.org/a?b' }, { bytes: 8192, status: 200 }, 'web_fetch example.org: 8 KB'],
  ['todo', {}, { todos: [{ status: 'completed' }, { status: 'pending' }] }, 'todo 1 of 2 completed'],
  ['mcp__x__y', { a: 1 }, undefined, 'mcp__x__y its words'],
  ['constructor', {}, undefined, 'constructor its words'],
])('a call of %s with %o is summarised by what the tool says of it', (name, input, details, expected) => {
  expect(summariseCall(name, input, textResult('its\n words', details))).toBe(expected);
});

test.each<[string, ToolInput, unknown, string]>([
  ['bash', { command: 'npm test' }, { exitCode: 1 }, 'bash npm test: exit 1'],
  ['bash', { command: 'sleep 9' }, { exitCode: null, timedOut: true }, 'bash sleep 9: timed out'],
  ['bash', { command: 'rm x' }, undefined, 'bash rm x: The user said no.'],
  ['read', { path: 'a' }, undefined, 'read a: The user said no.'],
  ['web_fetch', { url: 'example.org' }, { status: 404, bytes: 5 }, 'web_fetch example.org: status 404'],
])('a call of %s that failed with %o says how', (name, input, details, expected) => {
  expect(summariseCall(name, input, errorResult('The user said no.', details))).toBe(expected);
});

test('a long path is known by its end, and a long command by its beginning', () => {
  const path = `/${'folder/'.repeat(40)}a.ts`;
  expect(summariseCall('read', { path }, textResult('', { totalLines: 1 }))).toMatch(/^read ….*\/a\.ts \(1 line\)$/);
  expect(summariseCall('bash', { command: `echo ${'x'.repeat(500)}` }, textResult('', { exitCode: 0 }))).toMatch(
    /^bash echo x+…: exit 0$/,
  );
});

test('whatever a tool says, the summary is one line of at most 120 characters', () => {
  const names = [
    'read',
    'write',
    'edit',
    'apply_patch',
    'bash',
    'grep',
    'glob',
    'ls',
    'web_fetch',
    'todo',
    '__proto__',
  ];
  const fields = fc.record(
    {
      ...{
        path: fc.string({ unit: 'binary', maxLength: 300 }),
        command: fc.string({ unit: 'binary', maxLength: 300 }),
      },
      ...{ url: fc.string(), pattern: fc.anything(), files: fc.anything(), todos: fc.anything(), diff: fc.string() },
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fields,
      fields,
      fc.string({ unit: 'binary' }),
      (name, input, details, text) => {
        const summary = summariseCall(name, input, textResult(text, details));
        expect(summary.length).toBeLessThanOrEqual(120);
        expect(summary).toMatch(/^[^\n\r\p{C}]*$/u);
      },
    ),
    { seed: 13, numRuns: 500 },
  );
});
