/** A row about searching: tau's grep over many files, against ripgrep by itself over the same. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { searchPattern } from './scenarios.mjs';

const folderCount = 500;
const filesEach = 100;

export const search = {
  rows: [
    { key: 'rg', name: 'rg by itself, 50,000 files', unit: 'ms' },
    { key: 'grep', name: 'grep, 50,000 files', unit: 'ms', yardstick: 'rg', times: 2 },
  ],

  async prepare({ root }) {
    const tree = join(root, 'tree');
    for (let folder = 0; folder < folderCount; folder++) {
      const path = join(tree, `package-${folder}`, 'src');
      mkdirSync(path, { recursive: true });
      for (let file = 0; file < filesEach; file++) {
        const special = folder % 50 === 0 && file === 0 ? `export const ${searchPattern} = ${folder};\n` : '';
        writeFileSync(join(path, `file-${file}.ts`), `${'export const something = 1;\n'.repeat(20)}${special}`);
      }
    }
    return { tree, rg: ripgrep() };
  },

  async sample(workplace, binary, { tree, rg }) {
    const alone = await workplace.program(rg, ['--no-config', '--line-number', searchPattern, tree]);
    const run = await workplace.scenario('search', [binary, '-p', 'hi'], { cwd: tree });
    const found = alone.stdout.trimEnd().split('\n').length;
    const [asked, told] = run.requests;
    const seen = told.body.split(`export const ${searchPattern}`).length - 1;
    if (found !== folderCount / 50 || seen !== found) throw new Error(`rg found ${found} lines and tau ${seen}`);
    return { rg: alone.wall, grep: told.arrivedAt - asked.answeredAt };
  },
};

/** The one that the command brings along. */
function ripgrep() {
  const { rgPath } = createRequire(new URL('../packages/cli/package.json', import.meta.url))('@vscode/ripgrep');
  if (!existsSync(rgPath)) throw new Error(`there is no ${rgPath}`);
  return rgPath;
}
