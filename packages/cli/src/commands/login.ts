/** `/login`: keeps the key of a provider, typed where nobody sees it; without a name, which keys there are. */
import { openAuth, TauError } from '@tau/agent';
import { sourceText, statusLines } from '../auth/status.ts';
import { visibleLine } from '../render/visible.ts';
import type { Command, CommandWorld } from './command.ts';

export const loginCommand: Command = {
  ...{
    name: 'login',
    aliases: ['auth'],
    argument: '[PROVIDER]',
    help: "keep a provider's key, or see which there are",
  },
  choices: providers,
  run: login,
};

async function providers(): Promise<string[]> {
  const { providers: all } = await (await openAuth(process.env)).status();
  return all.filter(({ needed }) => needed).map(({ provider }) => provider);
}

async function login(argument: string, { screen }: CommandWorld): Promise<string> {
  const auth = await openAuth(process.env);
  if (argument === '')
    return statusLines(await auth.status())
      .map(visibleLine)
      .join('\n');
  const provider = auth.known(argument);
  if (screen === undefined) {
    const remedy = `tau auth set ${provider} does it: the key is typed where nobody sees it`;
    throw new TauError('usage', 'A key is not kept from here', { remedy });
  }
  const key = await screen.secret(`Key of ${provider}; it is kept in ${auth.authFile}, which only you can read`);
  if (key === undefined) return 'No key was kept.';
  const { before } = await auth.set(provider, key);
  const first = before ? ` ${sourceText(before)} goes before it.` : '';
  return visibleLine(`The key of ${provider} is kept in ${auth.authFile}.${first} /model chooses one of its models.`);
}
