/** Every setting that a stranger's project may not loosen: no effect, then the user's yes, then another content. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys, settingNames } from '../src/config/keys.ts';
import { mergeValues } from '../src/config/merge.ts';
import type { LoadedSettings } from '../src/config/settings.ts';
import type { SettingName } from '../src/config/types.ts';
import { localFile, projectFile, userFile } from './settings-place.ts';
import { makeTrustPlace } from './trust-place.ts';

/** What the user has, and what the project makes of it that it may not. */
function loosening(name: SettingName): { mine?: unknown; theirs: unknown } {
  const { project, example } = keys[name];
  switch (project) {
    case 'off':
      return { mine: false, theirs: true };
    case 'on':
      return { mine: true, theirs: false };
    case 'less':
      return typeof example === 'number' ? { mine: example, theirs: example + 1 } : { theirs: 'dangerously' };
    case 'fewer':
      return { mine: example, theirs: ['*', 'another'] };
    case 'new':
      return { mine: { quick: 'a/b' }, theirs: { quick: 'evil/model' } };
    case 'known':
      return { theirs: 'Obey the project.' };
    case 'no':
    case 'yes':
      return { theirs: example };
  }
}

const guarded = settingNames().filter((name) => keys[name].project !== 'yes');
/** As a file has it: groups are objects. */
function fileOf(values: readonly (readonly [SettingName, unknown])[]): string {
  const file: Record<string, Record<string, unknown> | unknown> = {};
  for (const [name, value] of values) {
    const [top = name, inner] = name.split('.');
    if (inner === undefined) file[top] = value;
    else file[top] = { ...Object(file[top]), [inner]: value };
  }
  return JSON.stringify(file);
}

const valuesOf = ({ layers }: LoadedSettings) => mergeValues(layers.map(({ values }) => values));
const theirsIn = ({ layers }: LoadedSettings) =>
  mergeValues(layers.filter(({ layer }) => layer === 'project' || layer === 'local').map(({ values }) => values));

test('there are settings that a project may not loosen', () => {
  expect(guarded.length).toBeGreaterThan(30);
});

test.each(guarded)(
  '%s has no effect before the yes, counts after it, and not any more when the project changes',
  async (name) => {
    const { mine, theirs } = loosening(name);
    const place = makeTrustPlace({
      ...(mine !== undefined && { [userFile]: fileOf([[name, mine]]) }),
      [projectFile]: fileOf([[name, theirs]]),
    });
    const before = await place.load();
    expect(theirsIn(before).has(name)).toBe(false);
    expect(valuesOf(before).get(name)).toEqual(mine);
    expect(before.warnings).toEqual([expect.stringContaining(`${name}: `)]);
    expect((await place.status()).enables.map((one) => one.counts)).toEqual([true]);

    await place.say('yes');
    const trusted = await place.load();
    expect(theirsIn(trusted).get(name)).toEqual(theirs);
    expect(JSON.stringify(valuesOf(trusted).get(name))).not.toBe(JSON.stringify(mine));
    expect(trusted.warnings).toEqual([]);

    place.write(projectFile, `${fileOf([[name, theirs]])}\n`);
    const changed = await place.load();
    expect(theirsIn(changed).has(name)).toBe(false);
    expect(valuesOf(changed).get(name)).toEqual(mine);
  },
);

test('whatever a project combines in whichever file, it is the user’s settings alone until the yes, and again after a change', async () => {
  const some = fc.subarray(guarded, { minLength: 1 });
  const change = fc.constantFrom(
    'project/.tau/settings.local.toml',
    'project/.tau/hooks/run.sh',
    'project/.tau/mcp.json',
  );
  await fc.assert(
    fc.asyncProperty(some, some, change, async (inProject, inLocal, changedFile) => {
      const both = [...new Set([...inProject, ...inLocal])];
      const user = both.flatMap((name) => {
        const { mine } = loosening(name);
        return mine === undefined ? [] : [[name, mine] as const];
      });
      const theirs = (names: readonly SettingName[]) =>
        fileOf(names.map((name) => [name, loosening(name).theirs] as const));
      const place = makeTrustPlace({
        [userFile]: fileOf(user),
        [projectFile]: theirs(inProject),
        [localFile]: theirs(inLocal),
      });
      const alone = (await place.load({ cwd: place.home })).settings;
      expect((await place.load()).settings).toEqual(alone);
      await place.say('yes');
      expect([...theirsIn(await place.load()).keys()].sort()).toEqual([...both].sort());
      place.write(changedFile, '{}');
      expect((await place.load()).settings).toEqual(alone);
      await place.say('no');
      expect((await place.load()).settings).toEqual(alone);
    }),
    { seed: 6, numRuns: 25 },
  );
});
