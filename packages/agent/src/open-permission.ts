/**
 * What may happen in a folder, from its settings and what was said on top of them: the folders that count as inside, what
 * is known of the shell, the rules, the mode. The same for a run and for whoever asks what a run would do.
 */
import type { Effect, PermissionMode, ResolvedEffect } from '@tau/core';
import type { Host } from '@tau/host';
import {
  createShellReader,
  isTrustedPath,
  type PathScope,
  parseRules,
  type RuleSet,
  type ShellReader,
} from '@tau/policy';
import { type ClaudeRules, openClaudeRules } from './claude-rules.ts';
import type { SavedRules } from './config/grants-file.ts';
import type { Home } from './config/home.ts';
import { projectRoot } from './config/layers.ts';
import type { Layer } from './config/settings.ts';
import type { Settings } from './config/types.ts';
import type { AgentOptions } from './options.ts';
import { programsProject } from './own-programs.ts';
import { createPermission, type Permission, type RulesFrom, readyForExamples } from './permission.ts';
import { addedFolders, pathScope, searchPath } from './place.ts';
import { resolveEffects } from './resolve-effects.ts';
import { rootedRules } from './rules-doubt.ts';
import { whyUnreachable } from './sandbox/private-hosts.ts';
import { settingPlaces } from './sandbox/setting-places.ts';
import { createShellFacts, rememberForOneTurn } from './shell-facts.ts';
import type { ProjectTrust } from './trust/project-trust.ts';

export interface OpenPermission {
  permission: Permission;
  claude: ClaudeRules;
  scope: PathScope;
  shell: ShellReader;
  /** Whether a plain name can only mean a program of the user's: none from where the project or a command can put it. */
  trustedPath(): boolean;
  /** A folder that counts as inside from now on; where it really is. Throws when there is none. */
  addFolder(path: string): string;
  /** What these settings open to commands, and hide, from now on. What to tell the user. */
  usePlaces(settings: Settings): readonly string[];
  /** Folders of the settings that are not there, or that open more than one may think. */
  problems: readonly string[];
  /** Rules of the settings that may not be what was meant, and what cannot be read of Claude Code's files. */
  doubtful: readonly string[];
  /** Where the paths of a call lead on a host, as the gate wants to know. */
  resolve(effects: readonly Effect[], host: Pick<Host, 'files'>): Promise<ResolvedEffect[]>;
}

export interface PermissionPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
  home: Home;
  settings: Settings;
  layers: readonly Layer[];
  trust(): ProjectTrust;
  options: Pick<AgentOptions, 'permissionMode' | 'projectSettings' | 'rules' | 'addDirs'>;
  /** What was allowed and denied for good. */
  saved?: SavedRules;
  /** When nobody has chosen one. */
  usualMode: PermissionMode;
  /** Whether commands run in a sandbox in this mode. */
  contained(mode: PermissionMode): boolean;
}

export async function openPermission(place: PermissionPlace): Promise<OpenPermission> {
  const { cwd, home, settings, options, saved } = place;
  // As commands get it.
  const env = { ...place.env, ...settings.env };
  const added = addedFolders({ ...options, settings, cwd, home });
  const begun = pathScope(cwd, home, added.folders);
  let { roots } = begun;
  const places = settingPlaces({ cwd, home: begun.home, roots: () => roots });
  const placeProblems = places.use(settings);
  // Asked at every decision: folders may come in while a conversation goes on.
  const scope: PathScope = {
    ...begun,
    get roots() {
      return roots;
    },
    get writable() {
      return places.writable();
    },
    get unreadable() {
      return places.unreadable();
    },
  };
  // Known when the first call is judged: following the links of a long PATH takes longer than the rest of this.
  let programs: string | undefined;
  const isTrusted = (untrusted: readonly string[]) => {
    programs ??= searchPath(env);
    return isTrustedPath(programs, untrusted);
  };
  let trusted: boolean | undefined;
  // The project is more than the folder tau was started in.
  const project = programsProject(cwd, home);
  const trustedPath = () => {
    trusted ??= isTrusted([project, ...scope.roots, ...places.opened(), ...scope.temp]);
    return trusted;
  };
  const shell = rememberForOneTurn(createShellReader(createShellFacts({ cwd, project, env, settings, trustedPath })));
  const claude = openClaudeRules({
    ...{ home, cwd, root: options.projectSettings === false ? undefined : projectRoot(cwd, home) },
    covers: (path, hash) => place.trust().coversRules(path, hash),
  });
  const aboutClaude = await claude.use(place.layers);
  const rules = rulesFrom(settings, { saved, flags: options.rules, claude: claude.sets() });
  await readyForExamples(rules, shell);
  const permission = createPermission({
    mode: options.permissionMode ?? settings.permissionMode ?? place.usualMode,
    rules,
    scope,
    shell,
    contained: place.contained,
    openedBy: places.openedBy,
    unreachable: (host) => whyUnreachable(host, settings),
  });
  const resolve: OpenPermission['resolve'] = async (effects, host) => {
    // Any tool may say that it runs a command, and whoever judges it cannot wait.
    for (const effect of effects) if (effect.kind === 'exec') await shell.ready(effect.command);
    return resolveEffects(effects, host, { scope, env, trustedPath });
  };
  return {
    permission,
    claude,
    scope,
    shell,
    addFolder(path) {
      const { folders } = addedFolders({ cwd, home, settings: {}, addDirs: [path] });
      roots = [...new Set([...roots, ...folders])];
      trusted = undefined;
      permission.setFolders();
      return folders[0] ?? path;
    },
    usePlaces(next) {
      trusted = undefined;
      return places.use(next);
    },
    trustedPath,
    resolve,
    problems: [...added.problems, ...placeProblems],
    doubtful: [...doubtfulRules(settings.permissions), ...aboutClaude],
  };
}

/** Of flags nobody is told: they were just typed. */
function doubtfulRules(settings: RuleSet | undefined): readonly string[] {
  return settings === undefined ? [] : [...parseRules(settings).warnings, ...rootedRules(settings)];
}

export function rulesFrom(
  settings: Settings,
  {
    saved,
    flags,
    claude = [],
  }: { saved?: SavedRules | undefined; flags?: RuleSet | undefined; claude?: readonly RulesFrom[] },
): RulesFrom[] {
  const { permissions, sandbox } = settings;
  // One that is meant for a port alone is known when the connection is.
  const named = sandbox?.hosts?.filter((host) => !/:\d+$/.test(host)) ?? [];
  const hosts = named.map((host) => (host === '*' ? 'network' : `network(domain:${host})`));
  return [
    { ...permissions, origin: 'settings' },
    ...(hosts.length > 0 ? [{ allow: hosts, origin: 'settings' as const }] : []),
    { ...saved, origin: 'always' },
    { ...flags, origin: 'flag' },
    ...claude,
  ];
}
