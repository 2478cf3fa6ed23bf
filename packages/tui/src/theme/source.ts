/** A theme as it is written, built in or in a file, and what can be wrong with it. */
import type { Role } from './roles.ts';

export type ColourValue = string | number;

/** The keys of a style in a theme file. */
export const styleColours = ['fg', 'bg'] as const;
export const styleSwitches = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike'] as const;

export interface StyleValue {
  fg?: ColourValue;
  bg?: ColourValue;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  strike?: boolean;
}

export interface ThemeSource {
  name: string;
  kind?: 'dark' | 'light';
  /** The theme that says what this one does not. */
  extends?: string;
  /** The background that the colours were chosen for. It is not painted. */
  background?: string;
  /** Names for colours. A theme that extends another may change them there. */
  vars?: Readonly<Record<string, ColourValue>>;
  colours?: Readonly<Partial<Record<Role, ColourValue | StyleValue>>>;
  /** Where it stands in its file, by its path: `colours.accent`, `vars.blue`, `extends`. */
  places?: ReadonlyMap<string, Place>;
  file?: string;
}

/** Both from 1. */
export interface Place {
  line: number;
  column: number;
}

export interface ThemeProblem {
  message: string;
  file?: string;
  place?: Place;
}

/** As compilers write it, so that terminals and editors can open it. */
export function problemText(problem: ThemeProblem): string {
  if (problem.file === undefined) return problem.message;
  const place = problem.place ? `:${problem.place.line}:${problem.place.column}` : '';
  return `${problem.file}${place}: ${problem.message}`;
}
