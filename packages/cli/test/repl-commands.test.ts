/** Lines that begin with a slash, at a real terminal. */
import { expect, test } from 'vitest';
import { call, calls, converse, request, says, talkIn } from './conversation.ts';
import { at } from './json.ts';
import { keys, startTyping, type Typing } from './repl-terminal.ts';
import { onlySession } from './sessions.ts';

async function say(tau: Typing, line: string, ...shown: string[]): Promise<void> {
  tau.type(`${line}${keys.enter}`);
  for (const text of shown) await tau.shows(text);
  await tau.shows('> ');
}

test('commands tell and change what they are about, and the model hears none of them', async () => {
  const sandbox = await converse([{ blocks: [{ text: 'hello' }], usage: { input: 7, output: 3 } }]);
  const tau = startTyping(sandbox);
  await tau.shows('> ');
  await say(tau, '/help', '/clear-queue ', 'Ctrl+C stops the work');
  await say(tau, '/model', 'scripted/scripted answers.', '*   1  scripted/scripted');
  await say(tau, '/model 99', 'There is no model number 99');
  await say(tau, '/model nowhere/none', 'tau: ', 'nowhere');
  await say(tau, '/thinking low', 'thinking: low');
  await say(tau, '/thinking lov', 'Did you mean low?');
  await say(tau, '/mode acceptEdits', 'mode: acceptEdits');
  await say(tau, '/mode', 'mode: acceptEdits');
  await say(tau, '/tools', 'read write edit bash');
  await say(tau, '/name my talk', 'called "my talk"');
  await say(tau, '/session', '"my talk"', '.jsonl');
  await say(tau, '/queue', 'Nothing waits.');
  await say(tau, '/sesion', 'There is no command /sesion. Did you mean /session?');
  await say(tau, 'hi', 'hello\n');
  await say(tau, '/cost', 'tau: 1 turn, 7 tokens in, 3 out', 'so far: 10 tokens');
  tau.type(`/quit${keys.enter}`);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(sandbox.model.requests).toHaveLength(1);
  expect(sandbox.read(onlySession(sandbox.tauHome))).toContain('my talk');
});

test('/model and /mode count from the next request on', async () => {
  const write = calls(call('write', { path: 'a.txt', content: 'x' }));
  const sandbox = await converse([write, says('ok'), says('as the other')]);
  const providers = JSON.parse(sandbox.read(`${sandbox.tauHome}/models.json`));
  providers.providers.scripted.models.push({ id: 'other' });
  sandbox.write(`${sandbox.tauHome}/models.json`, JSON.stringify(providers));
  const tau = startTyping(sandbox);
  await tau.shows('> ');
  await say(tau, '/mode acceptEdits', 'mode: acceptEdits');
  await say(tau, 'write it', '✓ write', 'ok\n');
  await say(tau, '/model', '2  scripted/other');
  await say(tau, '/model 2', 'Now scripted/other.');
  await say(tau, 'again', 'as the other\n');
  tau.type(`/exit${keys.enter}`);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(sandbox.read('a.txt')).toBe('x');
  expect([1, 2].map((number) => at(request(sandbox.model, number).body, 'model'))).toEqual(['scripted', 'other']);
});

test('/name without a name has the model find one, /cost counts earlier sittings, and a tip fits the place', async () => {
  const answer = { blocks: [{ text: 'hello' }], usage: { input: 7, output: 3 } };
  const sandbox = await converse([answer, { blocks: [{ text: '"A talk about nothing."' }] }]);
  expect((await sandbox.tau(['-p', 'hi'])).code).toBe(0);
  const tau = startTyping(sandbox, ['-c']);
  await tau.shows('tau: tip: /init writes an AGENTS.md');
  await tau.shows('> ');
  await say(tau, '/cost', 'tau: 0 turns', 'so far: 10 tokens');
  await say(tau, '/name', 'called "A talk about nothing"');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(request(sandbox.model, 1).raw).toContain('title of at most six words');
  // It is no part of the conversation.
  expect(sandbox.read(onlySession(sandbox.tauHome))).not.toContain('six words');
});

test('/queue lists what waits during a run, and /clear-queue takes it back', async () => {
  const sandbox = await converse([{ hang: 'midStream' }, says('never')]);
  const tau = startTyping(sandbox, ['go']);
  await sandbox.model.arrival(0);
  tau.type(`one${keys.enter}`);
  await tau.shows('◷ heard after the current step\n');
  tau.type(`+two${keys.enter}`);
  await tau.shows('◷ heard when this is done\n');
  tau.type(`/queue${keys.enter}`);
  await tau.shows('◷ one\n◷ two\n');
  tau.type(`/clear-queue${keys.enter}`);
  await tau.shows('Taken back:\n◷ one\n◷ two\n');
  tau.type(keys.ctrlC);
  await tau.shows('tau: stopped\n> ');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(sandbox.model.requests).toHaveLength(1);
});

test('a path at the beginning of a line is no command', async () => {
  const sandbox = await converse([says('I see')]);
  const tau = startTyping(sandbox);
  await tau.shows('> ');
  await say(tau, '/etc/hosts is what?', 'I see\n');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(request(sandbox.model, 0).raw).toContain('/etc/hosts is what?');
});

test('a line with ! runs as the user, whole and stoppable; the model hears of it with the next prompt, of !! never', async () => {
  const sandbox = await converse([says('I heard.')]);
  const tau = startTyping(sandbox);
  await tau.shows('> ');
  await say(tau, '!echo ma$((1+1))de; exit 3', 'ma2de\n', 'exit code: 3\n');
  await say(tau, '!!echo qui$((2+2))et', 'qui4et\n');
  await say(tau, '!true', '(no output)\n');
  tau.type(`!echo be$((1+1))gun; sleep 60${keys.enter}`);
  await tau.shows('be2gun\n');
  tau.type(`!echo never${keys.enter}`);
  await tau.shows('your last command still runs; Ctrl+C stops it');
  tau.type(keys.ctrlC);
  await tau.shows('aborted by the user\n');
  await tau.shows('> ');
  await say(tau, 'go on', 'I heard.\n');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  const told = talkIn(request(sandbox.model, 0)).join('\n');
  expect(told).toContain('I ran this command myself: echo ma$((1+1))de; exit 3\nIts output:\nma2de\n(exit code 3)');
  expect(told).not.toMatch(/qui|never/);
});

test('who leaves while a command runs in the background is told first, and the second time it is meant', async () => {
  const begins = calls(call('bash', { command: 'sleep 300', run_in_background: true }));
  const sandbox = await converse([begins, says('It runs.')], { settings: { permissionMode: 'dangerously' } });
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('It runs.\n> ');
  await say(tau, '/exit', 'tau: job-1 still runs in the background (/ps) and would be ended; once more does it\n');
  tau.type(keys.ctrlC);
  await tau.shows('leaves\n> ');
  tau.type(keys.ctrlC);
  expect(await tau.done).toEqual({ code: 0, restored: true });
});
