/** What the terminal can show, from what it says of itself. */
import type { Check } from '@tau/agent';

interface Screen {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

const narrow = 40;

export function terminalChecks(screen: Screen, env: NodeJS.ProcessEnv): Check[] {
  return [terminal(screen, env), unicode(env)];
}

function terminal({ isTTY = false, columns = 0, rows = 0 }: Screen, env: NodeJS.ProcessEnv): Check {
  const around = multiplexer(env);
  const detail = [
    `TERM=${env.TERM ?? ''}`,
    colours(isTTY, env),
    isTTY ? `${columns} × ${rows}` : 'stdout is no terminal',
    ...(around === undefined ? [] : [`inside ${around}`]),
  ].join(', ');
  const one = { id: 'terminal', title: 'Terminal' };
  if (!isTTY) return { ...one, status: 'ok', detail };
  if (!env.TERM || env.TERM === 'dumb') {
    return { ...one, status: 'note', detail, remedy: 'Set TERM to what the terminal is, for example xterm-256color' };
  }
  if (columns > 0 && columns < narrow) {
    return { ...one, status: 'note', detail, remedy: `Make it wider: tau wants ${narrow} columns` };
  }
  return { ...one, status: 'ok', detail };
}

function colours(isTTY: boolean, env: NodeJS.ProcessEnv): string {
  if (env.NO_COLOR) return 'no colours, because NO_COLOR is set';
  if (!isTTY || !env.TERM || env.TERM === 'dumb') return 'no colours';
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 'all colours';
  return env.TERM.includes('256') ? '256 colours' : '16 colours';
}

function multiplexer(env: NodeJS.ProcessEnv): string | undefined {
  if (env.TMUX) return 'tmux';
  if (env.ZELLIJ !== undefined) return 'zellij';
  return env.STY ? 'screen' : undefined;
}

function unicode(env: NodeJS.ProcessEnv): Check {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => env[variable]);
  const one = { id: 'unicode', title: 'Unicode' };
  const detail = name === undefined ? 'no locale is set' : `${name}=${env[name]}`;
  // On macOS terminals are in UTF-8 whatever the locale.
  if (/utf-?8/i.test(detail) || process.platform === 'darwin') return { ...one, status: 'ok', detail };
  const remedy = 'Set LANG to a locale with UTF-8, for example C.UTF-8';
  return { ...one, status: 'note', detail: `${detail}: programs may show letters beyond ASCII wrongly`, remedy };
}
