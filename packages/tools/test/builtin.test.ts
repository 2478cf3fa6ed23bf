import type { Tool, ToolInput } from '@tau/core';
import { localHost } from '@tau/host';
import { expect, test } from 'vitest';
import { builtinTools } from '../src/index.ts';
import { shellIn } from './shell-in.ts';
import { useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const names = ['read', 'write', 'edit', 'bash'];

test('the four specs together stay under 2,600 bytes', () => {
  const specs = names.map((name) => {
    const { description, parameters } = bench.tool(name);
    return { name, description, parameters };
  });
  expect(Buffer.byteLength(JSON.stringify(specs))).toBeLessThan(2600);
});

test('every tool refuses parameters it does not know', () => {
  for (const name of names) expect(bench.tool(name).parameters.additionalProperties).toBe(false);
});

test('each tool says what a call will do', async () => {
  const path = 'src/a.ts';
  const effects = async (name: string, input: ToolInput) => bench.tool(name).effects(input, { cwd: bench.cwd });
  expect(await effects('read', { path })).toEqual([{ kind: 'read', path }]);
  expect(await effects('write', { path, content: '' })).toEqual([{ kind: 'write', path }]);
  expect(await effects('edit', { path })).toEqual([
    { kind: 'read', path },
    { kind: 'write', path },
  ]);
  expect(await effects('bash', { command: 'make all' })).toEqual([
    { kind: 'exec', command: 'make all', readOnly: false, known: false, class: 'unknown' },
  ]);
});

test('a program is proved to only read when the PATH is trusted, and not otherwise', async () => {
  const command = 'cat a.txt';
  for (const trustedPath of [true, false]) {
    const tools = new Map<string, Tool>();
    await builtinTools(localHost({ cwd: bench.cwd }), { shell: shellIn({ trustedPath }) }).register({
      tool: (tool) => void tools.set(tool.name, tool),
      beforeTool() {},
      transformContext() {},
      beforeStop() {},
      on() {},
      say() {},
      status() {},
      afterTool() {},
    });
    const effects = await tools.get('bash')?.effects({ command }, { cwd: bench.cwd });
    expect(effects?.[0]).toMatchObject({ kind: 'exec', command, readOnly: trustedPath });
  }
});

test('every alias leads to a parameter that exists', () => {
  for (const name of names) {
    const { aliases = {}, parameters } = bench.tool(name);
    for (const target of Object.values(aliases)) expect(parameters.properties).toHaveProperty(target);
  }
});
