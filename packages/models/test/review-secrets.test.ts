/** Secrets in headers: known for what they are wherever they stand, and kept from child processes. */
import { expect, test } from 'vitest';
import { createCredentials, loadProviders, scrub } from '../src/index.ts';

const open = (env: NodeJS.ProcessEnv = {}) => createCredentials({ env, authFile: '/nonexistent/auth.json' });
const lab = { name: 'lab', baseUrl: 'https://lab.test' };

test('variables in the headers of a model are kept from child processes, too', async () => {
  const headers = (name: string) => ({ headers: { 'x-team': name } });
  const { providers } = await loadProviders('models.json', {
    providers: {
      lab: { baseUrl: 'https://lab.test', api: 'openai-completions', models: [{ id: 'm', ...headers('OF_A_MODEL') }] },
      openai: { modelOverrides: { 'gpt-5.4': headers('OF_AN_OVERRIDE') } },
    },
  });
  expect(open().variables(providers)).toEqual(expect.arrayContaining(['OF_A_MODEL', 'OF_AN_OVERRIDE']));
});

test.each([
  ['Authorization', 'Bearer written-out-1234'],
  ['x-api-key', 'written-out-1234'],
])('a key that is written into the header %s is a secret as any other', async (name, value) => {
  const credentials = open();
  await credentials.headers({ ...lab, headers: { [name]: value, 'x-region': 'europe-west' } });
  expect(scrub('the key written-out-1234 of europe-west is wrong', credentials.secrets())).toBe(
    'the key [secret] of europe-west is wrong',
  );
});
