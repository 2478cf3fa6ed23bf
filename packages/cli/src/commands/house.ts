/** Commands about tau itself: health, settings, keys and colours, and the way out. */
import { examine, openConfig, TauError, writeAgentsTemplate } from '@tau/agent';
import { createStyle } from '../render/style.ts';
import { visible, visibleLine } from '../render/visible.ts';
import { changelogCommand } from './changelog.ts';
import { type Command, type CommandWorld, oneOf } from './command.ts';
import { contextText } from './context.ts';
import { hotkeysCommand } from './hotkeys.ts';
import { loginCommand } from './login.ts';
import { logoutCommand } from './logout.ts';

export const houseCommands: readonly Command[] = [
  {
    ...{ name: 'context', help: 'what fills the context window' },
    run: (_, { agent, screen }) => screen?.showContext() ?? contextText(agent),
  },
  {
    ...{ name: 'settings', aliases: ['config'], argument: '[KEY [VALUE]]', help: 'show or change a setting' },
    ...{ panel: 'settings', choices: () => settingNames(), run: settings },
  },
  {
    ...{ name: 'theme', argument: '[NAME]', help: 'the colours of the screen', panel: 'theme', needsScreen: true },
    choices: ({ screen }) => screen?.themes() ?? [],
    run: theme,
  },
  {
    ...{ name: 'vim', argument: '[on|off]', help: 'edit prompts with the keys of vim', needsScreen: true },
    choices: () => ['on', 'off'],
    run: vim,
  },
  hotkeysCommand,
  {
    ...{ name: 'reload', help: 'read keybindings.json and the themes again', needsScreen: true },
    run: (_, { screen }) => needed(screen).reload(),
  },
  loginCommand,
  logoutCommand,
  changelogCommand,
  { name: 'doctor', help: 'check that everything is there that tau needs', run: doctor },
  { name: 'init', help: 'make an AGENTS.md for this folder, from what is there', run: init },
  {
    ...{ name: 'quit', aliases: ['exit', 'q'], help: 'leave; Ctrl+D or Ctrl+C twice do so too' },
    run: (_, { leave }) => leaving(leave),
  },
];

function leaving(leave: () => void): string {
  leave();
  return '';
}

async function settingNames(): Promise<string[]> {
  return (await config().load()).list().map(({ key }) => key);
}

function config() {
  return openConfig({ env: process.env, cwd: process.cwd() });
}

/** All of them, one, or one with another value, which is kept for the user. */
async function settings(argument: string): Promise<string> {
  const { listLines, valueText } = await import('../config/lines.ts');
  const [, key, text = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
  const all = config();
  if (!key || argument === 'list') return listLines((await all.load()).list()).join('\n');
  if (text !== '') {
    const { path, changed } = await all.save('user', key, all.readValue(key, text));
    return visibleLine(changed ? `${key} is set in ${path}` : `${key} was so already in ${path}`);
  }
  const value = (await all.load()).get(key);
  return value === undefined ? `${key} is not set` : visible(valueText(value));
}

function needed(screen: CommandWorld['screen']): NonNullable<CommandWorld['screen']> {
  if (screen === undefined) throw new TauError('usage', 'This needs the screen');
  return screen;
}

function theme(argument: string, world: CommandWorld): string | Promise<string> {
  const screen = needed(world.screen);
  return argument === '' ? screen.themes().join(' ') : screen.setTheme(oneOf(screen.themes(), argument, 'theme'));
}

function vim(argument: string, world: CommandWorld): Promise<string> {
  const screen = needed(world.screen);
  const on = argument === '' ? !screen.isVim() : oneOf(['on', 'off'], argument, 'answer') === 'on';
  return screen.setVim(on);
}

async function doctor(): Promise<string> {
  const { checkLines } = await import('../doctor/lines.ts');
  const checks = await examine({ env: process.env, cwd: process.cwd() });
  return checkLines(checks, createStyle(process.stdout, process.env)).join('\n');
}

function init(): string {
  const { path, created } = writeAgentsTemplate(process.cwd());
  return visible(created ? `${path} is made` : `${path} is there already; nothing was changed`);
}
