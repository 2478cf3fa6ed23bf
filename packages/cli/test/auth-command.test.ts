/** `tau auth` through the built command: what is kept, what is said, and that no key is ever shown. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { bareSandbox } from './conversation.ts';

const binary = join(import.meta.dirname, '../bin/tau.cjs');
const longKey = 'mykey-0123456789-abcdefgh-WXYZ';

interface Place extends Sandbox {
  authFile: string;
  stored(): unknown;
}

/** A home with the providers `mine` and `other` beside the shipped ones. */
function place(settings?: object): Place {
  const sandbox = bareSandbox(settings ? { settings } : {});
  const described = { baseUrl: 'https://mine.invalid', api: 'anthropic-messages', models: [{ id: 'm' }] };
  const providers = {
    mine: { ...described, apiKey: 'MINE_KEY' },
    other: { ...described, apiKey: 'OTHER_KEY' },
    third: { ...described, apiKey: 'THIRD_KEY' },
  };
  sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify({ providers }));
  const authFile = join(sandbox.tauHome, 'auth.json');
  return { ...sandbox, authFile, stored: () => JSON.parse(readFileSync(authFile, 'utf8')) };
}

/** What node does before tau begins. */
function preload(sandbox: Place, code: string): Record<string, string> {
  sandbox.write('preload.cjs', code);
  return { NODE_OPTIONS: `--require ${join(sandbox.project, 'preload.cjs')}` };
}

test.each([[], ['--stdin']])(
  'a piped key is kept, for its owner alone, and its end of line is not part of it: %s',
  async (...flags) => {
    const sandbox = place();
    const run = await sandbox.tau(['auth', 'set', 'mine', ...flags], { stdin: ` ${longKey}\r\n` });
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: `The key of mine is kept in ${sandbox.authFile}.\n` });
    expect(sandbox.stored()).toEqual({ mine: { type: 'api_key', key: longKey } });
    expect(statSync(sandbox.authFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(sandbox.tauHome).sort()).toEqual(['auth.json', 'models.json']);
  },
);

test('a key that is replaced is told, and so is a source that goes before it', async () => {
  const sandbox = place();
  await sandbox.tau(['auth', 'set', 'mine'], { stdin: 'first-key' });
  const run = await sandbox.tau(['auth', 'set', 'mine'], { stdin: 'second-key', env: { MINE_KEY: longKey } });
  expect(run.stdout).toContain(
    'It replaces the one that was there.\nMINE_KEY, named in models.json (…WXYZ) goes before it.',
  );
  expect(sandbox.stored()).toEqual({ mine: { type: 'api_key', key: 'second-key' } });
});

test.each([
  ['empty', '', /No key was given/],
  ['blank', ' \n\n', /No key was given/],
  ['of two lines', 'line-one\nline-two\n', /more than one line/],
  ['with a space', 'Bearer abc-secret', /a space or another character/],
  ['with a letter that no header takes', 'kéy-secret', /a space or another character/],
  ['endless', 'x'.repeat(20_000), /longer than 16384/],
])('a key that is %s is refused and nothing is kept', async (_, stdin, message) => {
  const sandbox = place();
  const run = await sandbox.tau(['auth', 'set', 'mine'], { stdin });
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(run.stderr).not.toMatch(/line-one|secret|xxx/);
  expect(existsSync(sandbox.authFile)).toBe(false);
});

test('without a terminal and without a pipe there is no key to take', async () => {
  const sandbox = place();
  expect(await sandbox.tau(['auth', 'set', 'mine'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No key was given'),
  });
});

test.each([
  [['set', 'mine', 'hunter2']],
  [['set', 'mine', 'hunter2', '--stdin']],
  [['set', 'mine', '--key', 'hunter2']],
  [['set', 'mine', '--key=hunter2']],
  [['set', 'mine', '--api-key=hunter2']],
  [['set', `sk-ant-${'hunter2hunter2'}`]],
  [[`sk-ant-${'hunter2hunter2'}`]],
])('a key on the command line is refused with the reason and not repeated: tau auth %j', async (args) => {
  const sandbox = place();
  const run = await sandbox.tau(['auth', ...args], { stdin: 'piped-key' });
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('history of the shell') });
  expect(run.stderr).not.toContain('hunter2');
  expect(existsSync(sandbox.authFile)).toBe(false);
});

test.each([
  [['set', 'mien'], 'Did you mean mine?'],
  [['set', 'antropic'], 'Did you mean anthropic?'],
  [['remove', 'othr'], 'Did you mean other?'],
  [['set'], 'tau auth set needs a provider'],
  [['remove'], 'tau auth remove needs a provider'],
  [['remove', 'mine', 'other'], 'takes one provider'],
  [['stauts'], 'Did you mean tau auth status?'],
  [['rm', 'mine'], 'There are: status, set, remove'],
  [['status', 'mine'], 'takes no argument'],
  [['status', '--jsn'], 'Did you mean --json?'],
  [['set', 'mine', '--json'], '--json belongs to tau auth status'],
  [['status', '--stdin'], '--stdin belongs to tau auth set'],
])('what is not understood is told with the nearest thing that is: tau auth %j', async (args, words) => {
  const sandbox = place();
  const run = await sandbox.tau(['auth', ...args], { stdin: 'a-key' });
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  expect(existsSync(sandbox.authFile)).toBe(false);
});

test('tau auth --help says how it is used', async () => {
  expect(await place().tau(['auth', '--help'])).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('tau auth set PROVIDER'),
  });
});

test('a key is forgotten; when there is none that is said, with code 2', async () => {
  const sandbox = place();
  await sandbox.tau(['auth', 'set', 'mine'], { stdin: 'a-key' });
  await sandbox.tau(['auth', 'set', 'other'], { stdin: 'b-key' });
  expect(await sandbox.tau(['auth', 'remove', 'mine'])).toMatchObject({
    code: 0,
    stdout: 'The key of mine is no longer kept.\n',
  });
  expect(sandbox.stored()).toEqual({ other: { type: 'api_key', key: 'b-key' } });
  expect(await sandbox.tau(['auth', 'remove', 'mine'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('There is no key of mine in'),
  });
});

test('an entry whose provider is gone from models.json is shown and can be removed', async () => {
  const sandbox = place();
  sandbox.write(sandbox.authFile, JSON.stringify({ gone: { type: 'api_key', key: 'k' } }));
  expect((await sandbox.tau(['auth'])).stdout).toContain('In auth.json, but no known provider: gone.');
  expect(await sandbox.tau(['auth', 'remove', 'gone'])).toMatchObject({ code: 0 });
  expect(sandbox.stored()).toEqual({});
});

test('tau auth alone is the status: who has a key, from where, what it hides, and who has none', async () => {
  const sandbox = place({ model: 'third/m' });
  await sandbox.tau(['auth', 'set', 'mine'], { stdin: longKey });
  await sandbox.tau(['auth', 'set', 'other'], { stdin: 'short-key' });
  const run = await sandbox.tau(['auth'], { env: { MINE_KEY: 'variable-key-0123456789-ABCD' } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const lines = run.stdout.split('\n');
  expect(lines).toContain('mine   MINE_KEY, named in models.json (…ABCD); not used: auth.json (…WXYZ)');
  expect(lines).toContain('other  auth.json');
  expect(lines).toContain('third  no key: set THIRD_KEY, or run tau auth set third');
  expect(run.stdout).toMatch(/^Without a key: .*anthropic \(ANTHROPIC_API_KEY\).*openai \(OPENAI_API_KEY\)/m);
  expect(await sandbox.tau(['auth', 'status'], { env: { MINE_KEY: 'variable-key-0123456789-ABCD' } })).toMatchObject({
    stdout: run.stdout,
  });
});

test('the helper, which may know every key, is one line of the status', async () => {
  const sandbox = place({ apiKeyHelper: 'echo k' });
  await sandbox.tau(['auth', 'set', 'mine'], { stdin: longKey });
  const { stdout } = await sandbox.tau(['auth']);
  expect(stdout).toContain('mine  the apiKeyHelper of the settings; not used: auth.json (…WXYZ)\n');
  expect(stdout).toMatch(/^The apiKeyHelper of the settings is asked for: other, third, .*openai/m);
  expect(stdout).not.toContain('Without a key');
});

test('without any key the status says what there is to set', async () => {
  const run = await bareSandbox().tau(['auth']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^No key yet\. Known: .*anthropic \(ANTHROPIC_API_KEY\)/);
});

test('the status never prints a key, wherever it comes from, and runs no command', async () => {
  const sandbox = place({ apiKeyHelper: 'touch ran-helper; echo hunter2-from-the-helper' });
  const described = { baseUrl: 'https://mine.invalid', api: 'anthropic-messages' };
  const providers = {
    literal: { ...described, apiKey: 'hunter2-literal-0123456789' },
    command: { ...described, apiKey: '!touch ran-command; echo hunter2-from-the-command' },
    named: { ...described, apiKey: 'NAMED_KEY' },
    login: described,
    expired: described,
    short: described,
  };
  sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify({ providers }));
  const login = { type: 'oauth', access: 'hunter2-access-0123456789', refresh: 'hunter2-refresh-0123456789' };
  const entries = {
    login: { ...login, expires: Date.now() + 3_600_000 },
    expired: { ...login, expires: 1 },
    short: { type: 'api_key', key: 'hunter2' },
    literal: { type: 'api_key', key: 'hunter2-stored-0123456789' },
  };
  sandbox.write(sandbox.authFile, JSON.stringify(entries));
  const env = {
    NAMED_KEY: 'hunter2-named-0123456789',
    TAU_API_KEY: 'hunter2-universal-0123456789',
    OPENAI_API_KEY: 'hunter2',
  };
  for (const args of [['auth'], ['auth', 'status', '--json']]) {
    const run = await sandbox.tau(args, { env });
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toContain('hunter2');
    for (const word of ['TAU_API_KEY', 'NAMED_KEY', 'OPENAI_API_KEY', '…6789', 'expired'])
      expect(run.stdout).toContain(word);
  }
  expect(readdirSync(sandbox.project).filter((name) => name.startsWith('ran'))).toEqual([]);
});

test('the status as JSON names the source of every provider', async () => {
  const sandbox = place({ model: 'mine/m' });
  await sandbox.tau(['auth', 'set', 'mine'], { stdin: longKey });
  const run = await sandbox.tau(['auth', '--json'], { env: { OTHER_KEY: 'k' } });
  const status: unknown = JSON.parse(run.stdout);
  expect(status).toMatchObject({
    authFile: sandbox.authFile,
    unknownEntries: [],
    providers: expect.arrayContaining([
      {
        ...{ provider: 'mine', inUse: true, needed: true, others: [], variable: 'MINE_KEY' },
        used: { kind: 'authFile', form: 'key', hint: '…WXYZ' },
      },
      {
        ...{ provider: 'other', inUse: false, needed: true, others: [], variable: 'OTHER_KEY' },
        used: { kind: 'modelsFile', form: 'variable', name: 'OTHER_KEY' },
      },
      { provider: 'third', inUse: false, needed: true, others: [], variable: 'THIRD_KEY' },
    ]),
  });
});

test('a file that others could read is narrowed, and the user is told', async () => {
  const sandbox = place();
  sandbox.write(sandbox.authFile, JSON.stringify({ mine: { type: 'api_key', key: longKey } }));
  expect(statSync(sandbox.authFile).mode & 0o077).not.toBe(0);
  const run = await sandbox.tau(['auth']);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('could be read by others') });
  expect(statSync(sandbox.authFile).mode & 0o777).toBe(0o600);
  expect((await sandbox.tau(['auth'])).stderr).toBe('');
});

test.each([['set'], ['remove'], ['status']])(
  'tau auth %s does not touch a broken file, and says what to do',
  async (name) => {
    const sandbox = place();
    const broken = '{ "mine": { "type": "api_key", "key": "hunter2" ';
    sandbox.write(sandbox.authFile, broken);
    const run = await sandbox.tau(['auth', name, ...(name === 'status' ? [] : ['mine'])], { stdin: 'a-key' });
    expect(run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`${sandbox.authFile} cannot be used`),
    });
    expect(run.stderr).not.toContain('hunter2');
    expect(readFileSync(sandbox.authFile, 'utf8')).toBe(broken);
  },
);

test('a key that cannot be written is a failure, code 1, and the old file stays', async () => {
  const sandbox = place();
  await sandbox.tau(['auth', 'set', 'mine'], { stdin: 'old-key' });
  const before = readFileSync(sandbox.authFile, 'utf8');
  // Every write to a file fails, as on a full disk.
  const full = spawnSync(
    '/bin/sh',
    ['-c', `trap '' XFSZ; ulimit -f 0; exec "$0" "$1" auth set mine`, process.execPath, binary],
    {
      cwd: sandbox.project,
      env: { PATH: process.env.PATH, HOME: sandbox.home },
      input: 'new-key',
      encoding: 'utf8',
    },
  );
  expect(full).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Cannot write') });
  expect(full.stderr).not.toContain('new-key');
  expect(readFileSync(sandbox.authFile, 'utf8')).toBe(before);
  expect(readdirSync(sandbox.tauHome).sort()).toEqual(['auth.json', 'models.json']);
  const nowhere = await sandbox.tau(['auth', 'set', 'anthropic'], {
    stdin: 'a-key',
    env: { TAU_HOME: sandbox.authFile },
  });
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('a part of the path is a file') });
});

test('processes that set keys at the same time all succeed, and every key is there', async () => {
  const sandbox = place();
  // Each is slow between reading and replacing: without the lock the last one would win.
  const slow = preload(
    sandbox,
    `const fs = require('node:fs');
     const rename = fs.renameSync;
     fs.renameSync = (from, to) => {
       if (to.endsWith('auth.json')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
       rename(from, to);
     };`,
  );
  const names = ['mine', 'other', 'third'];
  const runs = await Promise.all(
    names.map((name) => sandbox.tau(['auth', 'set', name], { stdin: `key-of-${name}`, env: slow })),
  );
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(names.map(() => ({ code: 0, stderr: '' })));
  expect(sandbox.stored()).toEqual({
    mine: { type: 'api_key', key: 'key-of-mine' },
    other: { type: 'api_key', key: 'key-of-other' },
    third: { type: 'api_key', key: 'key-of-third' },
  });
});

test('kill -9 between the new file and its place: the old keys are there, and the next change tidies up', async () => {
  const sandbox = place();
  await sandbox.tau(['auth', 'set', 'mine'], { stdin: 'old-key' });
  const killed = preload(
    sandbox,
    `const fs = require('node:fs');
     fs.renameSync = () => process.kill(process.pid, 'SIGKILL');`,
  );
  const run = await sandbox.tau(['auth', 'set', 'mine'], { stdin: 'new-key', env: killed });
  expect(run).toMatchObject({ code: null, signal: 'SIGKILL' });
  expect(readdirSync(sandbox.tauHome)).toHaveLength(4);
  expect(sandbox.stored()).toEqual({ mine: { type: 'api_key', key: 'old-key' } });
  expect(await sandbox.tau(['auth'])).toMatchObject({ code: 0, stderr: '' });
  expect(await sandbox.tau(['auth', 'set', 'other'], { stdin: 'b-key' })).toMatchObject({ code: 0, stderr: '' });
  expect(Object.keys(Object(sandbox.stored()))).toEqual(['mine', 'other']);
  expect(readdirSync(sandbox.tauHome).sort()).toEqual(['auth.json', 'models.json']);
});

interface Terminal {
  child: ChildProcess;
  /** What the terminal showed so far. */
  screen(): string;
  type(text: string): void;
  shows(text: string): Promise<void>;
  /** Resolves to the exit code and whether the terminal is as it was. */
  done: Promise<{ code: number; restored: boolean }>;
}

/** The command in a real terminal. Its settings before and after are written down by the shell around it. */
function inTerminal(sandbox: Place, args: readonly string[]): Terminal {
  const command = `sh -c 'echo $$ > pid; exec "$NODE" "$TAU" ${args.join(' ')}'`;
  const shell = `stty -g > before; ${command}; echo $? > code; stty -g > after`;
  const child = spawn('script', ['-q', '-e', '-c', shell, 'typescript'], {
    cwd: sandbox.project,
    env: {
      PATH: process.env.PATH,
      HOME: sandbox.home,
      TERM: 'dumb',
      SHELL: '/bin/sh',
      NODE: process.execPath,
      TAU: binary,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  return {
    child,
    screen: () => screen,
    type: (text) => void child.stdin.write(text),
    shows: (text) => expect.poll(() => screen).toContain(text),
    done: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => {
        resolve({
          code: Number(sandbox.read('code')),
          restored: sandbox.read('before') !== '' && sandbox.read('before') === sandbox.read('after'),
        });
      });
    }),
  };
}

const question = 'Key of mine (it is not shown): ';

test('at a terminal the key is asked for and not shown; mistakes can be corrected', async () => {
  const sandbox = place();
  const terminal = inTerminal(sandbox, ['auth', 'set', 'mine']);
  await terminal.shows(question);
  terminal.type('wrong\u0015\u001b[200~typed-hunter2XY\u001b[201~\u007f\b\u001b[A');
  terminal.type('\r');
  expect(await terminal.done).toEqual({ code: 0, restored: true });
  expect(sandbox.stored()).toEqual({ mine: { type: 'api_key', key: 'typed-hunter2' } });
  expect(terminal.screen()).toContain('The key of mine is kept');
  expect(terminal.screen()).not.toMatch(/hunter2|wrong/);
});

test('Ctrl+C at the prompt leaves the terminal as it was, keeps nothing, and ends with 130', async () => {
  const sandbox = place();
  const terminal = inTerminal(sandbox, ['auth', 'set', 'mine']);
  await terminal.shows(question);
  terminal.type('half-a-hunter2');
  terminal.type('\u0003');
  expect(await terminal.done).toEqual({ code: 130, restored: true });
  expect(existsSync(sandbox.authFile)).toBe(false);
  expect(terminal.screen()).not.toContain('hunter2');
});

test('a signal at the prompt leaves the terminal as it was too', async () => {
  const sandbox = place();
  const terminal = inTerminal(sandbox, ['auth', 'set', 'mine']);
  await terminal.shows(question);
  process.kill(Number(sandbox.read('pid')), 'SIGTERM');
  expect(await terminal.done).toEqual({ code: 143, restored: true });
  expect(existsSync(sandbox.authFile)).toBe(false);
});

test.each([
  ['nothing', '\r', 'No key was given'],
  ['two lines at once', 'hunter2-one\rhunter2-two\r', 'more than one line'],
])('at the prompt %s is refused', async (_, typed, message) => {
  const sandbox = place();
  const terminal = inTerminal(sandbox, ['auth', 'set', 'mine']);
  await terminal.shows(question);
  terminal.type(typed);
  expect(await terminal.done).toEqual({ code: 2, restored: true });
  expect(terminal.screen()).toContain(message);
  expect(terminal.screen()).not.toContain('hunter2');
  expect(existsSync(sandbox.authFile)).toBe(false);
});

test('the help names tau auth', async () => {
  expect((await bareSandbox().tau(['--help'])).stdout).toContain('tau auth');
});
