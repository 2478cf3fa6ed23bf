/** Which program does what. A name that is not in here is unknown, and so is one whose words are not understood. */
import type { Finding, Invocation, Judge, ShellFacts } from '../invocation.ts';
import { archivePrograms } from './archive.ts';
import { awkPrograms } from './awk.ts';
import { codePrograms } from './code.ts';
import { comparePrograms } from './compare.ts';
import { copyPrograms } from './copy.ts';
import { fetchers } from './fetching.ts';
import { filePrograms } from './files.ts';
import { findPrograms } from './find.ts';
import { forges } from './git/forges.ts';
import { gitPrograms } from './git/judge.ts';
import { jqPrograms } from './jq.ts';
import { listingPrograms } from './listing.ts';
import { machinePrograms } from './machine.ts';
import { networkPrograms } from './network.ts';
import { packagePrograms } from './packages.ts';
import { packingPrograms } from './packing.ts';
import { processPrograms } from './processes.ts';
import { searchPrograms } from './search.ts';
import { sedPrograms } from './sed/sed.ts';
import { systemPrograms } from './system.ts';
import { talkPrograms } from './talk.ts';
import { textPrograms } from './text.ts';

const judges: ReadonlyMap<string, Judge> = new Map([
  ...talkPrograms,
  ...machinePrograms,
  ...textPrograms,
  ...listingPrograms,
  ...comparePrograms,
  ...searchPrograms,
  ...findPrograms,
  ...jqPrograms,
  ...awkPrograms,
  ...sedPrograms,
  ...filePrograms,
  ...copyPrograms,
  ...archivePrograms,
  ...packingPrograms,
  ...gitPrograms,
  ...forges,
  ...fetchers,
  ...networkPrograms,
  ...packagePrograms,
  ...codePrograms,
  ...processPrograms,
  ...systemPrograms,
]);

/** The shell does these itself: no PATH leads to another. */
const builtins: ReadonlySet<string> = new Set([
  'pwd',
  'echo',
  'true',
  'false',
  ':',
  'cd',
  'printf',
  'test',
  '[',
  'type',
  'command',
  'kill',
  'jobs',
  'wait',
  'ulimit',
  'fg',
  'bg',
  'disown',
]);

/** True when more is known of a program than its name. */
export function isProgram(name: string): boolean {
  return judges.has(name);
}

export function judgeProgram(invocation: Invocation, facts: ShellFacts): Finding {
  const [name] = invocation.words;
  if (name === undefined) return unknown('which program it starts is known only when it runs');
  const judge = judges.get(name);
  if (!judge) return judgePath(name, invocation, facts);
  const finding = judge(invocation, facts);
  if (!invocation.plainName) return { ...finding, known: false, why: `the name ${name} is written in a strange way` };
  if (builtins.has(name)) return finding;
  const unproved = (why: string) => ({ ...finding, known: false, why });
  if (!facts.trustedPath) return unproved(`PATH may lead to a ${name} that somebody else put there`);
  return finding.known && facts.managed?.(name) ? unproved(`the project may choose which ${name} is started`) : finding;
}

/**
 * A program called by its path may be another one of the same name. What the name would touch counts, and its dangers;
 * its proofs do not.
 */
function judgePath(path: string, invocation: Invocation, facts: ShellFacts): Finding {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const judge = name === path ? undefined : judges.get(name);
  const { danger, effects = [] } = judge?.({ ...invocation, words: [name, ...invocation.words.slice(1)] }, facts) ?? {};
  const finding = { ...unknown(`tau does not know what ${path} does`), effects };
  return danger === undefined ? finding : { ...finding, danger };
}

function unknown(why: string): Finding {
  return { class: 'unknown', known: false, effects: [], why };
}
