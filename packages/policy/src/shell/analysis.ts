/** What is known of a command line once it has been taken apart. */
import type { CommandClass, Effect } from '@tau/core';
import type { Finding, Invocation } from './invocation.ts';

export interface Part {
  invocation: Invocation;
  finding: Finding;
}

export interface Analysis {
  /** Everything in it that is started, in the order of the text; what is nested comes after what holds it. */
  parts: readonly Part[];
  /** What redirections open. */
  redirects: readonly Effect[];
  /** What the line does besides starting programs that makes it impossible to prove: an assignment, a function. */
  doubts: readonly string[];
  /** Why it could not be taken apart. Then nothing else in here counts as complete. */
  problem?: string;
}

/** An analysis in short, as effects and reasons are made from it. */
export interface Summary {
  class: CommandClass;
  readOnly: boolean;
  known: boolean;
  danger?: string;
  effects: readonly Effect[];
  /** Each once, in order. */
  programs: readonly string[];
}
