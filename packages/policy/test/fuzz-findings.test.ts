import { resolve } from 'node:path/posix';
import { expect, test } from 'vitest';
import { shellEffects } from '../src/index.ts';
import { shellIn } from './decisions.ts';
import { endless, liars, silent } from './fuzz-findings.ts';

const reader = await shellIn({
  tameGit: () => true,
  glob: (pattern) =>
    pattern.endsWith('/.') ? ['link/.', 'sub/.'] : pattern.includes('/') ? ['link/x.txt'] : ['x.txt'],
});

test.each(liars)('%j did more than read, so it is not proved', (line) => {
  expect(shellEffects(line, reader)[0]).toMatchObject({ kind: 'exec', readOnly: false });
});

test.each(silent)('%j tells names of the folder %j, so it says that it reads it', (line, folder) => {
  const [, ...effects] = shellEffects(line, reader);
  const read = effects.flatMap((effect) => (effect.kind === 'read' ? [resolve('/w/app', effect.path)] : []));
  expect(read).toContain(resolve('/w/app', folder));
});

test.each(endless)('%j is taken apart in the end', (line) => {
  expect(reader.analyse(line).parts.map(({ invocation }) => invocation.words[0])).toEqual(['cd', 'ls']);
});
