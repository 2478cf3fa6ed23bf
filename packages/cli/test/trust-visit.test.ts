/** The first visit to a project in the line mode: what it would enable, and a question before anything of it counts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Conversation, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { keys, startTyping, type Typing } from './repl-terminal.ts';

const touches = [calls(call('bash', { command: 'touch made' })), says('done')];
const question = 'Trust this project? (y/N/never) ';

async function visited(turns = 1): Promise<Conversation> {
  const sandbox = await converse(Array.from({ length: turns }, () => touches).flat(), { git: true });
  sandbox.write('.tau/settings.json', '{ "permissions": { "allow": ["bash(touch:*)"] } }');
  return sandbox;
}

async function leave(tau: Typing): Promise<void> {
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
}

test('a yes is recorded, counts at once, and is not asked for again', async () => {
  const sandbox = await visited();
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('not trusted');
  await tau.shows('bash(touch:*)');
  await tau.shows(question);
  expect(sandbox.model.requests).toHaveLength(0);
  tau.type(`sure${keys.enter}`);
  await tau.shows('y, n, or never');
  tau.type(`y${keys.enter}`);
  await tau.shows('done\n');
  await tau.shows('> ');
  tau.type(`/session${keys.enter}`);
  await tau.shows('project, trusted');
  await leave(tau);
  expect(existsSync(join(sandbox.project, 'made'))).toBe(true);
  const again = startTyping(sandbox);
  await again.shows('> ');
  expect(again.screen()).not.toContain('Trust this project');
  await leave(again);
});

test.each([
  ['n', 'n'],
  ['Enter', ''],
])('%s is a no for this session: nothing of it counts, nothing is recorded', async (_, word) => {
  const sandbox = await visited();
  const tau = startTyping(sandbox);
  await tau.shows(question);
  tau.type(`${word}${keys.enter}`);
  await tau.shows('This project is not trusted, so permissions.allow');
  expect(tau.screen()).not.toContain('it is not taken from');
  await tau.shows('> ');
  tau.type(`go${keys.enter}`);
  await tau.shows('touch made');
  tau.type(keys.ctrlC);
  await tau.shows('stopped');
  await leave(tau);
  expect(existsSync(join(sandbox.project, 'made'))).toBe(false);
  expect(existsSync(join(sandbox.tauHome, 'trust.json'))).toBe(false);
});

test('never is a no that is kept, until something changes', async () => {
  const sandbox = await visited();
  const tau = startTyping(sandbox);
  await tau.shows(question);
  tau.type(`never${keys.enter}`);
  await tau.shows('You do not trust this project');
  await tau.shows('> ');
  await leave(tau);
  const again = startTyping(sandbox);
  await again.shows('> ');
  expect(again.screen()).not.toContain('Trust this project?');
  await leave(again);
  sandbox.write('.tau/settings.json', '{ "permissions": { "allow": ["bash"] } }');
  const changed = startTyping(sandbox);
  await changed.shows('it changed since you said no');
  await changed.shows(question);
  changed.type(keys.ctrlC);
  expect(await changed.done).toEqual({ code: 130, restored: true });
});

test('/trust shows what the project would enable, and takes the user’s word during the session', async () => {
  const sandbox = await visited();
  const tau = startTyping(sandbox);
  await tau.shows(question);
  tau.type(`n${keys.enter}`);
  await tau.shows('> ');
  tau.type(`/trust${keys.enter}`);
  await tau.shows('not trusted');
  await tau.shows('bash(touch:*)');
  await tau.shows('> ');
  tau.type(`/trust maybe${keys.enter}`);
  await tau.shows('There is no answer "maybe"');
  tau.type(`/trust yes${keys.enter}`);
  await tau.shows('bash(touch:*)');
  await tau.shows('This project is trusted as it is now');
  tau.type(`go${keys.enter}`);
  await tau.shows('done\n');
  await leave(tau);
  expect(existsSync(join(sandbox.project, 'made'))).toBe(true);
});

test('Ctrl+D at the question leaves, and nothing was recorded or asked of a model', async () => {
  const sandbox = await visited();
  const tau = startTyping(sandbox, ['go']);
  await tau.shows(question);
  await leave(tau);
  expect(existsSync(join(sandbox.tauHome, 'trust.json'))).toBe(false);
  expect(sandbox.model.requests).toHaveLength(0);
});

test('nobody is asked where there is nothing to enable, or where the project’s settings are left out', async () => {
  const sandbox = await visited();
  const bare = startTyping(sandbox, ['--bare']);
  await bare.shows('> ');
  expect(bare.screen()).not.toContain('rust this project');
  await leave(bare);
  sandbox.write('.tau/settings.json', '{ "language": "Deutsch" }');
  const tau = startTyping(sandbox);
  await tau.shows('> ');
  expect(tau.screen()).not.toContain('rust this project');
  await leave(tau);
});

test.each([['text'], ['json'], ['stream-json']])(
  'nobody is asked in print mode as %s: what would be enabled is refused, the rest works',
  async (format) => {
    const sandbox = await visited();
    sandbox.write('.tau/settings.json', '{ "permissions": { "allow": ["bash(touch:*)"] }, "language": "Deutsch" }');
    const run = await sandbox.tau(['-p', 'go', '--output-format', format]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('This project is not trusted, so permissions.allow of it does not count. tau trust');
    expect(resultsIn(request(sandbox.model, 1))[0]?.text).toContain('nobody is there');
    expect(request(sandbox.model, 0).raw).toContain('Deutsch');
    expect(existsSync(join(sandbox.project, 'made'))).toBe(false);
  },
);
