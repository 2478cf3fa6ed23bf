/** The screen in a real process behind a real pty, with a shell before and after it. */
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp, openShell, type PtyShell } from './pty.ts';

let app: Awaited<ReturnType<typeof buildApp>>;
let shell: PtyShell;
let modesBefore: string;

beforeAll(async () => {
  app = await buildApp();
  shell = openShell(60, 20);
  shell.type('stty -g\r');
  await shell.until(() => ttyModes().length > 0);
  modesBefore = ttyModes()[0] ?? '';
});
afterAll(async () => {
  await shell.close();
  await app.remove();
});

const ttyModes = () => shell.terminal.linesOf().filter((line) => /^[\da-f]+(?::[\da-f]+){20,}$/.test(joined(line)));
const joined = (line: string) => line.replaceAll(' ', '');
const lines = () => shell.terminal.linesOf();
const newest = () => lines().slice(lines().findLastIndex((line) => line.startsWith('started ')));
/** Long enough ago that the program is sure of what was there when the size changed. */
const committed = () => new Promise((resolve) => setTimeout(resolve, 320));
const goOn = () => writeFileSync(`${app.file}.go`, '');
let starts = 0;

async function start(): Promise<number> {
  starts += 1;
  shell.type(`node ${app.file}; echo "code $?"\r`);
  await shell.until(() => lines().filter((line) => line.startsWith('started ')).length === starts);
  await shell.until(() => lines().at(-1)?.startsWith('footer') === true);
  return Number(newest()[0]?.slice('started '.length));
}

/** The shell has the terminal again, and it is as it was before. */
async function expectSane(): Promise<void> {
  const seen = ttyModes().length;
  shell.type('stty -g\r');
  await shell.until(() => ttyModes().length > seen);
  expect(ttyModes().at(-1)).toBe(modesBefore);
  for (const mode of ['1004', '2031', '2026']) expect(`${mode}${lastSwitch(mode)}`).toBe(`${mode}l`);
  expect(lastSwitch('7')).toBe('h');
  expect(shell.terminal.cursorOf().visible).toBe(true);
}

function lastSwitch(mode: string): string | undefined {
  return [...shell.output().matchAll(/\[\?(\d+)([hl])/g)].findLast(([, number]) => number === mode)?.[2];
}

test('lines are streamed above a spinner, the window is made narrow and wide, and every line is there once', async () => {
  await start();
  shell.type('hello\u0013');
  await shell.until('streamed');
  shell.type('\u0017');
  await shell.until('working');
  await committed();
  for (const columns of [59, 50, 45, 40, 44, 52, 60]) {
    shell.resize(columns, 20);
    await shell.until(`footer of ${columns} columns`);
  }
  const streamed = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const live = ['─'.repeat(60), '> hello', '─'.repeat(60), 'footer of 60 columns'];
  expect(
    newest()
      .slice(1)
      .filter((line) => !line.startsWith('working')),
  ).toEqual([...streamed, 'streamed', ...live]);
  expect(newest().filter((line) => line.startsWith('working'))).toHaveLength(1);
  shell.type('\u0011');
  await shell.until('code 0');
  await expectSane();
});

test('a viewer gives the main screen back as it was, and a stop and a continue draw it once', async () => {
  const pid = await start();
  shell.type('words');
  await shell.until('> words');
  const before = newest();
  shell.type('\u000f');
  await shell.until('page line 5');
  shell.type('G');
  await shell.until('page line 999');
  shell.type('/line 42\r');
  await shell.until('page line 42');
  shell.type('q');
  await shell.until('> words');
  expect(newest()).toEqual(before);

  shell.type('\u001a');
  await shell.until('Stopped');
  expect(newest().filter((line) => line.startsWith('footer'))).toEqual([]);
  shell.type('stty -g\r');
  await shell.until(() => ttyModes().at(-1) === modesBefore && lines().at(-1) === '$');
  shell.type('fg\r');
  await shell.until(() => lines().at(-1)?.startsWith('footer') === true);

  process.kill(pid, 'SIGTSTP');
  await shell.until(() => lines().filter((line) => line.includes('Stopped')).length === 2);
  shell.type('fg\r');
  await shell.until(() => lines().at(-1)?.startsWith('footer') === true);
  expect(newest().filter((line) => line.startsWith('footer'))).toHaveLength(1);
  shell.type('!');
  await shell.until('> words!');

  // Lent to another program, which has the terminal's own line and its echo.
  shell.type('\u0007');
  // A line that is typed before the terminal is as it was has no end that the other program would see.
  await shell.until('it reads');
  expect(lastSwitch('2004')).toBe('l');
  shell.type('a line\r');
  await shell.until('it read a line');
  await shell.until(() => lines().at(-1)?.startsWith('footer') === true);
  shell.type('?');
  await shell.until('> words!?');

  process.kill(pid, 'SIGTERM');
  await shell.until('Terminated');
  await expectSane();
});

test('a program that was busy looks at the size before it draws, and draws for no size that is over', async () => {
  await start();
  shell.type('\u0002');
  await shell.until('busy');
  const before = shell.output().length;
  shell.resize(40, 20);
  goOn();
  await shell.until('footer of 40 columns');
  const [first = ''] = shell.output().slice(before).split('footer of 40 columns');
  expect(first.split('\u001b[?7l')).toHaveLength(2);
  // There and back again, which is the size it knows.
  shell.type('\u0002');
  await shell.until(() => newest().filter((line) => line === 'busy').length === 2);
  const known = shell.output().length;
  shell.resize(30, 20);
  shell.resize(40, 20);
  goOn();
  await shell.until(() => shell.output().slice(known).includes('footer of 40 columns'));
  expect(newest().filter((line) => line === 'busy')).toHaveLength(2);
  shell.type('\u0011');
  await shell.until(() => lines().at(-1) === '$');
  shell.resize(60, 20);
});

test('an exception gives the terminal back first and is then seen in full, also from the viewer', async () => {
  await start();
  shell.type('\u000f');
  await shell.until('page line 5');
  shell.type('\u0018');
  await shell.until('thrown on purpose');
  await shell.until('code 1');
  const footer = newest().findIndex((line) => line.startsWith('footer'));
  const message = newest().findIndex((line) => line.includes('thrown on purpose'));
  expect(footer).toBeGreaterThan(0);
  expect(message).toBeGreaterThan(footer);
  await expectSane();
});

test('a program whose terminal goes away ends too', async () => {
  const child = spawn(process.execPath, [app.file], { env: { TERM: 'xterm', PATH: process.env.PATH ?? '' } });
  const ended = new Promise<{ signal?: number | undefined }>((resolve) => child.onExit(resolve));
  let output = '';
  await new Promise<void>((resolve) =>
    child.onData((data) => {
      output += data;
      if (output.includes('footer')) resolve();
    }),
  );
  closeTerminal(child);
  // Now and then Node itself gives up, because it cannot give back a terminal that is gone.
  expect([constants.signals.SIGHUP, constants.signals.SIGABRT]).toContain((await ended).signal);
});

/** Its types leave it out. */
function closeTerminal(child: object): void {
  const destroy: unknown = Reflect.get(child, 'destroy');
  if (typeof destroy === 'function') destroy.call(child);
}
