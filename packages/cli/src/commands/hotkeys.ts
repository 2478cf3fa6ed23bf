/** `/hotkeys`: the keys in force, and the file that changes them. On a screen to scroll in, else as lines. */
import { dirname } from 'node:path';
import { openConfig } from '@tau/agent';
import { visible } from '../render/visible.ts';
import type { Command } from './command.ts';

export const hotkeysCommand: Command = {
  ...{ name: 'hotkeys', aliases: ['keybindings', 'keys'], help: 'the keys in force, and the file that changes them' },
  run: (_, { screen }) => screen?.keys() ?? keysText(),
};

async function keysText(): Promise<string> {
  const [{ defaultActions }, { appActions }, { createLiveKeymap, readKeyFile }, { keyLines }] = await Promise.all([
    import('@tau/tui'),
    import('../app/keys.ts'),
    import('../app/find/keybindings.ts'),
    import('../app/find/help.ts'),
  ]);
  const home = dirname(openConfig({ env: process.env, cwd: process.cwd() }).path('user'));
  const keys = createLiveKeymap([...appActions, ...defaultActions]);
  const { path, bindings, problems } = await readKeyFile(home, keys.actions);
  keys.use(bindings);
  return visible([`${path} changes them.`, ...problems, ...keyLines(keys, (text) => text)].join('\n'));
}
