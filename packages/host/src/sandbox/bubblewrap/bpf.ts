/**
 * Filters of system calls as the kernel reads them: a program of classic BPF, eight bytes an instruction, that looks at
 * the call's number and arguments and ends with a verdict. Small on purpose: steps that test and return, no jumps across.
 */

/** A question about one call: the first step whose tests all hold gives the verdict. */
export interface Step {
  /** Numbers of system calls; any of them. */
  calls: readonly number[];
  /** All must hold. None: every call of that number. */
  tests?: readonly Test[];
  verdict: number;
}

/** About the lower half of an argument (the kernel takes these as 32 bits). */
type Test =
  | { argument: number; is: 'equal' | 'other'; value: number }
  /** Some of these bits are set. */
  | { argument: number; is: 'some'; value: number }
  /** These bits, and only they of the mask, are set. */
  | { argument: number; is: 'masked'; mask: number; value: number };

export const allow = 0x7fff_0000;
export const notify = 0x7fc0_0000;
export const refuse = (errno: number) => 0x0005_0000 | errno;

export interface Machine {
  /** What the kernel calls the machine's way of making calls. */
  audit: number;
  /** Numbers from here on belong to another way of making the same calls (x32). */
  foreignFrom?: number;
}

const load = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpSome = 0x45;
const and = 0x54;
const ret = 0x06;

const numberAt = 0;
const machineAt = 4;
const argumentsAt = 16;

type Instruction = readonly [code: number, yes: number, no: number, value: number];

/** `otherwise`: for what no step is about. Calls made in another machine's way get `foreign`. */
export function assemble(machine: Machine, steps: readonly Step[], otherwise: number, foreign: number): Buffer {
  const program: Instruction[] = [
    [load, 0, 0, machineAt],
    [jumpEqual, 1, 0, machine.audit],
    [ret, 0, 0, foreign],
    [load, 0, 0, numberAt],
    ...(machine.foreignFrom === undefined
      ? []
      : [[jumpAtLeast, 0, 1, machine.foreignFrom] as const, [ret, 0, 0, foreign] as const]),
    ...steps.flatMap(instructions),
    [ret, 0, 0, otherwise],
  ];
  return encode(program);
}

function instructions({ calls, tests = [], verdict }: Step): Instruction[] {
  const asked = tests.map(testInstructions);
  // After the arguments were looked at, the number must be there again for the next step.
  const reload: Instruction[] = asked.length > 0 ? [[load, 0, 0, numberAt]] : [];
  const body: Instruction[] = [];
  let after = 1;
  for (const test of asked.toReversed()) {
    body.unshift(...test(after));
    after = body.length + 1;
  }
  body.push([ret, 0, 0, verdict]);
  const skip = body.length;
  const numbers = calls.map((call, index): Instruction => {
    const last = index === calls.length - 1;
    return [jumpEqual, calls.length - 1 - index, last ? skip : 0, call];
  });
  return [...numbers, ...body, ...reload];
}

/** Given how many instructions there are to skip when the test fails, the last of them included. */
function testInstructions(test: Test): (skip: number) => Instruction[] {
  const at = argumentsAt + test.argument * 8;
  switch (test.is) {
    case 'equal':
      return (skip) => [
        [load, 0, 0, at],
        [jumpEqual, 0, skip, test.value],
      ];
    case 'other':
      return (skip) => [
        [load, 0, 0, at],
        [jumpEqual, skip, 0, test.value],
      ];
    case 'some':
      return (skip) => [
        [load, 0, 0, at],
        [jumpSome, 0, skip, test.value],
      ];
    case 'masked':
      return (skip) => [
        [load, 0, 0, at],
        [and, 0, 0, test.mask],
        [jumpEqual, 0, skip, test.value],
      ];
    default:
      return test satisfies never;
  }
}

/** Both machines this is for put the lower byte first. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
