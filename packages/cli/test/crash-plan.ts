/** What the model of a crash trial wants done, call by call, and how it is found out afterwards what was. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox, ScriptBlock } from '@tau/testkit';
import { expect } from 'vitest';
import { call } from './conversation.ts';

const padding = 'a line that is there to make the file longer\n'.repeat(400);
const wholeNotes = /^start\n(?:line \w+\n)*end\n/;
const whole = (version: string) => `${version}\n${padding}${version} ends\n`;
const appends = (...tokens: string[]) => `echo $$ >> pids; ${tokens.map((token) => `echo ${token} >> log`).join('; ')}`;
const edits = (token: string, id: string) =>
  call('edit', { path: 'notes.txt', old_string: '\nend\n', new_string: `\nline ${token}\nend\n` }, id);

/** What one call is to leave behind, and where it can be counted. */
interface Deed {
  token: string;
  count(sandbox: Sandbox): number;
}

const inLog = (token: string): Deed => ({ token, count: (sandbox) => linesIn(sandbox, 'log', token) });
const inNotes = (token: string): Deed => ({
  token,
  count: (sandbox) => linesIn(sandbox, 'notes.txt', `line ${token}`),
});
const inFile = (path: string, version: string): Deed => ({
  token: version,
  count: (sandbox) => (existsSync(join(sandbox.project, path)) && sandbox.read(path) === whole(version) ? 1 : 0),
});

interface PlannedCall {
  block: ScriptBlock & { id?: string };
  deeds: Deed[];
}

const bash = (id: string, ...tokens: string[]): PlannedCall => ({
  block: call('bash', { command: appends(...tokens) }, id),
  deeds: tokens.map(inLog),
});
const read = (id: string): PlannedCall => ({ block: call('read', { path: 'notes.txt', limit: 5 }, id), deeds: [] });
const edit = (id: string, token: string): PlannedCall => ({ block: edits(token, id), deeds: [inNotes(token)] });
const write = (id: string, path: string, version: string): PlannedCall => ({
  block: call('write', { path, content: whole(version) }, id),
  deeds: [inFile(path, version)],
});

/** Each a message of the model. The calls of one touch different files, or exclude each other as commands do. */
export const plan: readonly (readonly PlannedCall[])[] = [
  [bash('c0', 't0')],
  [read('c1'), write('c2', 'one.txt', 'first')],
  [edit('c3', 'e3'), bash('c4', 't4')],
  [
    {
      block: call('bash', { command: `${appends('t5')}; sleep 0.03; echo t5-late >> log` }, 'c5'),
      deeds: [inLog('t5'), inLog('t5-late')],
    },
  ],
  [bash('c6', 't6'), bash('c7', 't7'), read('c8')],
  [edit('c9', 'e9')],
  [write('c10', 'two.txt', 'second'), bash('c11', 't11', 't11-more')],
];

/** The file that the plan edits. */
export function writeNotes(sandbox: Sandbox): void {
  sandbox.write('notes.txt', `start\nend\n${padding}`);
}

/** A file is its old self or its new one, and what a killed write left beside it is no more than one file a kill. */
export function expectWhole(sandbox: Sandbox, kills: number): void {
  const notes = sandbox.read('notes.txt');
  expect(notes).toMatch(wholeNotes);
  expect(notes.endsWith(padding)).toBe(true);
  for (const [path, version] of [
    ['one.txt', 'first'],
    ['two.txt', 'second'],
  ] as const) {
    if (existsSync(join(sandbox.project, path))) expect(sandbox.read(path) === whole(version)).toBe(true);
  }
  const known = ['log', 'notes.txt', 'one.txt', 'pids', 'two.txt'];
  const litter = readdirSync(sandbox.project).filter((name) => !known.includes(name));
  expect(litter.length).toBeLessThanOrEqual(kills);
  expect(litter.filter((name) => !/^\.tau-[\w-]+\.tmp$/.test(name))).toEqual([]);
}

function linesIn(sandbox: Sandbox, path: string, line: string): number {
  if (!existsSync(join(sandbox.project, path))) return 0;
  return sandbox
    .read(path)
    .split('\n')
    .filter((one) => one === line).length;
}
