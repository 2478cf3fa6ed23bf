/** Colours by meaning. A component names a role, the theme knows what it looks like on this terminal. */
import type { Role } from './roles.ts';

export { type Role, roles } from './roles.ts';

export interface Theme {
  name: string;
  kind: 'dark' | 'light';
  /** The text in the colours of the role. Nests: only what it opened is closed, so what is around goes on behind it. */
  paint(role: Role, text: string): string;
  /** Of one whose colours change while it is held: what they are now. Whoever remembers colours asks for it. */
  readonly current?: Theme;
}
