import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManaged } from '../src/version-managers.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tau-managers-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function program(path: string, text = '\x7fELF'): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const leads = (folder: string, name = 'node') => createManaged(`${join(home, 'none')}:${join(home, folder)}`)(name);

test('a program of its own is not managed, and neither is one that is not there', () => {
  program('bin/node');
  expect(leads('bin')).toBe(false);
  expect(leads('bin', 'ruby')).toBe(false);
});

test('a link to the program in a versioned folder is not managed', () => {
  const real = program('versions/20/bin/node');
  mkdirSync(join(home, 'bin'));
  symlinkSync(real, join(home, 'bin/node'));
  expect(leads('bin')).toBe(false);
});

test('a shim is managed, script or not', () => {
  program('asdf/shims/node');
  program('pyenv/shims/node', '#!/usr/bin/env bash\nexec pyenv exec node "$@"\n');
  expect(leads('asdf/shims')).toBe(true);
  expect(leads('pyenv/shims')).toBe(true);
});

test('a name that is a link to the manager itself is managed', () => {
  mkdirSync(join(home, 'bin'));
  symlinkSync(program('cargo/rustup'), join(home, 'bin/cargo'));
  expect(leads('bin', 'cargo')).toBe(true);
});

test('a script that does not come with the system is managed, because it may start anything', () => {
  program('bin/node', '#!/bin/sh\nexec "$PWD/node" "$@"\n');
  expect(leads('bin')).toBe(true);
});

test('the first on PATH counts, and what cannot be run does not', () => {
  const plain = program('a/node');
  chmodSync(plain, 0o644);
  program('b/shims/node');
  const managed = createManaged(`${join(home, 'a')}:${join(home, 'b/shims')}`);
  expect(managed('node')).toBe(true);
});

test('what cannot be looked at counts as managed', () => {
  program('bin/node');
  expect(createManaged(join(home, 'bin'))('no\0de')).toBe(true);
});
