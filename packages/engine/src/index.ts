/** The loop and the gate. */
export { createGate, type Gate } from './gate.ts';
export { createQueues, type DrainMode, type Queues } from './queues.ts';
export { type RunOptions, type RunOutcome, run } from './run.ts';
