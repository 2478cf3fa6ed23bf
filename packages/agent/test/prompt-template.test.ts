/** The first AGENTS.md of a project. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentsTemplate, writeAgentsTemplate } from '../src/prompt/agents-template.ts';

let parent = '';
let cwd = '';
beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'tau-template-')));
  cwd = join(parent, 'shop');
  mkdirSync(cwd);
});
afterEach(() => rmSync(parent, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);

test('it names the commands and languages that are there', () => {
  write('package.json', JSON.stringify({ scripts: { test: 'vitest  run', build: 'tsc', 'bad name': 'x', odd: 1 } }));
  write('tsconfig.json', '{}');
  write('pnpm-lock.yaml', '');
  write('Makefile', 'CC := gcc\nall: build\n\techo\nbuild : x\nbuild: y\n.PHONY: all\n');
  write('Cargo.toml', '');
  expect(agentsTemplate(cwd)).toMatchInlineSnapshot(`
    "# shop

    What an agent should know before it works here. Every session reads this: keep it short and true.

    Written in TypeScript, JavaScript, Rust.

    ## Commands

    - \`pnpm test\`: vitest run
    - \`pnpm run build\`: tsc
    - \`make all\`
    - \`make build\`
    - \`cargo build\`
    - \`cargo test\`

    ## Layout

    - (which folder holds what)

    ## Conventions

    - (what is done here that one would not guess)

    ## Before a change is done

    - (which checks must pass)
    "
  `);
});

test('of an empty folder, or one with a broken package.json, it asks', () => {
  const empty = agentsTemplate(cwd);
  expect(empty).toContain('## Commands\n\n- (how to build, test and run it)');
  write('package.json', '{ broken');
  expect(agentsTemplate(cwd)).toBe(empty.replace('## Commands', 'Written in JavaScript.\n\n## Commands'));
});

test('it is written once and never over what is there', () => {
  const path = join(cwd, 'AGENTS.md');
  expect(writeAgentsTemplate(cwd)).toEqual({ path, created: true });
  expect(readFileSync(path, 'utf8')).toBe(agentsTemplate(cwd));
  write('AGENTS.md', 'mine');
  expect(writeAgentsTemplate(cwd)).toEqual({ path, created: false });
  expect(readFileSync(path, 'utf8')).toBe('mine');
});

test('a link that leads nowhere is not written through', () => {
  symlinkSync('../elsewhere', join(cwd, 'AGENTS.md'));
  expect(writeAgentsTemplate(cwd)).toMatchObject({ created: false });
  expect(() => readFileSync(join(parent, 'elsewhere'))).toThrow('ENOENT');
});

test('a CLAUDE.md is not silenced by a new AGENTS.md beside it', () => {
  write('CLAUDE.md', 'mine');
  expect(writeAgentsTemplate(cwd)).toEqual({ path: join(cwd, 'CLAUDE.md'), created: false });
});
