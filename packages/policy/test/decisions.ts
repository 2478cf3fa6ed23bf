/** A small project to decide about: /w/app, with home /home/me. */
import { join } from 'node:path/posix';
import type { Decision, Effect, PermissionMode, ResolvedEffect, ToolSource } from '@tau/core';
import type { PathScope, RuleSet } from '../src/index.ts';
import { decide, parseRules, shellEffects } from '../src/index.ts';

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
}

export function decideOn(toolName: string, effects: readonly Effect[], setting: Setting = {}): Decision {
  const { rules } = parseRules(setting.rules ?? {});
  return decide({ id: 'c1', toolName, input: {} }, setting.source ?? 'builtin', resolved(effects, setting.links), {
    mode: setting.mode ?? 'default',
    rules,
    scope,
    trustedPath: setting.trustedPath ?? true,
  });
}

export function decideShell(command: string, setting: Setting = {}): Decision {
  return decideOn('bash', shellEffects(command, { trustedPath: setting.trustedPath ?? true }), setting);
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
