/** The core runs where there is no Node: nothing outside it is imported, and the bundle works among web globals alone. */
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

async function bundle(source: string) {
  const { errors, warnings, outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundled',
    write: false,
    metafile: true,
    treeShaking: false,
    logLevel: 'silent',
  });
  return { problems: [...errors, ...warnings], code: outputFiles[0]?.text ?? '', metafile };
}

test('it bundles for a browser, whole and without anything from outside', async () => {
  const { problems, code, metafile } = await bundle(`export * from ${JSON.stringify(entry)};`);
  expect(problems).toEqual([]);
  const imports = [...Object.values(metafile.inputs), ...Object.values(metafile.outputs)].flatMap(
    (file) => file.imports,
  );
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter(({ external, path }) => external || path.startsWith('node:'))).toEqual([]);
  expect(code).not.toMatch(/["'`]node:/);
});

test('the check above can fail: an import of Node is refused', async () => {
  await expect(bundle(`export * from ${JSON.stringify(entry)}; import 'node:fs';`)).rejects.toThrow('node:fs');
});

test('the bundle runs among web globals alone, the lazily loaded part included', async () => {
  const { code } = await bundle(`export * from ${JSON.stringify(entry)};`);
  const context = createContext({ URL });
  runInContext(code, context);
  const run = (expression: string): unknown => runInContext(expression, context);
  expect(run('typeof process + typeof Buffer + typeof require')).toBe('undefinedundefinedundefined');
  expect(run("bundled.describeError(new bundled.TauError('usage', 'no', { remedy: 'Do' }))")).toBe('no. Do');
  const problems = await run("bundled.createValidate()({ type: 'string' }, 5).then(JSON.stringify)");
  expect(problems).toContain('must be string');
});
