/** Ctrl+C and the other signals that ask for an end: the first ends the run in good order, a second ends tau. */
import { exitCode } from '../exit.ts';

export interface Interrupt {
  signal: AbortSignal;
  /** The exit code the signal asks for, once there was one. */
  code(): number | undefined;
  /** Ends the run for another reason than a signal. */
  abort(): void;
  dispose(): void;
}

const codes = [
  ['SIGHUP', exitCode.hungUp],
  ['SIGINT', exitCode.interrupted],
  ['SIGQUIT', exitCode.quit],
  ['SIGTERM', exitCode.terminated],
] as const;

/** Without `ctrlC`, SIGINT is somebody else's. */
export function listenForInterrupt({ ctrlC = true } = {}): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  const heard = codes.filter(([name]) => ctrlC || name !== 'SIGINT');
  const listeners = heard.map(([name, wanted]) => {
    const listener = () => {
      if (code !== undefined) process.exit(wanted);
      code = wanted;
      controller.abort();
    };
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return {
    signal: controller.signal,
    code: () => code,
    abort: () => controller.abort(),
    dispose() {
      for (const off of listeners) off();
    },
  };
}
