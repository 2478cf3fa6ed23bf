/**
 * What the user says beforehand to everything that will be asked: ask as usual, yes to all, no to all, or yes for some
 * time. A yes of this kind is never one to what must be asked every time.
 */
import type { Ask } from '@tau/core';

export type ApprovalWindow = 'ask' | 'all' | 'none' | { forMs: number };

/** How it stands now. `until`: Unix milliseconds, when there is an end. */
export interface Approval {
  policy: 'ask' | 'all' | 'none';
  until?: number;
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
const maxWindowMs = 24 * 3_600_000;

/** For whoever has to say which words there are. */
export const approvalWords = 'ask, all, none, or a time of at most a day such as 30s, 10m or 1h';

export function parseApproval(text: string): ApprovalWindow | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'ask' || word === 'all' || word === 'none') return word;
  const [, number = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(word) ?? [];
  const forMs = Number(number) * (units[unit] ?? 0);
  return forMs > 0 && forMs <= maxWindowMs ? { forMs } : undefined;
}

export function describeApproval({ policy, until }: Approval, now = Date.now()): string {
  if (policy === 'none') return 'none: whatever would be asked is denied';
  if (policy === 'ask') return 'ask: you are asked';
  const rest = until === undefined ? 'for the rest of this sitting' : `for ${lengthOf(until - now)} more`;
  return `all: yes to everything ${rest}, but for what is dangerous or always asked`;
}

function lengthOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** No standing yes is an answer to this. */
export function mustBeAsked({ decision }: Ask): boolean {
  return decision.everyTime === true || decision.class === 'dangerous';
}

export interface Window {
  now(): Approval;
  set(window: ApprovalWindow): void;
  close(): void;
}

/** `onEnd`: the time is over, and it is asked again. */
export function createWindow(onEnd: () => void): Window {
  let approval: Approval = { policy: 'ask' };
  /** By a clock that nobody can set back. */
  let endsAt = Infinity;
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(timer);
    if (approval.until === undefined) return;
    approval = { policy: 'ask' };
    onEnd();
  }

  return {
    now() {
      if (approval.until !== undefined && (Date.now() >= approval.until || performance.now() >= endsAt)) end();
      return approval;
    },
    set(window) {
      clearTimeout(timer);
      if (typeof window === 'string') {
        approval = { policy: window };
        return;
      }
      approval = { policy: 'all', until: Date.now() + window.forMs };
      endsAt = performance.now() + window.forMs;
      timer = setTimeout(end, window.forMs).unref();
    },
    close: () => clearTimeout(timer),
  };
}
