/** A program in a real pty, shown on a device that watches it: keys go in, and the test waits for what stands there. */
export interface TerminalOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  columns?: number;
  rows?: number;
  widthOf(text: string): number;
  /** How long a text is waited for. */
  waitMs?: number;
}

export interface TestTerminal {
  type(keys: string): void;
  /** Waits until it stands on the screen, or until it holds. */
  shows(wanted: string | (() => boolean)): Promise<void>;
  hides(text: string): Promise<void>;
  /** The rows that are seen. */
  screen(): string;
  /** Scrollback and screen, each line once. */
  lines(): string[];
  /** Widths are not looked at until the program has drawn for the new size, which `settled` says. */
  resize(columns: number, rows: number): void;
  settled(): void;
  /** As one that is busy: for so long it takes new sizes at once, and what the program writes not before the end. */
  stall(ms: number): void;
  /** Bytes the program wrote so far. */
  written(): number;
  output(): string;
  readonly isAlternate: boolean;
  /** What was done to the terminal that no program may do to it. */
  faults(): readonly string[];
  /** What is switched on. */
  leftOn(): readonly string[];
  pid: number;
  done: Promise<{ code: number; signal: number | undefined }>;
  /** Ends the program, when it has not ended, and lets go of the device. */
  close(): Promise<void>;
}

/** What is kept of what a program wrote. */
const maxOutput = 4_000_000;

export async function openTerminal(options: TerminalOptions): Promise<TestTerminal> {
  // Only who opens a terminal pays for one.
  const [{ spawn }, { createDevice }] = await Promise.all([import('@lydell/node-pty'), import('./device.ts')]);
  const { file, args, cwd, env, columns = 100, rows = 40, waitMs = 20_000 } = options;
  const child = spawn(file, [...args], { cols: columns, rows, cwd, env, name: env.TERM ?? 'xterm-256color' });
  let isOver = false;
  const send = (data: string) => {
    if (!isOver) child.write(data);
  };
  const device = createDevice({ columns, rows, widthOf: options.widthOf, onAnswer: send });
  const listeners = new Set<() => void>();
  let output = '';
  let written = 0;
  let waiting: string[] | undefined;
  const show = (data: string) => {
    device.write(data);
    for (const listener of [...listeners]) listener();
  };
  child.onData((data) => {
    output = (output + data).slice(-maxOutput);
    written += Buffer.byteLength(data);
    if (waiting) waiting.push(data);
    else show(data);
  });
  const done = new Promise<{ code: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve({ code: exitCode, signal: signal === 0 ? undefined : signal });
      for (const listener of [...listeners]) listener();
    });
  });
  const screen = () => device.screen().join('\n');

  function until(isThere: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        clearTimeout(timer);
        listeners.delete(check);
        end();
      };
      const fail = (why: string) => finish(() => reject(new Error(`${why} ${what}:\n${screen()}`)));
      const check = () => {
        if (device.faults().length > 0) fail(`${device.faults().join('; ')}; while waiting for`);
        else if ((isOver || !device.isDrawing) && isThere()) finish(resolve);
      };
      const timer = setTimeout(() => fail('waited in vain for'), waitMs);
      listeners.add(check);
      check();
    });
  }

  return {
    type: send,
    shows: (wanted) =>
      typeof wanted === 'string' ? until(() => screen().includes(wanted), wanted) : until(wanted, String(wanted)),
    hides: (text) => until(() => !screen().includes(text), `the end of ${text}`),
    screen,
    lines: device.lines,
    resize(newColumns, newRows) {
      if (isOver) return;
      device.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    settled: device.settled,
    stall(ms) {
      if (waiting) return;
      waiting = [];
      setTimeout(() => {
        const late = waiting ?? [];
        waiting = undefined;
        for (const data of late) show(data);
      }, ms);
    },
    written: () => written,
    output: () => output,
    get isAlternate() {
      return device.isAlternate;
    },
    faults: device.faults,
    leftOn: device.leftOn,
    pid: child.pid,
    done,
    async close() {
      if (!isOver) child.kill('SIGKILL');
      await done;
      device.dispose();
    },
  };
}
