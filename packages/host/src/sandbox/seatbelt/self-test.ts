/** Whether macOS's sandbox works here. Not run by our tests. */
import { isProgram } from '../../local/shell.ts';
import { seatbeltProgram } from './seatbelt.ts';

export interface SeatbeltFacts {
  backend: 'seatbelt';
}

type SelfTest = { works: true; facts: SeatbeltFacts } | { works: false; reason: string; remedy: string };

const patienceMs = 10_000;
const remedy = 'Run without it: --no-sandbox.';

/** A command that must not write where it tries to. */
export function testSeatbelt(): Promise<SelfTest> {
  if (!isProgram(seatbeltProgram)) {
    const reason = `${seatbeltProgram} is not there`;
    return Promise.resolve({ works: false, reason, remedy: 'It is a part of macOS.' });
  }
  const { execFile } = process.getBuiltinModule('node:child_process');
  const profile = '(version 1)(allow default)(deny file-write*)';
  const command = 'echo x > /private/tmp/tau-self-test && echo written; echo ran';
  return new Promise((resolve) => {
    execFile(seatbeltProgram, ['-p', profile, '/bin/sh', '-c', command], { timeout: patienceMs }, (error, output) => {
      if (!error && output.trim() === 'ran') resolve({ works: true, facts: { backend: 'seatbelt' } });
      else resolve({ works: false, reason: `sandbox-exec does not work here: ${error?.message ?? output}`, remedy });
    });
  });
}
