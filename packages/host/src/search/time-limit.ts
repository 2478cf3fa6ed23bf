/** Runs work that a hostile pattern could make endless, and stops it: a regular expression cannot be asked to stop. */
import { isRecord } from '@tau/core';

/** Undefined when the time was over. */
export type TimeLimit = <T>(work: () => T) => { value: T } | undefined;

export function createTimeLimit(milliseconds: number): TimeLimit {
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  const box: { work: () => void } = { work: () => {} };
  // Making a context takes a millisecond, so one is made for all the work of a search.
  const context = createContext(box);
  const script = new Script('work()');
  return (work) => {
    let done: { value: ReturnType<typeof work> } | undefined;
    box.work = () => {
      done = { value: work() };
    };
    try {
      script.runInContext(context, { timeout: milliseconds });
    } catch (error) {
      // Not `instanceof Error`: it is one of the context's.
      if (isRecord(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    }
    return done;
  };
}
