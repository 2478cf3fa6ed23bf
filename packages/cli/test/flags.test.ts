import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCommandLine } from '../src/args/parse.ts';
import { bareSandbox, call, calls, converse, request, says, systemIn, talkIn } from './conversation.ts';
import { at } from './json.ts';
import { onlySession, sessionFiles } from './sessions.ts';

const version: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
const versionLine = `${at(version, 'version')}\n`;

test.each([[['--version']], [['-V']], [['-p', '-V', 'a prompt']], [['--version', '--model', 'x/y']], [['-pV']]])(
  '%j shows the version and does nothing else',
  async (args) => {
    const { tau, model, tauHome } = await converse([]);
    expect(await tau(args)).toMatchObject({ code: 0, stdout: versionLine, stderr: '' });
    expect(model.requests).toHaveLength(0);
    expect(sessionFiles(tauHome)).toEqual([]);
  },
);

test.each([[['--help']], [['-h']], [['-h', '-V']], [['demo', '--help']], [['-p', 'a prompt', '-h']]])(
  '%j shows the help and does nothing else',
  async (args) => {
    const run = await bareSandbox().tau(args);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^tau: a coding agent/);
  },
);

test('the help names every option that works, and fits 120 columns', async () => {
  const { stdout } = await bareSandbox().tau(['-h']);
  const named = [...stdout.matchAll(/^ {2}(?:-\w+, )?(--[a-z-]+)/gm)].map(([, name]) => name);
  expect(named).toEqual([
    '--continue',
    '--resume',
    '--session',
    '--fork',
    '--session-id',
    '--name',
    '--no-session',
    '--session-dir',
    '--model',
    '--provider',
    '--thinking',
    '--models',
    '--fallback-model',
    '--api-key',
    '--base-url',
    '--tools',
    '--exclude-tools',
    '--no-tools',
    '--no-builtin-tools',
    '--permission-mode',
    '--sandbox',
    '--no-sandbox',
    '--add-dir',
    '--allow',
    '--ask',
    '--deny',
    '--no-hooks',
    '--approve',
    '--system-prompt',
    '--system-prompt-file',
    '--append-system-prompt',
    '--append-system-prompt-file',
    '--no-context-files',
    '--bare',
    '--print',
    '--plain',
    '--output-format',
    '--input-format',
    '--json',
    '--include-hook-events',
    '--json-schema',
    '--verbose',
    '--debug',
    '--debug-file',
    '--max-turns',
    '--max-total-tokens',
    '--max-budget-usd',
    '--config',
    '--record',
    '--replay',
    '--help',
    '--version',
  ]);
  expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test.each([
  [['--modle', 'x'], /no option --modle.*--model/],
  [['--permision-mode=plan'], /--permission-mode/],
  [['--continu'], /--continue/],
  [['--frobnicate'], /no option --frobnicate/],
  [['-x'], /no option -x/],
  [['-px'], /no option -x/],
  [['--model'], /--model needs a value/],
  [['--model='], /--model needs a value/],
  [['--model', '--print'], /--model needs a value/],
  [['--allow'], /--allow needs a value: --allow RULE/],
  [['--print=yes'], /--print takes no value/],
  [['--no-session=1'], /--no-session takes no value/],
  [['--max-turns', '0'], /whole number above zero/],
  [['--max-turns', '1.5'], /whole number above zero/],
  [['--max-turns', 'many'], /whole number above zero/],
  [['--max-turns=-1'], /whole number above zero/],
  [['--permission-mode', 'defualt'], /cannot be "defualt".*Did you mean default\?/],
  [['--permission-mode', 'Plan'], /Did you mean plan\?/],
  [['--output-format', 'xml'], /one of: text, json, stream-json/],
  [['--base-url', 'ftp://example.org'], /base URL.*http/],
  [['--base-url', 'nonsense'], /base URL "nonsense"/],
  [['-p', 'x', '--models', 'a,b'], /--models and --print exclude each other/],
  [['-c', '--no-session'], /--continue and --no-session exclude each other/],
  [['-c', '--session', 'x'], /--continue and --session exclude each other/],
  [['-r', 'x', '--fork', 'y'], /--resume and --fork exclude each other/],
  [['-c', '--session-id', 'x'], /--continue and --session-id exclude each other/],
  [['--tools', 'read', '--no-tools'], /--tools and --no-tools exclude each other/],
  [['--tools', 'reed'], /no tool "reed"; did you mean read\?/],
  [['--exclude-tools', 'nothing'], /no tool "nothing"/],
  [['--fork', 'nowhere'], /nowhere/],
  [['--session-id', 'mine'], /UUID/],
  [['--json', '--output-format', 'text'], /--json is stream-json both ways/],
  [['--input-format', 'stream-json', '--output-format', 'json'], /needs --output-format stream-json/],
  [['--json-schema', '{'], /--json-schema is no JSON/],
  [['--json-schema', '[]'], /--json-schema is not a JSON object/],
  [['--json-schema', '{"$ref":"#/nowhere"}'], /--json-schema cannot be used/],
  [['--json-schema', '@nowhere.json'], /--json-schema: nowhere\.json cannot be read/],
  [['--debug=everything'], /--debug knows no "everything".*request, tool, session, settings/],
  [['--debug-file', 'nowhere/log'], /nowhere\/log cannot be written/],
  [['--max-total-tokens', '0'], /whole number above zero/],
  [['--max-budget-usd', 'much'], /number above zero/],
  [['--max-budget-usd', '1'], /price of scripted\/scripted is not known/],
  [['--replay', 'nowhere.jsonl'], /nowhere\.jsonl cannot be read/],
  [['--model', 'nobody/x'], /nobody\/x/],
  [['--model', 'scripted/other'], /no model "other"/],
])('%j is an error of usage that says what is wrong', async (args, message) => {
  const { tau, model } = await converse([says('never')]);
  const run = await tau(['-p', 'hi', ...args]);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(run.stderr).not.toMatch(/^\s+at /m);
  expect(model.requests).toHaveLength(0);
});

test('what is wrong on the command line cannot steer the terminal that shows it', async () => {
  const run = await bareSandbox().tau(['-p', 'hi', '--mod\u001b[2Jel\u202e']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--mod^[[2Jel');
  expect([...run.stderr].filter((char) => /[\p{Cc}\p{Cf}]/u.test(char) && char !== '\n')).toEqual([]);
});

test('tau demo takes no arguments, and -p makes it a prompt', async () => {
  const { tau, model } = await converse([says('ok')]);
  expect(await tau(['demo', 'now'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no arguments') });
  expect(await tau(['-p', 'demo'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(talkIn(request(model, 0))).toEqual(['user: demo']);
});

const later = 'undo mcp serve acp daemon import export completion'.split(' ');

test.each(later)('tau %s is not sent to a model by mistake', async (word) => {
  const { tau, model } = await converse([says('never')]);
  expect(await tau([word, '-nc'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `tau: tau ${word} is not there yet; to ask the model about it use tau -p "${word}"\n`,
  });
  expect(model.requests).toHaveLength(0);
});

test.each([
  ['modles', 'models'],
  ['confg', 'config'],
  ['session', 'sessions'],
  ['doctorr', 'doctor'],
  ['dema', 'demo'],
  ['login', 'auth set PROVIDER'],
  ['version', '--version'],
])('tau %s was meant as tau %s, and no model is asked', (word, meant) => {
  const said = expect.objectContaining({
    message: `There is no command "${word}"`,
    remedy: `Did you mean tau ${meant}? As a prompt: tau -p "${word}"`,
  });
  expect(() => parseCommandLine([word])).toThrow(said);
  expect(() => parseCommandLine([word, '--all', 'x'])).toThrow(said);
  expect(parseCommandLine(['-p', word])).toMatchObject({ kind: 'prompt', prompts: [word] });
});

test('words that are only a little like a command are prompts', () => {
  for (const word of ['hello', 'test', 'author', 'explain', 'fix it', 'ini', 'help me']) {
    expect(parseCommandLine([word])).toMatchObject({ kind: 'prompt', prompts: [word] });
  }
  expect(parseCommandLine(['help', 'me'])).toMatchObject({ kind: 'prompt', prompts: ['help', 'me'] });
});

test('tau help is the help, and with -p it is a prompt', async () => {
  const { tau } = await converse([says('ok')]);
  expect(await tau(['help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
  expect(await tau(['-p', 'help'])).toMatchObject({ code: 0, stdout: 'ok\n' });
});

test.each([[['-p', 'undo']], [['undo', '--print']], [['undo?']], [['explain doctor']], [['-p', 'doctor']]])(
  '%j is a prompt',
  async (args) => {
    const { tau } = await converse([says('ok')]);
    expect(await tau(args)).toMatchObject({ code: 0, stdout: 'ok\n' });
  },
);

test('the help says that each argument is a prompt, and what each signal ends with', async () => {
  const { stdout } = await bareSandbox().tau(['-h']);
  expect(stdout).toContain('Each argument is a prompt of its own, answered in order: quote what belongs together.');
  for (const code of [129, 130, 131, 143]) expect(stdout).toContain(` ${code} `);
});

test('after -- everything is a prompt', async () => {
  const { tau, model } = await converse([says('a'), says('b')]);
  expect(await tau(['-p', '--', '--help', '-nc'])).toMatchObject({ code: 0, stdout: 'a\nb\n' });
  expect(talkIn(request(model, 1))).toEqual(['user: --help', 'assistant: a', 'user: -nc']);
});

test('flags may stand behind the prompt and take their value with =', async () => {
  const { tau, model, write, tauHome } = await converse([
    calls(call('write', { path: 'a', content: 'b' })),
    says('ok'),
  ]);
  write(join(tauHome, 'AGENTS.md'), 'SECRET WORD');
  const run = await tau(['-p', 'hi', '--permission-mode=acceptEdits', '--session-dir=kept', '-nc', '--max-turns=2']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(systemIn(request(model, 0))).not.toContain('SECRET WORD');
});

test('--model chooses the provider and the model, and -c stays with it', async () => {
  const { tau, model, write, tauHome } = await converse([says('ok'), says('ok')]);
  const provider = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'other-key' };
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: { other: provider } }));
  expect(await tau(['-p', 'hi', '--model', 'other/big/one:free'])).toMatchObject({ code: 0, stderr: '' });
  expect(await tau(['-p', '-c', 'again'])).toMatchObject({ code: 0, stderr: '' });
  for (const seen of model.requests) {
    expect(at(seen.body, 'model')).toBe('big/one:free');
    expect(seen.headers['x-api-key']).toBe('other-key');
  }
});

test('--api-key goes before the key in the file', async () => {
  const { tau, model } = await converse([says('ok')]);
  await tau(['-p', 'hi', '--api-key', 'from-the-flag']);
  expect(request(model, 0).headers['x-api-key']).toBe('from-the-flag');
});

test('--base-url goes before the address in the file', async () => {
  const { tau, model, write, tauHome } = await converse([says('ok')]);
  const models = { providers: { scripted: { baseUrl: 'http://127.0.0.1:9', api: 'anthropic-messages', apiKey: 'k' } } };
  write(join(tauHome, 'models.json'), JSON.stringify(models));
  expect(await tau(['-p', 'hi', '--base-url', `${model.url}/`])).toMatchObject({ code: 0, stdout: 'ok\n' });
});

test('--session-dir keeps the sessions there, for -c too, and nothing at home', async () => {
  const { tau, model, project, tauHome } = await converse([says('one'), says('two')]);
  await tau(['-p', 'hi', '--session-dir', 'kept']);
  const path = onlySession(join(project, 'kept'));
  await tau(['-p', '-c', 'go on', '--session-dir', 'kept']);
  expect(onlySession(join(project, 'kept'))).toBe(path);
  expect(talkIn(request(model, 1))).toHaveLength(3);
  expect(sessionFiles(tauHome)).toEqual([]);
});

test('--no-session writes nothing', async () => {
  const { tau, tauHome, project } = await converse([calls(call('bash', { command: 'pwd' })), says('ok')]);
  expect(await tau(['-p', 'hi', '--no-session'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect([...sessionFiles(tauHome), ...sessionFiles(project)]).toEqual([]);
});

test('--max-turns stops the run with code 4, after the effects of its last turn', async () => {
  const step = calls(call('bash', { command: 'echo turn >> count.txt' }));
  const { tau, model, read } = await converse([step, step, step, says('never')]);
  const run = await tau(['-p', 'go', '--max-turns', '2', '--permission-mode', 'dangerously']);
  expect(run).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('2 turns') });
  expect(model.requests).toHaveLength(2);
  expect(read('count.txt')).toBe('turn\nturn\n');
});

test('--max-turns is no matter for a run that ends by itself', async () => {
  const { tau } = await converse([calls(call('bash', { command: 'pwd' })), says('ok')]);
  expect(await tau(['-p', 'go', '--max-turns', '2'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
});

test('--replay answers from a recording, without the network, and says when it is left', async () => {
  const { tau, model, write } = await converse([]);
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const body = [
    event({ type: 'content_block_start', ...{ index: 0, content_block: { type: 'text', text: 'taped' } } }),
    event({ type: 'message_stop' }),
  ];
  const lines = [
    { type: 'tau-recording', version: 1, api: 'anthropic-messages' },
    { type: 'exchange', messages: 1, status: 200, body },
  ];
  write('tape.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(await tau(['-p', 'hi', '--replay', 'tape.jsonl'])).toMatchObject({ code: 0, stdout: 'taped\n', stderr: '' });
  const longer = await tau(['-p', 'hi', 'and more', '--replay', 'tape.jsonl']);
  expect(longer).toMatchObject({ code: 1, stdout: 'taped\n', stderr: expect.stringContaining('leaves the recording') });
  expect(model.requests).toHaveLength(0);
  write('broken.jsonl', `${JSON.stringify(lines[0])}\n{"type":"exchange"}`);
  expect(await tau(['-p', 'hi', '--replay', 'broken.jsonl'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('line 2'),
  });
});
