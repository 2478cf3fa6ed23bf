/** A first AGENTS.md for a project, from what lies in its folder. What cannot be known is left for its people to say. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isRecord } from '@tau/core';
import { readPlainFile } from './plain-file.ts';

const maxCommands = 15;

/** Writes it unless the project has instructions already. An AGENTS.md beside a CLAUDE.md would silence the latter. */
export function writeAgentsTemplate(cwd: string): { path: string; created: boolean } {
  const path = join(cwd, 'AGENTS.md');
  const claude = join(cwd, 'CLAUDE.md');
  if (!existsSync(path) && existsSync(claude)) return { path: claude, created: false };
  try {
    writeFileSync(path, agentsTemplate(cwd), { flag: 'wx' });
    return { path, created: true };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return { path, created: false };
    throw error;
  }
}

export function agentsTemplate(cwd: string): string {
  const made = languages.filter(({ file }) => existsSync(join(cwd, file))).map(({ language }) => language);
  const commands = [...scripts(cwd), ...makeTargets(cwd), ...usual(cwd)].slice(0, maxCommands);
  const sections = [
    `# ${basename(cwd)}`,
    `What an agent should know before it works here. Every session reads this: keep it short and true.`,
    ...(made.length > 0 ? [`Written in ${[...new Set(made)].join(', ')}.`] : []),
    `## Commands\n\n${commands.length > 0 ? commands.join('\n') : '- (how to build, test and run it)'}`,
    '## Layout\n\n- (which folder holds what)',
    '## Conventions\n\n- (what is done here that one would not guess)',
    '## Before a change is done\n\n- (which checks must pass)',
  ];
  return `${sections.join('\n\n')}\n`;
}

const languages: readonly { file: string; language: string; commands?: readonly string[] }[] = [
  { file: 'tsconfig.json', language: 'TypeScript' },
  { file: 'package.json', language: 'JavaScript' },
  { file: 'Cargo.toml', language: 'Rust', commands: ['cargo build', 'cargo test'] },
  { file: 'go.mod', language: 'Go', commands: ['go build ./...', 'go test ./...'] },
  { file: 'pyproject.toml', language: 'Python' },
  { file: 'requirements.txt', language: 'Python' },
  { file: 'Gemfile', language: 'Ruby' },
  { file: 'composer.json', language: 'PHP' },
  { file: 'pom.xml', language: 'Java', commands: ['mvn package', 'mvn test'] },
  { file: 'build.gradle', language: 'Java' },
  { file: 'build.gradle.kts', language: 'Kotlin' },
  { file: 'CMakeLists.txt', language: 'C or C++' },
  { file: 'mix.exs', language: 'Elixir', commands: ['mix compile', 'mix test'] },
  { file: 'Package.swift', language: 'Swift', commands: ['swift build', 'swift test'] },
];

function usual(cwd: string): string[] {
  const there = languages.filter(({ file }) => existsSync(join(cwd, file)));
  return there.flatMap(({ commands }) => commands ?? []).map((command) => `- \`${command}\``);
}

function scripts(cwd: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(textOf(cwd, 'package.json') ?? '{}');
  } catch {
    // Not this template's to complain about.
    return [];
  }
  const named = isRecord(parsed) && isRecord(parsed.scripts) ? Object.entries(parsed.scripts) : [];
  return named.flatMap(([name, command]) => {
    if (typeof command !== 'string' || /[`\s]/.test(name)) return [];
    const call =
      name === 'test' || name === 'start' ? `${packageManager(cwd)} ${name}` : `${packageManager(cwd)} run ${name}`;
    return [`- \`${call}\`: ${command.replace(/\s+/g, ' ').slice(0, 100)}`];
  });
}

function packageManager(cwd: string): string {
  const locks = [
    { file: 'pnpm-lock.yaml', manager: 'pnpm' },
    { file: 'yarn.lock', manager: 'yarn' },
    { file: 'bun.lock', manager: 'bun' },
    { file: 'bun.lockb', manager: 'bun' },
  ];
  return locks.find(({ file }) => existsSync(join(cwd, file)))?.manager ?? 'npm';
}

function makeTargets(cwd: string): string[] {
  const names = [...(textOf(cwd, 'Makefile') ?? '').matchAll(/^([A-Za-z][\w-]{0,40})\s*:(?!=)/gm)].map(
    ([, name]) => name,
  );
  return [...new Set(names)].map((name) => `- \`make ${name}\``);
}

function textOf(cwd: string, name: string): string | undefined {
  const found = readPlainFile(join(cwd, name), [cwd]);
  return found && 'file' in found ? found.file.text : undefined;
}
