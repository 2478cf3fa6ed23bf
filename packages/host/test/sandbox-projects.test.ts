/** The suites of small real projects run inside a sandbox as they do outside. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Place, runContained, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(place.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Most of them are not there, and no tool may stumble over that. */
const kept = [
  ...['.git/config', '.git/hooks', '.git/commondir', '.git/config.worktree', '.git/modules', '.git/worktrees'],
  ...['.tau', '.claude', '.vscode', '.npmrc', '.yarnrc.yml', '.pnpmfile.cjs', '.gitmodules', '.envrc', 'pip.conf'],
  ...['.husky', '.pre-commit-config.yaml', 'lefthook.yml', '.mcp.json', '.idea', '.gdbinit'],
];

const run = async (command: string, user: 'own' | 'ordinary' = 'ordinary') => {
  const policy = { witness: true, readOnly: kept.map((name) => join(place.project, name)) };
  const [answer] = await runContained(runner.path, [{ command, policy }], { place, user });
  return answer;
};

test('a project of node: its tests, with workers, a server on loopback and npm', async () => {
  write({
    'package.json': JSON.stringify({
      name: 'small',
      version: '1.0.0',
      type: 'module',
      scripts: { test: 'node --test' },
    }),
    'sum.js': 'export const sum = (a, b) => a + b;\n',
    'sum.test.js': `import { test } from 'node:test';
      import assert from 'node:assert';
      import { createServer, get } from 'node:http';
      import { execFileSync } from 'node:child_process';
      import { mkdtempSync, writeFileSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      import { Worker } from 'node:worker_threads';
      import { sum } from './sum.js';
      test('sums', () => assert.equal(sum(1, 2), 3));
      test('writes to temp', () => writeFileSync(mkdtempSync(tmpdir() + '/x-') + '/f', 'x'));
      test('starts programs', () => assert.equal(execFileSync('git', ['--version']).toString().slice(0, 3), 'git'));
      test('serves', async () => {
        const server = createServer((_, response) => response.end('hello'));
        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
        const text = await new Promise((resolve) => get({ port: server.address().port, host: '127.0.0.1' }, (r) => r.on('data', (d) => resolve(String(d)))));
        server.close();
        assert.equal(text, 'hello');
      });
      test('works', async () => {
        const worker = new Worker('require("node:worker_threads").parentPort.postMessage(4)', { eval: true });
        assert.equal(await new Promise((resolve) => worker.once('message', resolve)), 4);
      });\n`,
  });
  const answer = await run('npm test --silent 2>&1');
  expect(answer?.output).toMatch(/# pass 5\b|ℹ pass 5\b/);
  expect(answer?.exitCode).toBe(0);
});

test('a project of python: unittest, with processes and temporary files', async () => {
  write({
    'small.py': 'def double(x):\n    return 2 * x\n',
    'test_small.py': `import multiprocessing, os, tempfile, unittest
from small import double
class Small(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(2), 4)
    def test_temp(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("x")
    def test_pool(self):
        with multiprocessing.Pool(2) as pool:
            self.assertEqual(pool.map(double, [1, 2]), [2, 4])
if __name__ == "__main__":
    unittest.main()\n`,
  });
  const answer = await run('/usr/bin/python3 -m unittest -v 2>&1');
  expect(answer?.output).toMatch(/Ran 3 tests[\s\S]*OK/);
  expect(answer?.exitCode).toBe(0);
});

test('a project of make: compiled, tested, committed', async () => {
  write({
    Makefile:
      'test: program\n\t./program > out && grep -q 42 out\nprogram: main.c\n\tcc -o $@ $<\nclean:\n\trm -f program out\n',
    'main.c': '#include <stdio.h>\nint main(void) { printf("%d\\n", 6 * 7); return 0; }\n',
    '.gitignore': 'program\nout\n',
  });
  execFileSync('git', ['init', '-q'], { cwd: place.project });
  const commit = 'git -c user.name=a -c user.email=a@example.org -c safe.directory="*" commit -qm first';
  const answer = await run(`make test && make test -j4 && git add -A && ${commit} && git log --oneline | wc -l`);
  expect(answer?.output).toMatch(/\n1\n$/);
  expect(answer?.exitCode).toBe(0);
  expect(readFileSync(join(place.project, 'out'), 'utf8')).toBe('42\n');
  expect(answer?.violations).toEqual([]);
});
