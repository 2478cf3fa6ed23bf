/** The yardstick of commands that run together: the same shells started by nothing but Node. Prints how long it took, in ms. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parallelCommands, sleepFor } from './scenarios.mjs';

const begun = performance.now();
const stdio = ['ignore', 'pipe', 'pipe'];
const ends = Array.from({ length: parallelCommands }, (_, at) => {
  const child = spawn('/bin/bash', ['-c', `exec 2>&1; ${sleepFor(at)}`], { stdio, detached: true });
  return once(child, 'close');
});
await Promise.all(ends);
process.stdout.write(String(performance.now() - begun));
