/** Which commands of hooks start something of the project they run in. */
import { expect, test } from 'vitest';
import { projectProgram } from '../src/hooks/strangers.ts';

test.each([
  './check.sh',
  '  "./check.sh" --all',
  'scripts/check.sh',
  '../check.sh',
  'MODE=1 ./check.sh',
  'exec ./check.sh',
  'env A=1 ./check.sh',
  'true; ./check.sh',
  'test -f x && ./check.sh',
  'cat | ./check.sh',
  '( ./check.sh )',
  'if ./check.sh; then true; fi',
  'echo "$(./check.sh)"',
  'sh check.sh',
  'bash -eu ./check.sh',
  '. ./check.sh',
  'source check.sh',
  '/bin/sh check.sh',
  'python3 .claude/hooks/guard.py',
  'python3 -u "$CLAUDE_PROJECT_DIR/.claude/hooks/guard.py"',
  'node scripts/guard.mjs',
  'deno run guard.ts',
  '"$CLAUDE_PROJECT_DIR"/guard.sh',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell reads it.
  '${TAU_PROJECT_DIR}/guard.sh',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell reads it.
  '${PWD:-.}/guard.sh',
  '$(pwd)/guard.sh',
  '`pwd`/guard.sh',
  '~+/guard.sh',
  '(./check.sh)',
  "bash -c './check.sh; true'",
  'bash -lc "./check.sh --all"',
])('%s starts a program of the project', (command) => {
  expect(projectProgram(command)).toMatch(/check\.sh|guard/);
});

test.each([
  'true',
  '~/bin/guard.sh',
  '/opt/guard.sh ./src',
  '$HOME/bin/guard.sh',
  'sh ~/guard.sh',
  'python3 /opt/guard.py ./src',
  'python3 -c "import json"',
  'python3 -m json.tool',
  'node -e "process.exit(0)"',
  'jq -r .tool_input.file_path',
  "jq -r '.tool_input.command' | grep -q 'rm -rf ./'",
  'grep -q SECRET && exit 1; exit 0',
  'cat > /dev/null; exit 2',
  'npx biome check .',
  '{ cat; echo; } >> "$HOME/told.jsonl"',
  'sh',
  "grep -qE '(\\.env|secrets/)' && exit 2",
  'case "$1" in src/*|config/*) exit 2;; vendor/x) exit 1;; esac',
  'bash -c "~/guard.sh; true"',
  'python3 -c "import sys; print(1/2); a/b"',
  'echo "see docs/hooks.md (or ./README)"',
])('%s does not', (command) => {
  expect(projectProgram(command)).toBeUndefined();
});
