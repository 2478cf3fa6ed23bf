/** Commands that the user runs in a conversation: through the gate, on record, and told with the next prompt. */
import { expect, test } from 'vitest';
import { isOwnCommand, type StampedEvent, textOf } from '../src/index.ts';
import { call, says, workbench } from './workbench.ts';

test('a command of the user runs without being asked about, is told with the next prompt, and a quiet one is not', async () => {
  const { agent, another, project, read } = await workbench([says('I see')], { permissionMode: 'default' });
  const events: StampedEvent[] = [];
  agent.subscribe((event) => events.push(event));
  const result = await agent.shell('echo hello > made; echo out; exit 3');
  expect(result).toMatchObject({ isError: true, details: { exitCode: 3 } });
  expect(read('made')).toBe('hello\n');
  await agent.shell('echo for me alone', { quiet: true });
  expect(events.map(({ type }) => type)).not.toContain('permission_request');
  const starts = events.flatMap((event) => (event.type === 'tool_execution_start' ? [event.toolCallId] : []));
  expect(starts.map(isOwnCommand)).toEqual([true, true]);
  expect(new Set(starts).size).toBe(2);

  const before = agent.messages().map(textOf);
  expect(before).toEqual([
    'I ran this command myself: echo hello > made; echo out; exit 3\nIts output:\nout\n(exit code 3)',
  ]);
  await agent.prompt('What was that?').outcome;
  expect(agent.messages().map(textOf)).toEqual([...before, 'What was that?', 'I see']);
  const onRecord = read(agent.sessionPath ?? project)
    .split('\n')
    .filter((line) => line.includes('"role":"bashExecution"'));
  expect(onRecord).toHaveLength(2);
  expect(onRecord[1]).toContain('"excludeFromContext":true');
  await agent.close();
  const again = await another({ session: 'continue' });
  expect(again.messages().map(textOf)).toEqual([...before, 'What was that?', 'I see']);
});

test('what a rule denies stays denied, leaves no trace, and says why', async () => {
  const { agent } = await workbench([], { permissionMode: 'dangerously', rules: { deny: ['bash(rm:*)'] } });
  const result = await agent.shell('rm -rf nothing');
  expect(result.isError).toBe(true);
  expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/^Not allowed: .*bash\(rm:\*\)/) }]);
  expect(agent.messages()).toEqual([]);
});

test('a command that is stopped says so, and one that ends during a run waits for its end', async () => {
  const { agent, write } = await workbench(
    [call('bash', { command: 'until test -e go; do sleep 0.02; done' }), says('Done')],
    {
      permissionMode: 'dangerously',
    },
  );
  const stop = new AbortController();
  const stopped = agent.shell('echo begun; sleep 60', { signal: stop.signal });
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_update') stop.abort();
  });
  expect(await stopped).toMatchObject({ isError: true, details: { exitCode: null } });
  const run = agent.prompt('go');
  for await (const event of run) {
    if (event.type !== 'tool_execution_start' || isOwnCommand(event.toolCallId)) continue;
    await agent.shell('touch mine');
    expect(agent.messages().map(textOf)).not.toContain('I ran this command myself: touch mine\n(exit code 0)');
    // Only now: a command that lets the run end may itself end after it.
    write('go', '');
  }
  agent.prompt('once more');
  await agent.idle();
  const said = agent.messages().map(textOf);
  expect(said[0]).toBe('I ran this command myself: echo begun; sleep 60\nIts output:\nbegun\n(it was cancelled)');
  expect(said.slice(-3, -1)).toEqual(['I ran this command myself: touch mine\n(exit code 0)', 'once more']);
});
