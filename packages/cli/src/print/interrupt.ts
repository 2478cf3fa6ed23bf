/** Ctrl+C and SIGTERM: the first ends the run in good order, a second ends tau. */
import { exitCode } from '../exit.ts';

export interface Interrupt {
  signal: AbortSignal;
  /** The exit code the signal asks for, once there was one. */
  code(): number | undefined;
  /** Ends the run for another reason than a signal. */
  abort(): void;
  dispose(): void;
}

export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  const on = (wanted: number) => () => {
    if (code !== undefined) process.exit(wanted);
    code = wanted;
    controller.abort();
  };
  const onInt = on(exitCode.interrupted);
  const onTerm = on(exitCode.terminated);
  process.on('SIGINT', onInt);
  process.on('SIGTERM', onTerm);
  return {
    signal: controller.signal,
    code: () => code,
    abort: () => controller.abort(),
    dispose() {
      process.off('SIGINT', onInt);
      process.off('SIGTERM', onTerm);
    },
  };
}
