/** Every setting there is changes what happens: one proof for each, and no setting without one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingName } from '@tau/agent';
import { expect, test } from 'vitest';
import { at } from './json.ts';
import { limitProofs } from './settings-keys/limits.ts';
import { modelProofs } from './settings-keys/models.ts';
import { outputProofs } from './settings-keys/output.ts';
import { promptProofs } from './settings-keys/prompt.ts';
import { type Proof, runBoth } from './settings-keys/proof.ts';
import { sandboxProofs } from './settings-keys/sandbox.ts';
import { screenProofs } from './settings-keys/screen.ts';
import { toolProofs } from './settings-keys/tools.ts';

const proofs = {
  ...modelProofs,
  ...toolProofs,
  ...sandboxProofs,
  ...promptProofs,
  ...limitProofs,
  ...outputProofs,
  ...screenProofs,
} satisfies Record<SettingName, Proof>;

test.each(Object.entries<Proof>(proofs))('%s counts', async (name, proof) => {
  const seen = await runBoth(name, proof);
  expect(seen).toEqual({ without: proof.without, with: proof.with });
  // What is expected must be able to tell the two apart.
  expect(seen.with).not.toEqual(proof.without);
});

test('no published setting is without a proof', () => {
  const schema: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../settings.schema.json'), 'utf8'));
  const names = Object.entries(at(schema, 'properties') ?? {}).flatMap(([name, inside]) => {
    const within = at(inside, 'properties');
    return within ? Object.keys(within).map((one) => `${name}.${one}`) : [name];
  });
  expect(Object.keys(proofs).toSorted()).toEqual(names.filter((name) => name !== '$schema').toSorted());
});
