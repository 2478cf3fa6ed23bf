import { expect, test } from 'vitest';
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

test('each tool says what a call will do', () => {
  const path = 'src/a.ts';
  expect(bench.tool('read').effects({ path })).toEqual([{ kind: 'read', path }]);
  expect(bench.tool('write').effects({ path, content: '' })).toEqual([{ kind: 'write', path }]);
  expect(bench.tool('edit').effects({ path })).toEqual([
    { kind: 'read', path },
    { kind: 'write', path },
  ]);
  expect(bench.tool('bash').effects({ command: 'make all' })).toContainEqual(
    expect.objectContaining({ kind: 'exec', readOnly: false }),
  );
});

test('every alias leads to a parameter that exists', () => {
  for (const name of names) {
    const { aliases = {}, parameters } = bench.tool(name);
    for (const target of Object.values(aliases)) expect(parameters.properties).toHaveProperty(target);
  }
});
