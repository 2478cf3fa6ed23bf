/** The first lines: which tau this is, what it talks to, what to do next, what was said before, and what is new. */
import { type Agent, listSessions, type SessionInfo } from '@tau/agent';
import { cut, printableLine, type Theme, widthOf, wrap } from '@tau/tui';
import { sandboxText } from '../render/sandbox.ts';
import { tipFor } from '../render/tips.ts';
import { ago } from './find/sessions.ts';
import type { Block } from './transcript.ts';

/** Set by the build from this package's package.json. */
declare const TAU_VERSION: string;

export interface WelcomeOptions {
  agent: Agent;
  theme: Theme;
  cwd: string;
  /** What earlier versions did not have; undefined when this one ran before. */
  news: string | undefined;
  /** Somebody looks for what to do: not when a prompt came along. */
  isFirst: boolean;
  onChange(): void;
}

const maxRecent = 3;

/** Stands there at once; what was said before joins it a moment later, and then it is finished. */
export function welcomeBlock(options: WelcomeOptions): Block {
  const { agent, cwd, isFirst, onChange } = options;
  let recent: readonly SessionInfo[] | undefined = isFirst && agent.messages().length === 0 ? undefined : [];
  let given = false;
  if (!recent) {
    const place = { env: process.env, cwd };
    void listSessions(place, { limit: maxRecent + 1 })
      .then(
        ({ sessions }) => sessions.filter(({ id }) => id !== agent.sessionId).slice(0, maxRecent),
        // A list that cannot be read is told by whoever asks for it.
        () => [],
      )
      .then((found) => {
        recent = found;
        onChange();
      });
  }
  const lines = (width: number) => welcomeLines(options, recent ?? [], width);
  return {
    get done() {
      return recent !== undefined;
    },
    take(width) {
      if (given || recent === undefined) return [];
      given = true;
      return lines(width);
    },
    live: (width, rows) => (given ? [] : lines(width).slice(-rows)),
  };
}

function welcomeLines(
  { agent, theme, news }: Pick<WelcomeOptions, 'agent' | 'theme' | 'news'>,
  recent: readonly SessionInfo[],
  width: number,
): string[] {
  const muted = (text: string) => theme.paint('muted', text);
  const key = (name: string, what: string) => `${theme.paint('key', name)} ${muted(what)}`;
  const before = agent.messages().length;
  const tip = tipFor(agent);
  const hints = [key('F1', 'help'), key('/', 'commands'), key('@', 'files'), key('!', 'shell'), key('esc', 'stops')];
  return [
    `${theme.paint('title', `τ tau ${TAU_VERSION}`)}${muted(before === 0 ? '' : `  ${before} messages so far`)}`,
    hints.join(muted(' · ')),
    ...(news === undefined ? [] : ['', `${theme.paint('info', 'New:')} ${muted(printableLine(news))}`]),
    ...(recent.length === 0 ? [] : ['', ...recentLines(recent, theme, width)]),
    ...(isOpen(agent)
      ? ['', theme.paint('warning', `sandbox ${printableLine(sandboxText(agent))}; /doctor says how to get one`)]
      : []),
    ...(tip === undefined ? [] : ['', muted(`tip: ${printableLine(tip)}`)]),
  ].flatMap((line) => wrap(line, width));
}

/** There is no sandbox although nobody switched it off. */
function isOpen({ sandbox, settings }: Agent): boolean {
  return !sandbox.on && settings.sandbox?.enabled !== false;
}

function recentLines(recent: readonly SessionInfo[], theme: Theme, width: number): string[] {
  const ages = recent.map(({ modified }) => ago(Date.now() - new Date(modified).getTime()));
  const widest = Math.max(...ages.map(widthOf));
  const rows = recent.map(({ name, firstPrompt, id }, at) => {
    const words = cut(printableLine(name ?? firstPrompt ?? id), Math.max(10, width - widest - 4));
    return `  ${theme.paint('muted', (ages[at] ?? '').padStart(widest))}  ${words}`;
  });
  return [theme.paint('muted', 'Before this, here (/resume goes on with one):'), ...rows];
}
