/** `/logout`: forgets the key of a provider that is kept in auth.json. What comes from elsewhere is not tau's to forget. */
import { openAuth, TauError } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';
import type { Command } from './command.ts';

export const logoutCommand: Command = {
  ...{ name: 'logout', argument: 'PROVIDER', help: "forget a provider's key that is kept" },
  choices: kept,
  run: logout,
};

async function kept(): Promise<string[]> {
  const { providers, unknownEntries } = await (await openAuth(process.env)).status();
  const used = providers.flatMap(({ provider, used: source }) => (source?.kind === 'authFile' ? [provider] : []));
  return [...used, ...unknownEntries];
}

async function logout(argument: string): Promise<string> {
  const auth = await openAuth(process.env);
  if (argument === '') {
    const names = await kept();
    const remedy = names.length === 0 ? `No key is kept in ${auth.authFile}` : `One of: ${names.join(', ')}`;
    throw new TauError('usage', 'Whose key?', { remedy });
  }
  if (await auth.remove(argument)) {
    return visibleLine(`The key of ${argument} is no longer kept. A conversation that has it goes on with it.`);
  }
  throw new TauError('usage', `There is no key of ${argument} in ${auth.authFile}`, {
    remedy: '/login shows where keys come from',
  });
}
