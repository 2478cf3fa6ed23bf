/** A small project to decide about: /w/app, with home /home/me. */
import { join } from 'node:path/posix';
import type { Decision, Effect, PermissionMode, ResolvedEffect, ToolSource } from '@tau/core';
import type { PathScope, RuleSet } from '../src/index.ts';
import {
  createShellReader,
  decide,
  parseRules,
  type ShellFacts,
  type ShellReader,
  shellEffects,
} from '../src/index.ts';

/** A shell in /w/app, ready for any line. */
export async function shellIn(facts: Partial<ShellFacts> = {}): Promise<ShellReader> {
  const reader = createShellReader(() => ({ cwd: '/w/app', home: '/home/me', trustedPath: true, ...facts }));
  await reader.ready('$(ready)');
  return reader;
}

const trusting = await shellIn();
const wary = await shellIn({ trustedPath: false });
export const shellFor = (trustedPath = true): ShellReader => (trustedPath ? trusting : wary);

export const scope: PathScope = {
  roots: ['/w/app', '/w/added'],
  temp: ['/tmp'],
  toolchain: ['/usr/lib/node'],
  home: '/home/me',
  tauHome: '/home/me/.tau',
};

/** Resolves as a machine without symlinks would, except for those given. */
export function resolved(effects: readonly Effect[], links: Readonly<Record<string, string>> = {}): ResolvedEffect[] {
  return effects.map((effect) =>
    effect.kind === 'read' || effect.kind === 'write'
      ? {
          ...effect,
          resolved: links[effect.path] ?? (effect.path.startsWith('/') ? effect.path : join('/w/app', effect.path)),
        }
      : effect,
  );
}

interface Setting {
  mode?: PermissionMode;
  rules?: RuleSet;
  source?: ToolSource;
  links?: Readonly<Record<string, string>>;
  trustedPath?: boolean;
  contained?: boolean;
  unreachable?: (host: string) => string | undefined;
  /** Besides the project. */
  places?: Pick<PathScope, 'writable' | 'unreadable'>;
}

export function decideOn(toolName: string, effects: readonly Effect[], setting: Setting = {}): Decision {
  const { rules } = parseRules(setting.rules ?? {});
  return decide({ id: 'c1', toolName, input: {} }, setting.source ?? 'builtin', resolved(effects, setting.links), {
    mode: setting.mode ?? 'default',
    rules,
    scope: { ...scope, ...setting.places },
    analyse: shellFor(setting.trustedPath).analyse,
    contained: setting.contained ?? false,
    ...(setting.unreachable && { unreachable: setting.unreachable }),
  });
}

export function decideShell(command: string, setting: Setting = {}): Decision {
  return decideOn('bash', shellEffects(command, shellFor(setting.trustedPath)), setting);
}

export function decideEdit(path: string, setting: Setting = {}): Decision {
  return decideOn(
    'edit',
    [
      { kind: 'read', path },
      { kind: 'write', path },
    ],
    setting,
  );
}
