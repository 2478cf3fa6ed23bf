/** Package managers: never known, with a word about the network and about what others get. */
import { describe, expect, test } from 'vitest';
import { effectsOf, judge } from './judging.ts';

test.each([
  'npm install',
  'npm ci',
  'npm --prefix sub install x',
  'yarn',
  'yarn add x',
  'pnpm i',
  'bun add x',
  'npx vitest',
  'pip install -r requirements.txt',
  'uv sync',
  'poetry add x',
  'cargo install x',
  'cargo +nightly update',
  'go get example.org/x',
  'go mod tidy',
  'gem install x',
  'bundle',
  'brew install x',
  'apt-get install -y x',
  'apk add x',
  'pacman -S x',
])('%s installs from the network', (line) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'package-manager', known: false });
  expect(finding).not.toHaveProperty('danger');
  expect(effectsOf(finding)).toEqual(['net *']);
});

test.each([
  'npm test',
  'npm run publish',
  'npm ls',
  'npm --version',
  'yarn build',
  'yarn --version',
  'pnpm --version',
  'npx --no-install tsc',
  'pip list',
  'pip uninstall x',
  'cargo test',
  'cargo --version',
  'go build ./...',
  'go version',
  'mvn test',
  'gradle build',
])('%s runs what the project or its tools choose', (line) => {
  const finding = judge(line, { managed: () => false });
  expect(finding).toMatchObject({ class: 'package-manager', known: false, effects: [] });
  expect(finding).not.toHaveProperty('danger');
});

describe.each([
  [
    'it changes what is published for others',
    [
      'npm publish',
      'npm unpublish x',
      'npm deprecate x y',
      'npm --registry r publish',
      'yarn npm publish',
      'pnpm publish',
      'cargo publish',
      'cargo yank x',
      'gem push x.gem',
      'poetry publish',
      'uv publish',
      'twine upload dist',
      'dotnet nuget push x',
    ],
  ],
  [
    'it removes programs from this machine',
    [
      'apt remove x',
      'apt-get purge -y x',
      'dnf erase x',
      'apk del x',
      'brew uninstall x',
      'dpkg -r x',
      'dpkg --purge x',
      'rpm -e x',
      'pacman -Rns x',
    ],
  ],
  ['it changes settings for all projects', ['npm config set script-shell x', 'npm set a b', 'pip config set a b']],
] as const)('%s', (danger, lines) => {
  test.each(lines)('%s', (line) => {
    expect(judge(line)).toMatchObject({ class: 'package-manager', known: false, danger });
  });
});
