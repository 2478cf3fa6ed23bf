/** The file of a recording: new, private, whole lines, and never in the way of the run. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { openRecording } from '../src/recording/file.ts';
import { record } from '../src/recording/record.ts';
import { replay } from '../src/recording/replay.ts';
import { type Answer, askAt, modelAt, startModel } from './wire.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a recording on disk is private from the start, and each exchange is on it when it is over', async () => {
  const path = join(freshFolder(), 'tape.jsonl');
  const server = await startModel({ blocks: [{ text: 'one' }] }, { blocks: [{ text: 'two' }] });
  const model = modelAt(server.url, 'anthropic-messages');
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const warnings: string[] = [];
  const file = openRecording(path, (text) => warnings.push(text));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const transport = record(httpTransport(), file, { api: model.api, scrub: (text) => text });
  const lineCounts: number[] = [];
  const answers: Answer[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    answers.push(await askAt(model, transport));
    lineCounts.push(readFileSync(path, 'utf8').split('\n').length - 1);
  }
  file.close();
  expect(lineCounts).toEqual([2, 3]);
  expect(warnings).toEqual([]);
  const again = replay(path, readFileSync(path, 'utf8'));
  expect([await askAt(model, again.transport), await askAt(model, again.transport)]).toEqual(answers);
});

test.each(['file', 'symlink'])('a %s that is there already is never written over', (kind) => {
  const folder = freshFolder();
  const path = join(folder, 'tape.jsonl');
  if (kind === 'file') writeFileSync(path, 'mine');
  else symlinkSync(join(folder, 'elsewhere'), path);
  expect(() => openRecording(path, () => {})).toThrow(
    expect.objectContaining({
      code: 'recording',
      message: `${path} is there already, and a recording never writes over a file`,
      remedy: 'Name another file, or remove that one first',
    }),
  );
  if (kind === 'file') expect(readFileSync(path, 'utf8')).toBe('mine');
  else expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
});

test('a folder that is not there is an error at the start', () => {
  const path = join(freshFolder(), 'nowhere', 'tape.jsonl');
  expect(() => openRecording(path, () => {})).toThrow(/tape\.jsonl cannot be made: ENOENT/);
});

test('what comes after the close is not written, and not worth a warning', () => {
  const path = join(freshFolder(), 'tape.jsonl');
  const warnings: string[] = [];
  const file = openRecording(path, (text) => warnings.push(text));
  file.close();
  file.write('late\n');
  file.stop('late');
  file.close();
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
  expect(warnings).toEqual([]);
});

/** Runs in a process of its own, whose files may not grow past a limit: the write is short, then fails. */
function runLimited(limit: number, body: string): unknown {
  const folder = freshFolder();
  const script = join(folder, 'fill.mjs');
  buildSync({
    stdin: {
      contents: `
        import { existsSync, readFileSync } from 'node:fs';
        import { openRecording } from './src/recording/file.ts';
        const path = process.argv[2];
        const warnings = [];
        const report = (extra) => process.stdout.write(JSON.stringify({ warnings, ...extra }));
        ${body}`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
  });
  const limited = `ulimit -f ${limit}; exec "$0" "$1" "$2"`;
  const tape = join(folder, 'tape.jsonl');
  return JSON.parse(execFileSync('bash', ['-c', limited, process.execPath, script, tape]).toString());
}

test('a disk that is full in the middle ends the recording with one warning and whole lines', () => {
  const report = runLimited(
    4,
    `const file = openRecording(path, (text) => warnings.push(text));
     file.write('first\\n');
     file.write('x'.repeat(9000) + '\\n');
     file.write('third\\n');
     file.write('y'.repeat(9000) + '\\n');
     report({ lines: readFileSync(path, 'utf8').split('\\n') });`,
  );
  expect(report).toEqual({
    warnings: [expect.stringMatching(/tape\.jsonl ends here: EFBIG.* The run goes on without it$/)],
    lines: [expect.stringContaining('tau-recording'), 'first', ''],
  });
});

test('a disk that is full from the start is an error, and nothing is left behind', () => {
  const report = runLimited(
    0,
    `try {
       openRecording(path, (text) => warnings.push(text));
       report({ error: 'none' });
     } catch (error) {
       report({ code: error.code, message: error.message, left: existsSync(path) });
     }`,
  );
  expect(report).toEqual({
    warnings: [],
    code: 'recording',
    message: expect.stringMatching(/tape\.jsonl cannot be written: EFBIG/),
    left: false,
  });
});
