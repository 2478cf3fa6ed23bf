/** Asks what a program does, without a shell around it: `'quoted words'` are one, `$X` is one that nobody knows yet. */
import type { Effect } from '@tau/core';
import type { Finding, Invocation, ShellFacts } from '../src/shell/invocation.ts';
import { judgeProgram } from '../src/shell/programs/table.ts';

export interface Scene extends Partial<ShellFacts>, Partial<Pick<Invocation, 'folders' | 'assigns' | 'open'>> {
  /** Nobody looked at the settings of repositories; else all of them are tame. */
  unlooked?: boolean;
}

export function judge(line: string, scene: Scene = {}): Finding {
  const { folders, assigns, open, unlooked, ...facts } = scene;
  const words = (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) =>
    word === '$X' ? undefined : word.replaceAll("'", ''),
  );
  const invocation: Invocation = {
    words,
    plainName: true,
    folders: 'folders' in scene ? folders : ['/w/app'],
    through: [],
    wrapper: false,
    assigns: assigns ?? [],
    open: open ?? false,
    input: 'none',
  };
  const tame = unlooked ? {} : { tameGit: () => true };
  return judgeProgram(invocation, { cwd: '/w/app', home: '/home/me', trustedPath: true, ...tame, ...facts });
}

/** `read a`, `write b`, `remove c`, `net host`: effects as a line of text each. */
export function effectsOf({ effects }: Pick<Finding, 'effects'>): string[] {
  return effects.map(inWords);
}

function inWords(effect: Effect): string {
  if (effect.kind === 'write') return `${effect.removes === undefined ? 'write' : 'remove'} ${effect.path}`;
  if (effect.kind === 'read') return `read ${effect.path}`;
  return effect.kind === 'net' ? `net ${effect.host}` : effect.kind;
}

/** Known, and nothing but reads in it. */
export function isProved(finding: Finding): boolean {
  return finding.known && finding.effects.every(({ kind }) => kind === 'read');
}
