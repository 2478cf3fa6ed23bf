/** The device a screen draws on. The real one is in process.ts; tests and programs that embed bring their own. */

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** News of a size may be late: asks for it now, and tells the listener if it is another. */
  look?(): void;
  write(data: string): void;
  /** Begins to listen. Modes for keys, paste and focus are on from here to `stop`. */
  start(listener: TerminalListener): void;
  /** Gives the terminal back as it was. Resolves when nothing of ours is on its way any more. A second call does nothing. */
  stop(): Promise<void>;
  /** As Ctrl+Z does where the terminal handles it: the whole job stops, until the shell continues it. */
  suspend(): void;
  /** Another program has the terminal until what is returned is called: as it was before `start`, and nothing is read. */
  lend(): () => void;
  /** To the alternate screen, or back to the main one, which is then as it was. */
  alternate(on: boolean): void;
  /** A mode that was found out to work after the start. */
  enable(mode: TerminalMode): void;
}

export type TerminalMode = 'kittyKeyboard' | 'modifyOtherKeys';

export interface TerminalListener {
  /** May begin or end in the middle of anything: a decoder puts it together. */
  onInput(data: string | Uint8Array): void;
  onResize(): void;
  /** The program is about to stop: what is drawn may be taken away or finished. The terminal still listens. */
  onSuspend?(): void;
  /** The program goes on after it was stopped: the terminal's modes are on again, what it shows is unknown. */
  onResume?(): void;
  /** The last chance to write before the terminal is given back. Called once, in a crash too, so it must not throw. */
  onStop?(): void;
  /** The terminal is gone. */
  onEnd?(): void;
}
