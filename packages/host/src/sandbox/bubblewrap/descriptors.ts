/**
 * Descriptors that tau got from whoever started it, and that every program it starts would get too. A folder open in one
 * of them would be a way out of the sandbox, so a file with nothing in it takes the place of each, and the sandbox program
 * reads and closes it before the command begins. Usually there are none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { TauError } from '@tau/core';

const closeOnExec = 0o2000000;
/** A list of all descriptors up to the highest is made for each command. */
const highest = 65_535;

/** Above the three usual ones. */
export function inheritable(): number[] {
  const found = readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((number) => number > 2 && isInheritable(number));
  const wide = found.find((number) => number > highest);
  if (wide === undefined) return found;
  throw new TauError('process', `The sandbox cannot close the descriptor ${wide}, which tau was started with`, {
    remedy: 'Start tau without open descriptors.',
  });
}

function isInheritable(number: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The one by which the list was read is gone.
    return false;
  }
}

type Descriptor = 'pipe' | 'ignore' | number;

/** What a program gets from descriptor 3 on: its own first, and the stand-in for each inherited one behind them. */
export function withStandIns(
  own: readonly Descriptor[],
  inherited: readonly number[],
  standIn: number,
): { descriptors: readonly Descriptor[]; toClose: readonly number[] } {
  const toClose = inherited.filter((number) => number - 3 >= own.length);
  if (toClose.length === 0) return { descriptors: own, toClose };
  const length = Math.max(...toClose) - 2;
  const all: Descriptor[] = Array.from({ length }, (_, index) => own[index] ?? 'ignore');
  for (const number of toClose) all[number - 3] = standIn;
  return { descriptors: all, toClose };
}
