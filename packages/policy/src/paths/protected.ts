/**
 * What makes programs act: hooks, settings of agents and editors, files that shells and schedulers start from. It is not
 * written unasked, wherever it is and whether it exists yet or not.
 */
import { join } from 'node:path/posix';
import { isDevice } from './magic.ts';
import { isCalled } from './names.ts';
import type { PathScope } from './scope.ts';
import { foldPath, isWithin } from './scope.ts';

/** A file or folder of this name, and all that is in it, anywhere. */
export const steering: readonly string[] = [
  // Repositories, and what runs when something is committed.
  '.git',
  '.gitmodules',
  '.gitconfig',
  '.husky',
  '.githooks',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.pre-commit-config.yaml',
  // Agents.
  '.tau',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.pi',
  '.cursor',
  '.cursorrules',
  '.windsurf',
  '.windsurfrules',
  '.continue',
  '.roo',
  '.roomodes',
  '.cline',
  '.clinerules',
  '.mcp.json',
  // Editors.
  '.vscode',
  '.idea',
  '.devcontainer',
  '.devcontainer.json',
  '.vimrc',
  '.exrc',
  '.nvimrc',
  '.gdbinit',
  '.lldbinit',
  // Shells.
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.logout',
  '.inputrc',
  '.envrc',
  // Package managers that run what stands in it.
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'pip.conf',
];

/** With two more folders beside it, and one whose settings start programs. */
export const bareRepository = 'HEAD';

const steeringNames: ReadonlySet<string> = new Set(steering);

/** Parts of paths, anywhere. */
const steeringPaths =
  /\/(?:[^/]+\.git|\.config\/(?:fish|git|autostart|systemd|nvim|opencode)|\.github\/copilot[^/]*|\.aider[^/]*)\/|\.code-workspace\/$/;

/** Those of them that can be named, and not only be recognised. */
export const steeringFolders: readonly string[] = ['fish', 'git', 'autostart', 'systemd', 'nvim', 'opencode'].map(
  (name) => `.config/${name}`,
);

/** Below home. */
export const homeSteering: readonly string[] = [
  'bin',
  '.local/bin',
  '.pam_environment',
  '.xprofile',
  '.xinitrc',
  '.xsession',
  'Library/LaunchAgents',
];

const systemPlaces =
  /^(?:\/private)?(?:\/etc\/(?:cron[^/]*|profile(?:\.d)?|bash\.bashrc|bashrc|zsh[^/]*|environment|ld\.so\.[^/]*|sudoers[^/]*|pam\.d|passwd|group|ssh|systemd|init\.d|rc[^/]*|gitconfig|xdg)|\/var\/spool\/cron|\/library\/launch(?:agents|daemons)|\/(?:usr\/)?lib\/systemd)(?:\/|$)/;

export function isProtectedWrite(path: string, scope: PathScope): boolean {
  const folded = foldPath(path);
  return (
    folded.split('/').some(isSteering) ||
    steeringPaths.test(`${folded}/`) ||
    systemPlaces.test(folded) ||
    isDevice(folded) ||
    isWithin(folded, foldPath(scope.tauHome)) ||
    isBareRepository(folded, scope) ||
    isOfSandbox(folded, scope) ||
    isInHomePlace(folded, scope)
  );
}

/** Makes a repository of the project's folder where it is none, or no longer one: git would start what its settings name. */
function isBareRepository(folded: string, { roots, writable = [] }: PathScope): boolean {
  return [...roots, ...writable].some((root) => folded === foldPath(join(root, bareRepository)));
}

function isSteering(segment: string): boolean {
  return steeringNames.has(segment) || (segment.includes('~') && steering.some((name) => isCalled(segment, name)));
}

/** What holds commands, among the temporary files of everybody. */
function isOfSandbox(folded: string, { temp }: PathScope): boolean {
  return temp.some((folder) => /^\/tau-(?:contained|stubs)-/.test(after(folded, foldPath(folder))));
}

function after(path: string, folder: string): string {
  return isWithin(path, folder) ? path.slice(folder === '/' ? 0 : folder.length) : '';
}

/** Whoever works in such a folder has it for a project, and means what is in it. */
function isInHomePlace(folded: string, { home, roots }: PathScope): boolean {
  return homeSteering.some((name) => {
    const place = foldPath(join(home, name));
    return isWithin(folded, place) && !roots.some((root) => isWithin(foldPath(root), place));
  });
}

/** The user's own, as they are written, to be looked for on the disk. */
export function steeringPlaces({ home, tauHome }: PathScope): string[] {
  return [tauHome, ...steering.map((name) => join(home, name))];
}

/** What tells tau what it may do, and what it runs. No rule lets it be written: every change of it is asked about. */
export function isOwnSettings(path: string, scope: PathScope): boolean {
  const folded = foldPath(path);
  if (isWithin(folded, foldPath(scope.tauHome))) return true;
  const segments = folded.split('/');
  return segments.some((segment, index) => {
    if (!isCalled(segment, '.tau')) return false;
    const [name = ''] = segments.slice(index + 1);
    return name === '' || isCalled(name, 'extensions') || /\.(?:jsonc?|toml|jso|tom)$/.test(name);
  });
}
