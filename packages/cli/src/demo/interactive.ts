/** `tau demo --interactive`: the app itself on the demo's project. The model is a recording; you answer what it asks. */
import { join } from 'node:path';
import { TauError } from '@tau/agent';
import { sit } from '../app/sit.ts';
import { parseCommandLine } from '../args/parse.ts';
import { exitCode } from '../exit.ts';
import { demoPrompt, makePlace } from './place.ts';
import { testsPass } from './project.ts';

export async function interactiveDemo(): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new TauError('usage', 'tau demo --interactive needs a terminal', { remedy: 'tau demo runs anywhere' });
  }
  const { project, env } = await makePlace();
  // The app is about the folder and the environment of its process: from here on, the demo's.
  process.chdir(project);
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
  const command = parseCommandLine(['--replay', join(import.meta.dirname, 'demo/recording.jsonl')]);
  if (command.kind !== 'prompt') throw new Error('the demo has no conversation to hold');
  const end = await sit(command, { cwd: project, prompts: [demoPrompt], files: [], isForShow: true });
  const passed = await testsPass(project, env);
  const lines = [
    `The project of the demo: ${project}`,
    `Its tests, run once more: ${passed ? 'pass' : 'fail'}`,
    'Files, commands, permissions and session were real. Only the model was a recording:',
    'to work with a live one, run tau in your project.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return typeof end === 'number' ? end : exitCode.done;
}
