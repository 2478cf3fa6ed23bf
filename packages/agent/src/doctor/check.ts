/** What doctor says of one thing: how it is, and what to do where it is not well. */
import { describeError, TauError } from '@tau/core';

/** `problem`: tau does not work, or is not safe, until it is mended. `warning`: less works. `note`: worth knowing. */
export type CheckStatus = 'ok' | 'note' | 'warning' | 'problem';

export interface Check {
  /** Stays the same between versions; several things may be wrong with one. */
  id: string;
  status: CheckStatus;
  title: string;
  detail: string;
  remedy?: string;
}

/** Where doctor looks. */
export interface DoctorPlace {
  env: NodeJS.ProcessEnv;
  /** Nothing when the folder is gone. */
  cwd: string | undefined;
}

export function check(id: string, title: string, status: CheckStatus, detail: string, remedy?: string): Check {
  return { id, status, title, detail, ...(remedy !== undefined && { remedy }) };
}

/** An error as a problem, its way out apart. */
export function failed(id: string, title: string, error: unknown): Check {
  if (error instanceof TauError) return check(id, title, 'problem', error.message, error.remedy ?? 'Mend it');
  return check(id, title, 'problem', describeError(error), 'Mend what it names, then run tau doctor again');
}

/** The first so many, and how many more there are. */
export function someOf(texts: readonly string[], most: number, between = '; '): string {
  const more = texts.length - most;
  return [...texts.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join(between);
}

/** A path as a word of a command line that is to be copied. */
export function quoted(path: string): string {
  return /^[\w./~+:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 || size >= 10 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** By whole numbers: 2.9 is older than 2.38. */
export function isAtLeast(version: string, ...wanted: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  for (const [at, number] of wanted.entries()) {
    const part = parts[at] ?? 0;
    if (part !== number) return part > number;
  }
  return true;
}
