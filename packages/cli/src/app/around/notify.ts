/** Calls the user back who looks elsewhere: something is asked, or the work is done. Who looks on is left alone. */
import { type Capabilities, type InputEvent, notification } from '@tau/tui';
import { runProgram } from './program.ts';

export type NotifyWay = 'auto' | 'bell' | 'desktop' | 'off';

export interface NotifierOptions {
  way(): NotifyWay;
  capabilities(): Pick<Capabilities, 'notifications'>;
  send(sequence: string): void;
  /** Shows it by a program of the desktop. False when there is none. */
  desktop(heading: string, text: string): Promise<boolean>;
  now(): number;
}

export interface Notifier {
  /** Every key, and every time the window is entered or left. */
  input(event: InputEvent): void;
  /** Something waits for an answer. */
  asks(text: string): void;
  /** A run that took this long is over. */
  ends(text: string, tookMs: number): void;
}

/** Where the terminal does not tell whether its window is looked at, so long without a key means that nobody does. */
const awayMs = 20_000;
/** Nobody left for less. */
const shortMs = 3000;

export function createNotifier({ way, capabilities, send, desktop, now }: NotifierOptions): Notifier {
  let focused: boolean | undefined;
  let lastKey = now();
  const isUnseen = () => (focused === undefined ? now() - lastKey > awayMs : !focused);

  function notify(text: string): void {
    if (way() === 'off' || !isUnseen()) return;
    const through = capabilities().notifications;
    if (way() === 'bell') send(notification('tau', text, 'bell'));
    else if (way() === 'auto') send(notification('tau', text, through));
    else void desktop('tau', text).then((shown) => shown || send(notification('tau', text, through)));
  }

  return {
    input(event) {
      if (event.type === 'focus') focused = event.focused;
      else lastKey = now();
    },
    asks: notify,
    ends(text, tookMs) {
      if (tookMs >= shortMs) notify(text);
    },
  };
}

/** By what the desktop has for it. */
export async function onDesktop(
  heading: string,
  text: string,
  { env, platform }: { env: NodeJS.ProcessEnv; platform: NodeJS.Platform },
): Promise<boolean> {
  const run = async (name: string, args: readonly string[]) =>
    (await runProgram(name, args, { env, waitMs: 3000, maxOutput: 0 })).code === 0;
  if (platform !== 'darwin') return run('notify-send', ['--app-name=tau', '--', heading, text]);
  const quoted = (words: string) => `"${words.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return run('osascript', ['-e', `display notification ${quoted(text)} with title ${quoted(heading)}`]);
}
