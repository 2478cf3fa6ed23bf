/**
 * `tau demo`: a real project, real tools, real permissions; only the model's words come from a recording. Succeeds only
 * if the project's tests failed before and pass afterwards, as run by the demo itself.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent, type StampedEvent } from '@tau/agent';
import { exitCode } from '../exit.ts';
import { listenForInterrupt } from '../print/interrupt.ts';
import { createStyle, type Style } from '../render/style.ts';
import { callLine, diffLines, resultLines } from '../render/tool.ts';
import { visible } from '../render/visible.ts';
import { demoPrompt, makePlace } from './place.ts';
import { projectDiff, testsPass } from './project.ts';

const maxOutputLines = 14;

export async function demo(): Promise<number> {
  const style = createStyle(process.stdout, process.env);
  const say = (line = '') => process.stdout.write(`${line}\n`);
  const { project, env } = await makePlace();

  say(style.dim(`A small git project with a failing test is in ${project}.`));
  say(style.dim('Allowed without asking: edits inside it, and the command "node --test".'));
  say(`\n${style.bold('›')} ${style.bold(demoPrompt)}\n`);
  const agent = await createAgent({
    cwd: project,
    env,
    replay: { name: 'of the demo', text: readFileSync(join(import.meta.dirname, 'demo/recording.jsonl'), 'utf8') },
    permissionMode: 'acceptEdits',
    rules: { allow: ['bash(node --test:*)'] },
  });
  agent.subscribe(showAsTranscript(style));
  const interrupt = listenForInterrupt();
  process.stdout.on('error', interrupt.abort);
  const { reason } = await agent.prompt(demoPrompt, { signal: interrupt.signal }).outcome;
  interrupt.dispose();
  agent.close();
  if (reason === 'aborted') return interrupt.code() ?? exitCode.failed;

  say(`\n${style.bold('What changed on disk')} (git diff):`);
  for (const line of diffLines(await projectDiff(project), style)) say(line);
  const passed = reason === 'done' && (await testsPass(project, env));
  say(`\n${style.bold('The tests, run once more by this demo:')} ${passed ? style.green('pass') : style.red('fail')}`);
  say(style.dim('Files, commands, permissions and session were real. Only the model was a recording:'));
  say(style.dim('tau in a project of your own works with a live one; without a key it says where one goes.'));
  say(style.dim('tau demo --interactive shows the same in the terminal app, and asks you before it acts.'));
  return passed ? exitCode.done : exitCode.failed;
}

/** Text as it streams; a call with its outcome once it has one, on lines of its own. */
function showAsTranscript(style: Style): (event: StampedEvent) => void {
  const calls = new Map<string, string>();
  let midLine = false;
  const block = (text: string) => {
    process.stdout.write(`${midLine ? '\n\n' : ''}${text}\n\n`);
    midLine = false;
  };
  return (event) => {
    switch (event.type) {
      case 'message_update':
        if (event.delta.kind !== 'text') break;
        process.stdout.write(visible(event.delta.text));
        midLine = true;
        break;
      case 'tool_execution_start':
        calls.set(event.toolCallId, callLine(event.toolName, event.input, style));
        break;
      case 'tool_execution_end': {
        // A read shows only its name: what it read is for the model.
        const quiet = event.toolName === 'read' && !event.result.isError;
        const lines = quiet ? [] : resultLines(event.result, style, maxOutputLines);
        block([calls.get(event.toolCallId), ...lines].join('\n'));
        break;
      }
      case 'error':
        block(style.red(visible(event.message)));
        break;
      case 'agent_end':
        if (midLine) process.stdout.write('\n');
        break;
    }
  };
}
