/** Colours by meaning. A component names a role, the theme knows what it looks like on this terminal. */

/** What text can be. The whole list is the theme file's vocabulary. */
export const roles = [
  'text',
  'muted',
  'accent',
  'border',
  'selection',
  'success',
  'warning',
  'error',
  'info',
] as const;
export type Role = (typeof roles)[number];

export interface Theme {
  name: string;
  kind: 'dark' | 'light';
  /** The text in the colours of the role. Nests: only what it opened is closed, so what is around goes on behind it. */
  paint(role: Role, text: string): string;
}
