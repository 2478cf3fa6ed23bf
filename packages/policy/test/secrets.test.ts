import { describe, expect, test } from 'vitest';
import { shellEffects } from '../src/index.ts';
import { shellIn } from './decisions.ts';

const reader = await shellIn({ tameGit: () => true, glob: () => [] });
const isProved = (line: string) => shellEffects(line, reader)[0];

describe('a word of the environment that would be printed', () => {
  test.each([
    'set -x; x=$KEY',
    'set -ex; : "$KEY"',
    'set -o xtrace; : "$KEY"',
    `bash -xc ': "$KEY"'`,
    'cd "$KEY"',
    'pushd "$KEY"',
    'popd "$KEY"',
    'exit "$KEY"',
    'shift "$KEY"',
    'read -t "$KEY" x',
    'read -u "$KEY" x',
    '[ "$KEY" -eq 1 ]',
    'test 1 -gt "$KEY"',
    'select x in "$KEY"; do break; done',
    `: \${x:?$KEY}`,
    `: \${x?$KEY}`,
    'kill -l "$KEY"',
    'timeout -k "$KEY" 5 ls',
    'nice -n "$KEY" ls',
    'stdbuf -o "$KEY" ls',
    'xargs -n "$KEY" true',
    'find . -maxdepth "$KEY"',
    'find . -user "$KEY"',
    'find . -newermt "$KEY"',
    'echo x | grep -H --label "$KEY" x',
    'grep -d "$KEY" x a',
    'grep -A1 --group-separator "$KEY" . a b',
    'rg -r "$KEY" x a',
    'rg -t "$KEY" x',
    'rg -e "$KEY" x',
    'pgrep -u "$KEY"',
    'ps -p "$KEY"',
    'tar -tf a.tar --format "$KEY"',
    'tar -tf a.tar -C "$KEY"',
    'unzip -l a.zip -x "$KEY"',
  ])('%j is not proved', (line) => {
    expect(isProved(line)).toMatchObject({ readOnly: false });
  });

  test.each(['touch -d "$KEY" x', 'mkdir -m "$KEY" x', 'truncate -s "$KEY" a', 'chown -- "$KEY" a'])(
    '%j is not known',
    (line) => {
      expect(isProved(line)).toMatchObject({ known: false });
    },
  );

  test.each([
    'grep -e "$KEY" a',
    'find . -name "$KEY"',
    ': "$KEY"',
    'cd "$PWD"',
    'x=1; [ "$x" -eq 1 ]',
    'false; [ $? -eq 1 ]; exit $?',
    '[ "$(ls | wc -l)" -gt 3 ]',
    'select x in a b; do break; done',
    `: \${x:?must be set}`,
  ])('%j is proved: nothing of it is printed', (line) => {
    expect(isProved(line)).toMatchObject({ readOnly: true });
  });
});
