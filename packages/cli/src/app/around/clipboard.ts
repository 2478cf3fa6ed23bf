/** To the clipboard: by a program of this machine where one is there, else by the terminal, which also reaches over ssh. */
import type { Capabilities } from '@tau/tui';
import { copy } from '@tau/tui';
import { runProgram } from './program.ts';

export interface ClipboardOptions {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  capabilities(): Pick<Capabilities, 'multiplexer' | 'remote'>;
  /** A sequence to the terminal. */
  send(sequence: string): void;
}

type Program = readonly [name: string, ...args: string[]];

/** In the order in which they are tried. */
export function clipboardPrograms({ env, platform, capabilities }: Omit<ClipboardOptions, 'send'>): Program[] {
  const { multiplexer, remote } = capabilities();
  // tmux hands nothing on by default, and passes its own buffer to the terminal it runs in.
  const tmux: Program[] = multiplexer === 'tmux' ? [['tmux', 'load-buffer', '-w', '-']] : [];
  if (remote) return tmux;
  if (platform === 'darwin') return [['pbcopy']];
  return [
    ...(env.WAYLAND_DISPLAY ? [['wl-copy'] as const] : []),
    ...(env.DISPLAY
      ? ([
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ] as const)
      : []),
    ...(env.WSL_DISTRO_NAME ? [['clip.exe'] as const] : []),
    ...tmux,
  ];
}

const waitMs = 2000;

/** Says how it went. */
export async function toClipboard(text: string, options: ClipboardOptions): Promise<string> {
  const size = `${text.length.toLocaleString('en-US')} characters`;
  for (const [name, ...args] of clipboardPrograms(options)) {
    const { code } = await runProgram(name, args, { env: options.env, input: text, waitMs, maxOutput: 0 });
    if (code === 0) return `Copied ${size}.`;
  }
  const sequence = copy(text);
  if (sequence === undefined) return `${size} are too many for the clipboard of a terminal. Nothing was copied.`;
  options.send(sequence);
  return `Copied ${size} through the terminal. If nothing arrived, it does not allow that (OSC 52).`;
}
