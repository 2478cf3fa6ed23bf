/**
 * Whether commands can run in a sandbox here: what the user wants, which one there is, and what its self-test said. Only a
 * small file is read for it, unless nobody has tested it yet.
 */
import { readlinkSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { describeError, type SandboxState } from '@tau/core';
import { findProgram, type Sandbox, type SandboxFacts, type SandboxFinding } from '@tau/host';
import type { Home } from '../config/home.ts';
import type { Settings } from '../config/types.ts';
import { programsProject } from '../own-programs.ts';
import { readTestRecord, writeTestRecord } from './test-record.ts';

export interface FoundSandbox {
  state: SandboxState;
  /** Commands run in it or not at all. */
  required: boolean;
  /** The user said when tau was started that there shall be none. */
  refused?: boolean;
  /** How to get one that works. */
  remedy?: string;
  /** What makes it, when it is on. */
  facts?: SandboxFacts;
}

export interface SandboxPlace {
  env: NodeJS.ProcessEnv;
  home: Home;
  cwd: string;
  settings: Settings;
  /** What the user said when tau was started: `--sandbox`, `--no-sandbox`, or nothing. */
  wanted?: boolean | undefined;
  /** Tests it whatever was found before. */
  anew?: boolean;
  /** False for who only looks: what a test finds out is not written down. */
  keep?: boolean;
}

export async function findSandbox(place: SandboxPlace): Promise<FoundSandbox> {
  const { settings, wanted } = place;
  const required = wanted === true;
  if (wanted === false) return { ...off('--no-sandbox says so'), refused: true };
  if (!required && settings.sandbox?.enabled === false) return off('the setting sandbox.enabled says so');
  const result = await tested(place);
  if (!result.works) return { ...off(result.reason, result.remedy), required };
  return { state: { on: true, backend: result.facts.backend }, required, facts: result.facts };
}

function off(reason: string, remedy?: string): FoundSandbox {
  return { state: { on: false, reason }, required: false, ...(remedy !== undefined && { remedy }) };
}

/** A test that failed is made again after a while: somebody may have mended what was wrong. */
const failureLastsMs = 2 * 60_000;
/** One that works without a helper that is there holds less than it might: the machine may have been at its limits. */
const partLastsMs = 60 * 60_000;

async function tested(place: SandboxPlace): Promise<SandboxFinding> {
  const { env, home, cwd } = place;
  const project = programsProject(cwd, home);
  const name = backendOf(place);
  if (typeof name !== 'string') return name;
  // Seatbelt is a part of the system, whose release is in the key.
  const program = name === 'bubblewrap' ? findProgram('bwrap', env, project) : process.execPath;
  // Not worth a file, and not worth loading what would say so.
  if (program === undefined) return noBubblewrap;
  const path = join(home.tau, 'sandbox.json');
  const helpers = helpersHere(env, project);
  const key = keyOf(program, helpers);
  const record = place.anew ? undefined : readTestRecord(path, key);
  if (record && Date.now() - record.testedAt < lastsMs(record.result, helpers)) return record.result;
  const { testBackend } = await import('./backend.ts');
  const result = await testBackend(name, env, project).catch(failed);
  if (place.keep !== false) writeTestRecord(path, { key, testedAt: Date.now(), result });
  return result;
}

function lastsMs(result: SandboxFinding, helpers: Helpers): number {
  if (!result.works) return failureLastsMs;
  const { facts } = result;
  const isWhole = facts.backend !== 'bubblewrap' || helperNames.every((name) => facts[name] === helpers[name]);
  return isWhole ? Number.POSITIVE_INFINITY : partLastsMs;
}

function failed(error: unknown): SandboxFinding {
  return { works: false, reason: `its self-test failed: ${describeError(error)}`, remedy: 'tau doctor says more' };
}

const noBubblewrap: SandboxFinding = {
  works: false,
  reason: 'bubblewrap (bwrap) is not installed',
  remedy: 'Install bubblewrap with the package manager of the system (apt, dnf, pacman, apk: bubblewrap)',
};
/** The one of this system, unless the user names another. */
function backendOf({ settings }: SandboxPlace): Sandbox['name'] | SandboxFinding {
  const own = process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap';
  const wished = settings.sandbox?.backend ?? 'auto';
  if (wished === 'auto' || wished === own) return own;
  const system = wished === 'seatbelt' ? 'macOS' : 'Linux';
  const remedy = 'Take away the setting sandbox.backend';
  return { works: false, reason: `${wished} is for ${system}`, remedy };
}

const helperNames = ['perl', 'nsenter', 'unshare'] as const;
type Helpers = Partial<Record<(typeof helperNames)[number], string>>;

function helpersHere(env: NodeJS.ProcessEnv, project: string): Helpers {
  return Object.fromEntries(helperNames.map((name) => [name, findProgram(name, env, project)]));
}

/** Changes when another kernel, container, program or user would have to be tested. */
function keyOf(program: string, helpers: Helpers): string {
  const { mtimeMs, size } = statSync(program);
  const system = [process.arch, release(), process.getuid?.(), ...namespaces()];
  return [testVersion, program, mtimeMs, size, ...system, ...helperNames.map((name) => helpers[name] ?? '-')].join(' ');
}

/** A container may have the same home as the machine it is on, and other rights. */
function namespaces(): string[] {
  try {
    return ['user', 'pid'].map((name) => readlinkSync(`/proc/self/ns/${name}`));
  } catch {
    return [];
  }
}

/** Of what is tested; another one makes every earlier result void. */
const testVersion = 4;
