/** A rule, as it is written in settings and as it is compared. */
import type { Outcome } from '@tau/core';
import type { CommandPattern } from './command-pattern.ts';
import type { InputPattern } from './input-pattern.ts';
import type { PathPattern } from './path-pattern.ts';

export type Pattern = CommandPattern | PathPattern | InputPattern | { kind: 'domain'; value: string };

interface Examples {
  match: readonly string[];
  notMatch: readonly string[];
}

/** What a command may reach in the sandbox besides what every command may. */
export interface Opens {
  /** As people write them in settings. */
  writable: readonly string[];
  hosts: readonly string[];
}

export interface Rule {
  outcome: Outcome;
  /** As the user wrote it. */
  text: string;
  /** `*` is every tool; one that asks or denies may be a pattern of names. */
  tool: string;
  /** The tool's name as the user wrote it, which is all that a tool of somebody else answers to. */
  written: string;
  pattern?: Pattern;
  /** Where it stands, if that is a file of another agent: a reason names it. */
  file?: string;
  examples?: Examples;
  opens?: Opens;
}

/**
 * `match` and `notMatch`: what the rule must cover and what it must not, see `checkExamples`. `writable` and `hosts`: what
 * commands that it allows may change and reach in the sandbox, see `opensFor`.
 */
export type RuleEntry = string | ({ rule: string } & Partial<Examples> & Partial<Opens>);

export interface RuleSet {
  allow?: readonly RuleEntry[];
  ask?: readonly RuleEntry[];
  deny?: readonly RuleEntry[];
}
