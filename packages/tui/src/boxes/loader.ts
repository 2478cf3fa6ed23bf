/** A spinner for work that can be given up: a key aborts its signal. */
import type { Focusable } from '../component.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printKey } from '../keys/print.ts';
import { createSpinner, type Spinner, type SpinnerOptions } from './spinner.ts';

export interface LoaderOptions extends Omit<SpinnerOptions, 'hint'> {
  keys: KeyMatcher;
  onCancel?(): void;
}

export interface Loader extends Focusable, Pick<Spinner, 'everyMs' | 'setText'> {
  /** For the work: aborted when the user gives it up. */
  readonly signal: AbortSignal;
}

export function createLoader({ keys, onCancel, ...options }: LoaderOptions): Loader {
  const controller = new AbortController();
  const key = keys.keysFor('tui.loader.cancel')[0];
  const spinner = createSpinner({ ...options, hint: () => hintOf() });

  function hintOf(): string {
    if (controller.signal.aborted) return '(cancelled)';
    return key === undefined ? '' : `(${printKey(key)} cancels)`;
  }

  return {
    focused: false,
    everyMs: spinner.everyMs,
    signal: controller.signal,
    setText: spinner.setText,
    render: spinner.render,
    handleInput(event) {
      const match = keys.match(event, 'loader');
      if (match === undefined || match === 'pending') return match === 'pending';
      if (match.action !== 'tui.loader.cancel') return false;
      if (controller.signal.aborted) return true;
      controller.abort();
      onCancel?.();
      return true;
    },
  };
}
