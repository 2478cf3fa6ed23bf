// Writes the SDK's declarations into the build, before it is packed: those that can be reached from the door of
// @tau/agent. Packages of ours are not published, so their names become paths; what is CommonJS is declared as such.
// An argument names another folder to write them to.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = `${process.argv[2] ?? `${root}packages/cli/dist/types`}/`;
const door = 'packages/agent/src/index';

const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
const program = ts.createProgram([`${root}${door}.ts`], {
  ...options,
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: root,
  outDir: '/',
  // Found through node_modules they would count as somebody else's, and nothing would be made of them.
  paths: { '@tau/*': [`${root}packages/*/src/index.ts`] },
});
/** Texts by path without an ending, from the root of the repository. */
const made = new Map();
const { diagnostics } = program.emit(undefined, (path, text) => made.set(path.slice(1).replace(/\.d\.ts$/, ''), text));
const problems = [...diagnostics, ...program.getOptionsDiagnostics()];
if (problems.length > 0) {
  throw new Error(ts.formatDiagnostics(problems, { ...ts.sys, getCanonicalFileName: (name) => name }));
}

rmSync(target, { recursive: true, force: true });
const waiting = new Set([door]);
for (const path of waiting) {
  const text = made.get(path);
  if (text === undefined) throw new Error(`no declarations were made for ${path}`);
  const file = `${target}${path}.d.cts`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    text.replaceAll(/(from |import\()(['"])([^'"]+)\2/g, (_, before, quote, name) => {
      return `${before}${quote}${follow(path, name)}${quote}`;
    }),
  );
}

/** What a declaration imports, as the packed one must name it; what is ours is written too. */
function follow(from, name) {
  const ours = /^@tau\/(.+)$/.exec(name)?.[1];
  if (ours === undefined && !name.startsWith('.')) return name;
  const path = ours ? `packages/${ours}/src/index` : relative('.', `${dirname(from)}/${name}`).replace(/\.ts$/, '');
  waiting.add(path);
  const step = relative(dirname(from), path);
  return `${step.startsWith('.') ? step : `./${step}`}.cjs`;
}
