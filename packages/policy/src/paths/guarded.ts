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

/** `isFolder` looks at the disk. */
export function guardedPlaces(
  scope: PathScope,
  rules: readonly Rule[],
  isFolder: (path: string) => boolean,
): GuardedPlaces {
  const { roots, home, tauHome } = scope;
  const inRoots = roots.flatMap((root) => {
    const git = join(root, '.git');
    const names = steering.filter((name) => name !== '.git' && !homeOnly.test(name));
    return [
      ...[...names, bareRepository].map((name) => join(root, name)),
      ...(isFolder(git) ? gitParts.map((name) => join(git, name)) : [git]),
      ...(isWithin(home, root) ? ofHome(home) : []),
      ...systemFolders.filter((folder) => folder !== root && isWithin(folder, root)),
    ];
  });
  return {
    readOnly: [...new Set(inRoots), tauHome, ...denied(rules).flatMap((rule) => placesOf(rule, scope, 'write'))],
    unreadable: unreadablePlaces(scope, rules),
  };
}

function denied(rules: readonly Rule[]): Rule[] {
  return rules.filter(({ outcome }) => outcome === 'deny');
}

/** What starts with the user, where home is the project or in it. */
function ofHome(home: string): string[] {
  const names = steering.filter((name) => name !== '.git');
  return [...names, ...steeringFolders, ...homeSteering].map((name) => join(home, name));
}

function placesOf({ tool, pattern }: Rule, scope: PathScope, what: 'read' | 'write'): string[] {
  if (!isFileTool(tool) || (tool === 'read') !== (what === 'read')) return [];
  if (pattern === undefined || (pattern.kind !== 'exact' && pattern.kind !== 'prefix')) return [];
  return [absolutePath(pattern.value, scope)];
}
