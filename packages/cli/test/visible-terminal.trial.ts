/**
 * Hostile bytes in everything tau lists or tells, at a real terminal: none of them reaches it. What does are our own
 * colours, line breaks, and the moving line.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, says } from './conversation.ts';
import { keys, startTyping } from './repl-terminal.ts';
import { inTerminal } from './terminal.ts';

/** A title, a link, the clipboard, a cleared screen, C1, a return, bidi, what is drawn as nothing, another line break. */
const evil =
  'E\u001b]0;own\u0007\u001b]8;;http://e.example\u001b\\L\u001b]52;c;aGk=\u0007\u001b[2J\u009b31m\rR\u0085\u202ebidi\u200b\u2028\u{e0041}\u3164\u007f';
/** The same as a name in a folder. */
const evilName = evil.replaceAll('/', '|');
/** Where a line of its own would look like one of ours. */
const forged = `${evilName}\ntau: forged\n`;

/** Colours, and the line that is drawn and taken away: `\r`, words, erase to the end. */
const ours = new RegExp(`${'\u001b'}\\[\\d+m|\\r?${'\u001b'}\\[K|\\r(?=[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏])`, 'g');
/** What the line mode does beside: paste marks, the row being typed. */
const typing = new RegExp(`${'\u001b'}\\[(?:\\?2004[hl]|\\d*[ABCDGJK]|0m)|\\r`, 'g');

function expectHarmless(screen: string, more = /(?!)/g): void {
  const left = screen.replaceAll('\r\n', '\n').replace(ours, '').replace(more, '').replaceAll('\n', '');
  expect(left.match(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}]/gu) ?? []).toEqual([]);
  expect(screen).not.toContain('\ntau: forged');
}

/** A home and a folder where every name and value is hostile. */
async function hostile(...steps: Parameters<typeof converse>[0]) {
  const sandbox = await converse(steps, {
    settings: {
      customInstructions: evil,
      [forged]: 1,
      permissions: { allow: [`bash(${evil})`], ask: [`read(${evilName})`] },
      env: { [evil.replaceAll('\u0000', '')]: evil },
    },
  });
  const models = JSON.parse(sandbox.read(join(sandbox.tauHome, 'models.json')));
  models.providers[forged] = {
    ...models.providers.scripted,
    models: [{ id: forged, name: forged }],
  };
  sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify(models));
  sandbox.write(join(sandbox.tauHome, 'auth.json'), JSON.stringify({ [forged]: { type: 'api_key', key: 'x' } }));
  const project = join(sandbox.project, forged);
  mkdirSync(join(project, '.tau'), { recursive: true });
  writeFileSync(join(project, 'AGENTS.md'), `@${evilName}.md\n${evil}`);
  writeFileSync(join(project, '.tau', 'settings.json'), JSON.stringify({ [forged]: evil }));
  writeFileSync(join(project, `${evilName}.txt`), evil);
  return { ...sandbox, project };
}

const doings = [
  calls(
    { thinking: evil },
    { text: `${evil}\n` },
    call('read', { path: `${evilName}.txt` }),
    call('ls', { path: '.' }),
    call('bash', { command: `printf '%s' '${evil}'; cat *` }),
    call(`tool${evil}`, { [evil]: evil }),
    call('write', { path: forged, content: evil }),
    call('web_fetch', { url: `http://127.0.0.1:1/${evil}` }),
    call('send_file', { path: `${evilName}.txt`, description: forged }),
  ),
];

test.each([
  ['calls and words', ['-p', evil, '--permission-mode', 'dontAsk']],
  ['everything at once', ['-p', forged, '--verbose', '--debug', '--permission-mode', 'dontAsk']],
  ['with a name', ['-p', 'go', '--name', forged, '--permission-mode', 'plan']],
])('print mode: %s', async (_, args) => {
  const place = await hostile(...doings, says(`done ${evil}`));
  const { screen } = await inTerminal(place, args);
  expect(screen).toContain('done E^[]0;own^G');
  expectHarmless(screen);
});

test('the words of a provider about a failure', async () => {
  const failure = { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: forged } } };
  const { code, screen } = await inTerminal(await hostile(failure), ['-p', 'go']);
  expect(code).toBe(1);
  expect(screen).toContain('^[]0;own^G');
  expectHarmless(screen);
});

test('JSON that goes to a terminal is spelled out, and is the same JSON', async () => {
  for (const format of ['json', 'stream-json']) {
    const place = await hostile(says(`done ${evil}`));
    const { screen } = await inTerminal(place, ['-p', 'go', '--output-format', format]);
    expectHarmless(screen);
    const line = screen.match(/\{.*done E.*\}/g)?.at(-1);
    expect(JSON.stringify(JSON.parse(line ?? ''))).toContain(JSON.stringify(`done ${evil}`).slice(1, -1));
  }
});

test('every listing, and every complaint', async () => {
  const place = await hostile(...doings, says(`done ${evil}`));
  await inTerminal(place, ['-p', forged, '--name', forged, '--permission-mode', 'dontAsk']);
  const listings: string[][] = [
    ['sessions'],
    ['sessions', '--all'],
    ['sessions', '--json'],
    ['sessions', 'show', 'last'],
    ['sessions', 'show', 'last', '--json'],
    ['sessions', 'name', 'last', forged],
    ['sessions', 'show', forged],
    ['models', '--all', 'scripted'],
    ['models', forged],
    ['models', '--all', '--json', 'own'],
    ['config', 'list'],
    ['config', 'list', '--json'],
    ['config', 'path'],
    ['config', 'get', 'customInstructions'],
    ['config', 'explain', 'permissions'],
    ['config', 'explain', 'customInstructions', '--json'],
    ['config', 'get', forged],
    ['config', 'set', 'customInstructions', forged, '--local'],
    ['auth'],
    ['auth', '--json'],
    ['auth', 'remove', forged],
    ['auth', 'set', evil],
    ['permissions'],
    ['permissions', 'list', '--json'],
    ['permissions', 'explain', `cat '${evil}'`],
    ['permissions', 'explain', '--tool', 'write', JSON.stringify({ path: forged, content: evil })],
    ['permissions', 'add', `bash(${evil})`],
    ['permissions', 'remove', forged],
    ['permissions', 'audit'],
    ['permissions', 'audit', '--json'],
    ['permissions', 'test', forged],
    ['trust'],
    ['trust', 'status', '--json'],
    ['doctor'],
    ['doctor', '--json'],
    ['-p', 'x', '--resume', forged],
    ['-p', 'x', '--model', forged],
    ['-p', 'x', '--allow', forged],
    ['-p', 'x', '--add-dir', forged],
    ['-p', 'x', '--config', forged],
    ['-p', 'x', '--replay', forged],
    ['-p', 'x', '--debug-file', `${forged}/none`],
    ['-p', 'x', `@${forged}`],
    [`--${evil}`],
    ['-p', 'x', '--resume'],
  ];
  let told = 0;
  for (const args of listings) {
    const { screen } = await inTerminal(place, args);
    expect(screen.length, args.join(' ')).toBeGreaterThan(0);
    expectHarmless(screen);
    if (screen.includes('^[') || screen.includes('\\u001b')) told += 1;
  }
  // Most of them have something of it to show.
  expect(told).toBeGreaterThan(listings.length / 2);
});

test('the line mode: words, calls, an approval, a question, a name, and what waits', async () => {
  const place = await hostile(
    calls({ text: `${evil}\n` }, call('bash', { command: `touch '${evil}'` })),
    calls(call('ask_user', { question: forged, options: [{ label: forged, description: forged }] })),
    says(`done ${evil}`),
  );
  const tau = startTyping(place, ['go', '--verbose', '--tools', 'bash,ask_user', '--name', forged]);
  await tau.shows('Allow? (');
  tau.type(`y${keys.enter}`);
  await tau.shows('A number, or words');
  tau.type(`1${keys.enter}`);
  await tau.shows('done E^[]0;own^G');
  for (const command of ['/session', '/permissions', '/model', '/name', '/tools']) {
    await tau.shows('> ');
    tau.type(`${command}${keys.enter}`);
  }
  await tau.shows('> ');
  tau.type(keys.ctrlD);
  await tau.done;
  expectHarmless(tau.bytes(), typing);
});
