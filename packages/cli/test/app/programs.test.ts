/** Programs of the user's that the app runs: the editor, the clipboard, the command of the status line. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTheme, stripAnsi } from '@tau/tui';
import { expect, onTestFinished, test } from 'vitest';
import { holdTimers } from '../../../host/test/held-timers.ts';
import { clipboardPrograms, toClipboard } from '../../src/app/around/clipboard.ts';
import { editOutside } from '../../src/app/around/external.ts';
import { createImagePaste } from '../../src/app/around/image-paste.ts';
import { runProgram } from '../../src/app/around/program.ts';
import { createStatusLine } from '../../src/app/around/status-line.ts';
import { expectGone, pidsIn } from '../processes.ts';

const { theme } = openTheme('dark', { depth: 'truecolour' });

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tau-programs-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A program of this name alone on the PATH, beside those of the system. */
function withProgram(name: string, script: string): NodeJS.ProcessEnv {
  const bin = folder();
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  return { PATH: `${bin}:/usr/bin:/bin`, HOME: bin };
}

const lend = <T>(work: () => Promise<T>) => work();

test('what is typed comes back from the editor as it was left, and unchanged is unchanged', async () => {
  const edit = (script: string, name = 'EDITOR') =>
    editOutside('one\ntwo', { env: { ...withProgram('my-editor', script), [name]: 'my-editor --wait' }, lend });
  // The file is the last word, behind the options of the variable; its last line break is the editor's own.
  expect(await edit('test "$1" = --wait && printf "%s three\\n" "$(cat "$2")" > "$2.new" && mv "$2.new" "$2"')).toBe(
    'one\ntwo three',
  );
  expect(await edit('true', 'VISUAL')).toBeUndefined();
  await expect(edit('exit 3')).rejects.toThrow('ended with 3; what was typed is as it was');
});

test('the file for the editor is for the user alone and is gone afterwards', async () => {
  const notes = folder();
  const env = withProgram('my-editor', `stat -c %a "$1" > ${notes}/mode; echo "$1" > ${notes}/path`);
  await editOutside('secret', { env: { ...env, EDITOR: 'my-editor' }, lend });
  expect(readFileSync(join(notes, 'mode'), 'utf8')).toBe('600\n');
  const path = readFileSync(join(notes, 'path'), 'utf8').trim();
  expect(() => readFileSync(path)).toThrow('ENOENT');
});

test('the clipboard is reached by what the machine has, over ssh by the terminal, in tmux by tmux', () => {
  const names = (env: NodeJS.ProcessEnv, multiplexer?: 'tmux', remote = false, platform: NodeJS.Platform = 'linux') =>
    clipboardPrograms({ env, platform, capabilities: () => ({ multiplexer, remote }) }).map(([name]) => name);
  expect(names({ WAYLAND_DISPLAY: 'w', DISPLAY: ':0' })).toEqual(['wl-copy', 'xclip', 'xsel']);
  expect(names({ DISPLAY: ':0' }, 'tmux', true)).toEqual(['tmux']);
  expect(names({}, undefined, false, 'darwin')).toEqual(['pbcopy']);
  expect(names({ WSL_DISTRO_NAME: 'x' })).toEqual(['clip.exe']);
  expect(names({})).toEqual([]);
});

test('a copy goes to the first program that takes it, else to the terminal, and says which', async () => {
  // The two seconds that a program gets are over for nobody.
  holdTimers(2000);
  const sent: string[] = [];
  const rest = { platform: 'linux', capabilities: () => ({ multiplexer: undefined, remote: false }) } as const;
  const send = (sequence: string) => sent.push(sequence);
  const notes = folder();
  const works = { ...withProgram('xsel', `cat > ${notes}/copied`), DISPLAY: ':0' };
  expect(await toClipboard('some words', { env: works, send, ...rest })).toBe('Copied 10 characters.');
  expect(readFileSync(join(notes, 'copied'), 'utf8')).toBe('some words');
  expect(sent).toEqual([]);
  expect(await toClipboard('words', { env: { PATH: notes }, send, ...rest })).toMatch(/^Copied 5 characters through/);
  expect(sent).toEqual(['\u001b]52;c;d29yZHM=\u0007']);
  expect(await toClipboard('x'.repeat(2_000_000), { env: { PATH: notes }, send, ...rest })).toMatch(
    /Nothing was copied/,
  );
});

test('an image of the clipboard becomes a private file until the end, and what is none says so', async () => {
  const rest = { platform: 'linux', capabilities: () => ({ remote: false }) } as const;
  const temp = folder();
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(300_000, 0xe9)]);
  writeFileSync(join(temp, 'in.png'), png);
  const env = { ...withProgram('wl-paste', `cat ${temp}/in.png`), WAYLAND_DISPLAY: 'w', TMPDIR: temp };
  const images = createImagePaste({ env, ...rest });
  const [first, second] = [await images.take(), await images.take()];
  expect(readFileSync(first).equals(png)).toBe(true);
  expect([first.endsWith('/image-1.png'), second.endsWith('/image-2.png')]).toEqual([true, true]);
  expect(statSync(first).mode & 0o777).toBe(0o600);
  await images.close();
  expect(existsSync(first)).toBe(false);

  const text = { ...withProgram('wl-paste', 'echo words'), WAYLAND_DISPLAY: 'w' };
  await expect(createImagePaste({ env: text, ...rest }).take()).rejects.toThrow('There is no image in the clipboard');
  await expect(createImagePaste({ env: {}, ...rest }).take()).rejects.toThrow('There is no image in the clipboard');
  const remote = createImagePaste({ ...rest, env, capabilities: () => ({ remote: true }) });
  await expect(remote.take()).rejects.toThrow('on the machine you sit at');
  // As macOS prints it.
  const mac = withProgram('osascript', `echo '«data PNGf89504E470D0A1A0A00»'`);
  const path = await createImagePaste({ env: { ...mac, TMPDIR: temp }, ...rest, platform: 'darwin' }).take();
  expect(readFileSync(path)).toHaveLength(9);
});

test('a program that takes too long is ended with all that it started', async () => {
  const notes = folder();
  const script = `sleep 300 & echo $! > ${notes}/pid; wait`;
  const options = { env: { PATH: '/usr/bin:/bin' }, waitMs: 301, maxOutput: 10 };
  const time = holdTimers(options.waitMs);
  const run = runProgram('/bin/sh', ['-c', script], options);
  const pids = await pidsIn(join(notes, 'pid'), 1);
  time.strike();
  expect(await run).toEqual({ code: undefined, output: '' });
  await expectGone(pids);
});

function statusLine(command: string | undefined) {
  const seen: string[] = [];
  const problems: string[] = [];
  let about = { number: 1 };
  const line = createStatusLine({
    ...{ command, theme, env: { PATH: '/usr/bin:/bin' }, cwd: tmpdir() },
    about: () => about,
    onChange: () => seen.push(line.lines(40)?.map(stripAnsi).join('|') ?? ''),
    onProblem: (text) => problems.push(text),
  });
  onTestFinished(line.close);
  return {
    ...{ line, seen, problems },
    tell(number: number) {
      about = { number };
      line.refresh();
    },
  };
}

test('the status line is what the command makes of what it is told, in three lines at most and harmless', async () => {
  const { line, seen, tell } = statusLine(`cat; printf '\\n\\033[31mred\\033]0;title\\007\\nthree\\nfour\\n'`);
  expect(line.lines(40)).toBeUndefined();
  tell(1);
  // Told together, since they come together.
  tell(2);
  await expect.poll(() => seen).toEqual(['{"number":2}|red|three']);
  expect(line.lines(40)?.join('')).not.toContain('title');
  expect(line.lines(40)?.join('')).not.toContain('\u0007');
  tell(3);
  await expect.poll(() => seen.at(-1)).toBe('{"number":3}|red|three');
  expect(line.lines(4)?.every((one) => stripAnsi(one).length <= 4)).toBe(true);
});

test('a command that fails is told once, and what it said before stays', async () => {
  const { line, problems, seen, tell } = statusLine('grep -o "1.*" || exit 7');
  tell(1);
  await expect.poll(() => seen).toEqual(['1}']);
  tell(2);
  await expect.poll(() => problems).toEqual(['The command of the status line ended with 7']);
  tell(3);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(problems).toHaveLength(1);
  expect(line.lines(40)?.map(stripAnsi)).toEqual(['1}']);
});
