/** What the self-test of the sandbox said, kept in tau's home: one small file, read at every start. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '@tau/core';
import type { SandboxFacts, SandboxFinding } from '@tau/host';

interface TestRecord {
  /** What was tested. */
  key: string;
  testedAt: number;
  result: SandboxFinding;
}

/** Undefined when there is none for this key. What cannot be read is as good as none. */
export function readTestRecord(path: string, key: string): TestRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(value) || value.key !== key || typeof value.testedAt !== 'number') return undefined;
    const result = resultIn(value.result);
    return result && { key, testedAt: value.testedAt, result };
  } catch {
    return undefined;
  }
}

function resultIn(value: unknown): SandboxFinding | undefined {
  if (!isRecord(value)) return undefined;
  const { works, reason, remedy, facts } = value;
  if (works === false && typeof reason === 'string' && typeof remedy === 'string') return { works, reason, remedy };
  return works === true && isFacts(facts) ? { works, facts } : undefined;
}

function isFacts(facts: unknown): facts is SandboxFacts {
  if (!isRecord(facts)) return false;
  const { backend, path, version, canLimitMemory, perl = '', nsenter = '', unshare = '' } = facts;
  if (backend === 'seatbelt') return true;
  const texts = [path, version, perl, nsenter, unshare].every((one) => typeof one === 'string');
  return backend === 'bubblewrap' && texts && typeof canLimitMemory === 'boolean';
}

/** Best effort: without it the test is made at the next start too. */
export function writeTestRecord(path: string, record: TestRecord): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A home that cannot be written to is told of elsewhere.
  }
}
