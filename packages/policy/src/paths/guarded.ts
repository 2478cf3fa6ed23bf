/**
 * What a sandbox guards, as places on the disk: the same as what decisions say about files, for commands of which nobody
 * knows what they do. Names are guarded at the top of each folder that may be written to.
 */
import { join } from 'node:path/posix';
import type { Rule } from '../rules/rule.ts';
import { isFileTool } from '../rules/tool-names.ts';
import { credentialPlaces } from './credentials.ts';
import { bareRepository, homeSteering, steering, steeringFolders } from './protected.ts';
import { absolutePath, isWithin, type PathScope } from './scope.ts';

export interface GuardedPlaces {
  /** Stays as it is, whether it exists or not. */
  readOnly: readonly string[];
  unreadable: readonly string[];
}

/** Of a repository, what makes git start something; the rest is written by every commit. */
const gitParts: readonly string[] = ['hooks', 'config', 'config.worktree', 'commondir', 'modules', 'worktrees'];

/** Read from home alone: in another folder nothing starts from them. */
const homeOnly = /^\.(?:bash.*|profile|z(?:sh|profile|login|logout).*|kshrc|t?cshrc|log(?:in|out)|inputrc|gitconfig)$/;

/** Whoever works in a folder that holds the system works beside it, and does not mean it. */
const systemFolders: readonly string[] = [
  ...['/bin', '/boot', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/nix', '/opt', '/sbin', '/snap', '/usr'],
  ...['/var/lib', '/var/spool', '/private/etc', '/Applications', '/Library', '/System'],
];

/** What no command may read. Rules that deny a place by its plain path are kept too; patterns cannot be. */
export function unreadablePlaces(scope: PathScope, rules: readonly Rule[]): string[] {
  return [...credentialPlaces(scope), ...denied(rules).flatMap((rule) => placesOf(rule, scope, 'read'))];
}

/** `isRepository` looks at the disk: of one that is none, or empty, nothing at all may be made. */
export function guardedPlaces(
  scope: PathScope,
  rules: readonly Rule[],
  isRepository: (path: string) => boolean,
  isFolder = isRepository,
): GuardedPlaces {
  const { roots, home, tauHome, writable = [] } = scope;
  // A file has no names in it.
  const opened = writable.filter(isFolder);
  const inRoots = roots.flatMap((root) => [
    ...atTopOf(root, isRepository),
    ...(isWithin(home, root) ? ofHome(home) : []),
    ...systemBelow(root),
  ]);
  const inOpened = opened.flatMap((folder) => [
    ...[...atTopOf(folder, isRepository), ...systemBelow(folder)],
    // Of home much may be opened that is no project: `~/.config` holds what starts with the user, too.
    ...ofHome(home).filter((path) => path !== folder && isWithin(path, folder)),
  ]);
  // Who opens the very place means it.
  const guarded = [...inRoots, ...inOpened.filter((path) => !writable.includes(path))];
  return {
    readOnly: [...new Set(guarded), tauHome, ...denied(rules).flatMap((rule) => placesOf(rule, scope, 'write'))],
    unreadable: unreadablePlaces(scope, rules),
  };
}

function atTopOf(folder: string, isRepository: (path: string) => boolean): string[] {
  const git = join(folder, '.git');
  const names = steering.filter((name) => name !== '.git' && !homeOnly.test(name));
  return [
    ...[...names, bareRepository].map((name) => join(folder, name)),
    ...(isRepository(git) ? gitParts.map((name) => join(git, name)) : [git]),
  ];
}

function systemBelow(folder: string): string[] {
  return systemFolders.filter((system) => system !== folder && isWithin(system, folder));
}

function denied(rules: readonly Rule[]): Rule[] {
  return rules.filter(({ outcome }) => outcome === 'deny');
}

/** What starts with the user. */
function ofHome(home: string): string[] {
  const names = steering.filter((name) => name !== '.git');
  return [...names, ...steeringFolders, ...homeSteering].map((name) => join(home, name));
}

function placesOf({ tool, pattern }: Rule, scope: PathScope, what: 'read' | 'write'): string[] {
  if (!isFileTool(tool) || (tool === 'read') !== (what === 'read')) return [];
  if (pattern === undefined || (pattern.kind !== 'exact' && pattern.kind !== 'prefix')) return [];
  return [absolutePath(pattern.value, scope)];
}
