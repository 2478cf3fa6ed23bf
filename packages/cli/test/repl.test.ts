/** The line mode, as a person at a terminal uses it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSandbox, type Conversation, call, calls, converse, request, says, talkIn } from './conversation.ts';
import { expectGone, pidsIn } from './processes.ts';
import { keys, startTyping, type Typing } from './repl-terminal.ts';
import { inTerminal } from './terminal.ts';

/** At the first prompt. */
async function begin(sandbox: Conversation, args: string[] = [], env: Record<string, string> = {}): Promise<Typing> {
  const tau = startTyping(sandbox, args, env);
  await tau.shows('> ');
  return tau;
}

async function leave(tau: Typing): Promise<void> {
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
}

/** A command that is over when the project has a file `go`, and says so when it has begun. */
const waits = call('bash', { command: 'touch begun; until [ -e go ]; do sleep 0.05; done; echo went' });
const free = ['--permission-mode', 'dangerously'];
const begun = (project: string) => expect.poll(() => readdirSync(project)).toContain('begun');

test('two prompts are one conversation, and Ctrl+D leaves the terminal as it was', async () => {
  const sandbox = await converse([says('first answer'), says('second answer')]);
  const tau = await begin(sandbox);
  tau.type(`one${keys.enter}`);
  await tau.shows('first answer\n');
  await tau.shows('> ');
  tau.type(`two${keys.enter}`);
  await tau.shows('second answer\n');
  await tau.shows('> ');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 1))).toEqual(['user: one', 'assistant: first answer', 'user: two']);
});

test('a prompt on the command line is the first, and mentions and files come with it', async () => {
  const sandbox = await converse([says('first'), says('second')]);
  sandbox.write('a.txt', 'mentioned words');
  const tau = startTyping(sandbox, ['look at @a.txt']);
  await tau.shows('first\n');
  await tau.shows('> ');
  tau.type(`again${keys.enter}`);
  await tau.shows('second\n');
  await leave(tau);
  expect(request(sandbox.model, 0).raw).toContain('mentioned words');
});

test('with -p, or with stdout in a file, it prints and ends', async () => {
  const sandbox = await converse([says('printed'), says('filed')]);
  const tau = startTyping(sandbox, ['-p', 'hi']);
  await tau.shows('printed\n');
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(tau.screen()).not.toContain('> ');
  expect((await inTerminal(sandbox, ['hi'], { redirect: '>out.txt' })).code).toBe(0);
  expect(sandbox.read('out.txt')).toBe('filed\n');
});

test('without a key it says what to do and ends with 2, the terminal untouched', async () => {
  const tau = startTyping(bareSandbox());
  expect(await tau.done).toEqual({ code: 2, restored: true });
  expect(tau.screen()).toMatch(/^tau: No model to talk to\. .*\n.*ANTHROPIC_API_KEY.*tau auth set/);
});

test('calls are a line each with how they went, and an edit shows its diff', async () => {
  const sandbox = await converse([
    calls({ text: 'I look.' }, call('read', { path: 'a.txt' })),
    calls(call('edit', { path: 'a.txt', old_string: 'two', new_string: 'zwei' })),
    says('Done.'),
  ]);
  sandbox.write('a.txt', 'one\ntwo\nthree\n');
  const tau = await begin(sandbox, ['--permission-mode', 'acceptEdits']);
  tau.type(`go${keys.enter}`);
  await tau.shows('I look.\n● read a.txt\n✓ read ');
  await tau.shows('● edit a.txt\n✓ edit ');
  await tau.shows('-two\n');
  await tau.shows('+zwei\n');
  await tau.shows('Done.\n');
  await leave(tau);
  expect(sandbox.read('a.txt')).toBe('one\nzwei\nthree\n');
});

test('thinking is shown with --verbose only, and then so is what a prompt took', async () => {
  const steps = [{ blocks: [{ thinking: 'hmm, well' }, { text: 'yes' }] }];
  const quiet = await begin(await converse([...steps]));
  quiet.type(`go${keys.enter}`);
  await quiet.shows('yes\n');
  await leave(quiet);
  expect(quiet.screen()).not.toContain('hmm');
  const tau = await begin(await converse([...steps]), ['--verbose']);
  tau.type(`go${keys.enter}`);
  await tau.shows('hmm, well\nyes\n');
  await tau.shows('tau: 1 turn, ');
  await leave(tau);
  expect(tau.bytes()).toContain('\u001b[2mhmm');
});

test('what is typed during a run is heard after the current step', async () => {
  const sandbox = await converse([calls(waits), says('heard')]);
  const tau = await begin(sandbox, free);
  tau.type(`go${keys.enter}`);
  await begun(sandbox.project);
  tau.type(`the other way${keys.enter}`);
  await tau.shows('◷ heard after the current step');
  sandbox.write('go', '');
  await tau.shows('heard\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 1)).at(-1)).toBe('user: the other way');
});

test('a line that begins with + is heard when the run would stop', async () => {
  const sandbox = await converse([calls(waits), says('first done'), says('second done')]);
  const tau = await begin(sandbox, free);
  tau.type(`go${keys.enter}`);
  await begun(sandbox.project);
  tau.type(`+and then this${keys.enter}`);
  await tau.shows('◷ heard when this is done');
  sandbox.write('go', '');
  await tau.shows('first done\n');
  await tau.shows('second done\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 1)).at(-1)).toBe('user: go');
  expect(talkIn(request(sandbox.model, 2)).at(-1)).toBe('user: and then this');
});

test('a line being typed is not written into: what comes goes above it', async () => {
  const sandbox = await converse([calls(waits), says('an answer\nof two lines'), says('ok')]);
  const tau = await begin(sandbox, free);
  tau.type(`go${keys.enter}`);
  await begun(sandbox.project);
  tau.type('half a th');
  await tau.shows('> half a th');
  sandbox.write('go', '');
  await tau.shows('✓ bash went\n> half a th');
  await tau.shows('of two lines\n> half a th');
  tau.type(`ought${keys.enter}`);
  await tau.shows('ok\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 2)).at(-1)).toBe('user: half a thought');
});

test('Ctrl+C stops the run and gives back what waited, to be changed and sent', async () => {
  const sandbox = await converse([{ hang: 'midStream' }, says('back')]);
  const tau = await begin(sandbox);
  tau.type(`go${keys.enter}`);
  await sandbox.model.arrival(0);
  tau.type(`first${keys.enter}`);
  await tau.shows('◷ heard after the current step');
  tau.type(`+second${keys.enter}`);
  await tau.shows('◷ heard when this is done');
  tau.type(keys.ctrlC);
  await tau.shows('tau: stopped\n> first\n… second');
  await request(sandbox.model, 0).aborted;
  tau.type(`!${keys.enter}`);
  await tau.shows('back\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 1)).at(-1)).toBe('user: first\nsecond!');
});

test('Ctrl+C during a command leaves none of its processes, and the model knows', async () => {
  const command = `echo $$ >> pids; sh -c 'echo $$ >> pids; sleep 300; true' & wait`;
  const sandbox = await converse([calls(call('bash', { command })), says('back')]);
  const tau = await begin(sandbox, free);
  tau.type(`go${keys.enter}`);
  const pids = await pidsIn(join(sandbox.project, 'pids'), 2);
  tau.type(keys.ctrlC);
  await tau.shows('tau: stopped\n> ');
  await expectGone(pids);
  tau.type(`what happened?${keys.enter}`);
  await tau.shows('back\n');
  await leave(tau);
  expect(request(sandbox.model, 1).raw).toContain('aborted by the user');
});

test('Ctrl+C takes back what was typed, and twice at an empty prompt it leaves', async () => {
  const sandbox = await converse([]);
  const tau = await begin(sandbox);
  tau.type('half');
  await tau.shows('half');
  tau.type(keys.ctrlC);
  await tau.shows('> ');
  tau.type(keys.ctrlC);
  await tau.shows('Ctrl+C once more, or Ctrl+D, leaves\n> ');
  tau.type(keys.ctrlC);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(sandbox.model.requests).toEqual([]);
});

test('Ctrl+C twice more does not wait for a command that will not stop, and leaves nothing running', async () => {
  const command = `trap '' TERM; echo $$ >> pids; while :; do sleep 1; done`;
  const sandbox = await converse([calls(call('bash', { command }))]);
  const tau = await begin(sandbox, free);
  tau.type(`go${keys.enter}`);
  const pids = await pidsIn(join(sandbox.project, 'pids'), 1);
  tau.type(keys.ctrlC.repeat(3));
  expect(await tau.done).toEqual({ code: 130, restored: true });
  await expectGone(pids);
});

test('Ctrl+Z where no shell could bring it back changes nothing', async () => {
  const sandbox = await converse([says('still here')]);
  const tau = await begin(sandbox);
  tau.type(keys.ctrlZ);
  await tau.shows('> ');
  tau.type(`hi${keys.enter}`);
  await tau.shows('still here\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: hi']);
});

test('with -c the last conversation goes on', async () => {
  const sandbox = await converse([says('one'), says('two')]);
  await sandbox.tau(['-p', 'first']);
  const tau = startTyping(sandbox, ['-c', 'second']);
  await tau.shows('2 messages so far');
  await tau.shows('two\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 1))).toEqual(['user: first', 'assistant: one', 'user: second']);
});

test('Ctrl+D during a run ends both', async () => {
  const sandbox = await converse([{ hang: 'midStream' }]);
  const tau = await begin(sandbox);
  tau.type(`go${keys.enter}`);
  await sandbox.model.arrival(0);
  await leave(tau);
  await request(sandbox.model, 0).aborted;
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s during a command ends with %i, its processes gone and the terminal as it was', async (signal, code) => {
  const sandbox = await converse([calls(call('bash', { command: 'echo $$ >> pids; sleep 300; true' }))]);
  const tau = await begin(sandbox, free);
  tau.type(`go${keys.enter}`);
  const pids = await pidsIn(join(sandbox.project, 'pids'), 1);
  tau.kill(signal);
  expect(await tau.done).toEqual({ code, restored: true });
  await expectGone(pids);
});

test('SIGTERM at the prompt ends with 143', async () => {
  const tau = await begin(await converse([]));
  tau.kill('SIGTERM');
  expect(await tau.done).toEqual({ code: 143, restored: true });
});

test('an error is told, and the next prompt may do better', async () => {
  const sandbox = await converse([{ status: 500 }, says('better')]);
  const tau = await begin(sandbox);
  tau.type(`go${keys.enter}`);
  await tau.shows('tau: scripted answered 500');
  await tau.shows('> ');
  tau.type(`again${keys.enter}`);
  await tau.shows('better\n');
  await leave(tau);
});

test('a session that cannot be written ends it with 1', async () => {
  const sandbox = await converse([says('never')]);
  sandbox.write('file', '');
  const tau = await begin(sandbox, ['--session-dir', join(sandbox.project, 'file/below')]);
  tau.type(`go${keys.enter}`);
  await tau.shows('could not be saved');
  expect(await tau.done).toEqual({ code: 1, restored: true });
  expect(sandbox.model.requests).toEqual([]);
});

test('a crash gives the terminal back before it says what happened', async () => {
  const sandbox = await converse([]);
  sandbox.write(
    'crash.cjs',
    `setInterval(() => { if (require('fs').existsSync('go')) throw new Error('boom'); }, 20).unref()`,
  );
  const tau = await begin(sandbox, [], { NODE_OPTIONS: `--require ${join(sandbox.project, 'crash.cjs')}` });
  sandbox.write('go', '');
  expect(await tau.done).toEqual({ code: 1, restored: true });
  expect(tau.bytes().split('boom')[0]).toContain('\u001b[?2004l');
});

test('a backslash at the end goes on in the next line, and a paste is one message', async () => {
  const sandbox = await converse([says('one'), says('two')]);
  const tau = await begin(sandbox);
  tau.type(`first\\${keys.enter}`);
  await tau.shows('… ');
  tau.type(`second${keys.enter}`);
  await tau.shows('one\n');
  await tau.shows('> ');
  const [start, end] = keys.paste;
  tau.type(`${start}a\rb\rc${end}`);
  await tau.shows('… c');
  tau.type(keys.enter);
  await tau.shows('two\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: first\nsecond']);
  expect(talkIn(request(sandbox.model, 1)).at(-1)).toBe('user: a\nb\nc');
});

test('the arrow brings back what was said before', async () => {
  const sandbox = await converse([says('one'), says('two')]);
  const tau = await begin(sandbox);
  tau.type(`say it${keys.enter}`);
  await tau.shows('one\n');
  await tau.shows('> ');
  tau.type(keys.up);
  await tau.shows('say it');
  tau.type(keys.enter);
  await tau.shows('two\n');
  await leave(tau);
  expect(talkIn(request(sandbox.model, 1)).at(-1)).toBe('user: say it');
});

test('a dumb terminal edits by itself and gets no movements', async () => {
  const sandbox = await converse([calls(call('bash', { command: 'rm x' })), says('fine')]);
  const tau = await begin(sandbox, [], { TERM: 'dumb', TAU_PLAIN: '' });
  tau.type('go\n');
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type('n\n');
  await tau.shows('fine\n');
  await tau.shows('> ');
  tau.type(keys.ctrlC);
  await tau.shows('Ctrl+C once more');
  await leave(tau);
  expect(tau.bytes()).not.toContain('\u001b');
});

test('what the model says cannot move the cursor', async () => {
  const sandbox = await converse([says('a\u001b[2Jb\r\nc\u0007')]);
  const tau = await begin(sandbox);
  tau.type(`go${keys.enter}`);
  await tau.shows('a^[[2Jb\nc^G\n');
  await leave(tau);
});
