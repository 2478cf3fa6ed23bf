/** The SDK as somebody else's program gets it: by the name of the package, from modules and scripts, with its types. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSandbox, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { call, says } from './workbench.ts';

const root = join(import.meta.dirname, '../../..');
const cli = join(root, 'packages/cli');

/** A folder in which the package is installed. */
function install(place: (target: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules/@tau'), { recursive: true });
  place(join(folder, 'node_modules/@tau/cli'));
  return folder;
}

const node = (args: string[], options: { cwd: string; env?: Record<string, string> }) =>
  execFileSync(process.execPath, args, { env: {}, encoding: 'utf8', stdio: 'pipe', ...options });

test('the program in docs/sdk.md does what it says', async () => {
  const model = await startScriptedModel([call('write', { path: 'hello.txt', content: 'hello' }), says('Written.')]);
  const sandbox = makeSandbox({ model });
  onTestFinished(async () => {
    sandbox.dispose();
    await model.close();
  });
  const page = readFileSync(join(root, 'docs/sdk.md'), 'utf8');
  const program = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const folder = install((target) => symlinkSync(cli, target));
  writeFileSync(join(folder, 'program.mjs'), program);
  // Not synchronously: the model answers from this process.
  const child = spawn(process.execPath, [join(folder, 'program.mjs')], {
    cwd: sandbox.project,
    env: { HOME: sandbox.home, PATH: process.env.PATH, TAU_SANDBOX_ENABLED: 'false' },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Written.', stderr: 'done, 30 tokens\n' });
  expect(sandbox.read('hello.txt')).toBe('hello');
});

const module = `
import { createAgent, type Agent, type Extension, type StampedEvent, TauError, textResult } from '@tau/cli/sdk';
const extension: Extension = {
  name: 'mine',
  register(api) {
    api.tool({ name: 'a', description: 'b', parameters: { type: 'object' }, effects: () => [],
      run: async () => textResult('c') });
  },
};
export async function use(): Promise<string> {
  const agent: Agent = await createAgent({ cwd: '.', extensions: [extension], question: async () => ({ declined: true }) });
  for await (const event of agent.prompt('go')) told(event);
  // @ts-expect-error: there is no such option.
  await createAgent({ cwd: '.', colour: 'red' });
  return (await agent.prompt('again').outcome).answer;
}
function told(event: StampedEvent): string {
  if (event.type === 'agent_end') return event.reason;
  // @ts-expect-error: only the last event has a reason.
  return event.reason;
}
console.log(typeof createAgent, typeof TauError);
`;

test('modules and scripts in TypeScript get the SDK with its types, from a package that names none of ours', () => {
  const folder = install((target) => {
    mkdirSync(target);
    cpSync(join(cli, 'package.json'), join(target, 'package.json'));
    cpSync(join(cli, 'dist'), join(target, 'dist'), { recursive: true });
    node([join(root, 'scripts/sdk-types.mjs'), join(target, 'dist/types')], { cwd: root });
  });
  symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'consumer.mts'), module);
  writeFileSync(join(folder, 'consumer.cts'), module);
  const compilerOptions = { module: 'NodeNext', target: 'ES2023', strict: true, types: ['node'], outDir: 'out' };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.mts', 'consumer.cts'] }),
  );
  // It prints what is wrong and fails.
  expect(node([join(root, 'node_modules/typescript/bin/tsc')], { cwd: folder })).toBe('');
  for (const name of ['consumer.mjs', 'consumer.cjs']) {
    expect(node([join(folder, 'out', name)], { cwd: folder })).toBe('function function\n');
  }
}, 180_000);
