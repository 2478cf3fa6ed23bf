/** A desk to sit down at without waiting: keys go in as soon as the terminal is there, which is watched as any desk's is. */
import type { Sandbox } from '@tau/testkit';
import { type Desk, openDesk } from './desk.ts';

export interface AtScreen {
  type(keys: string): void;
  /** Waits until it stands on the screen. */
  shows(text: string): Promise<void>;
  /** Waits until it does not. */
  hides(text: string): Promise<void>;
  screen(): string;
  /** Its exit code, with the terminal as it was before. */
  readonly done: Promise<number>;
}

export function openApp(
  sandbox: Pick<Sandbox, 'home' | 'project'>,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): AtScreen {
  let desk: Desk | undefined;
  const opening = openDesk(sandbox, { args, env: { TAU_PLAIN: '', ...env }, columns: 100, rows: 40 }).then((opened) => {
    desk = opened;
    return opened;
  });
  return {
    screen: () => desk?.screen() ?? '',
    type: (keys) => void opening.then((opened) => opened.type(keys)),
    shows: async (text) => (await opening).shows(text),
    hides: async (text) => (await opening).hides(text),
    get done() {
      return opening.then((opened) => opened.leaves());
    },
  };
}
