/** The title of the window, and the work shown in its tab: which project, and whether it works, waits or asks. */
import { basename } from 'node:path';
import { progress, title } from '@tau/tui';

export type Doing = 'nothing' | 'work' | 'question';

export interface TitleOptions {
  cwd: string;
  name(): string | undefined;
  hasProgress(): boolean;
  send(sequence: string): void;
}

const marks: Readonly<Record<Doing, string>> = { nothing: 'τ', work: '●', question: '?' };

/** Told at every change; writes only what differs. */
export function createTitle({ cwd, name, hasProgress, send }: TitleOptions): (doing: Doing) => void {
  let shown = '';
  let isBusy = false;
  return (doing) => {
    const called = name();
    const next = `${marks[doing]} ${called === undefined ? basename(cwd) || cwd : called}`;
    if (next !== shown) send(title(next));
    shown = next;
    const busy = doing === 'work';
    if (busy !== isBusy && hasProgress()) send(progress({ state: busy ? 'busy' : 'none' }));
    isBusy = busy;
  };
}
