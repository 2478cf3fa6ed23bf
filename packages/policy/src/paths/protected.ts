/** Paths that are special wherever they are: credentials are never touched, and what steers tools is never written unasked. */
import { join } from 'node:path/posix';
import type { PathScope } from './scope.ts';
import { foldPath, isWithin } from './scope.ts';

const homeCredentials: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.kube',
  '.docker/config.json',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
];
/** Keys may stand in the list of models too, as they are. */
const tauCredentials: readonly string[] = ['auth.json', 'models.json'];
const systemCredentials: readonly string[] = ['/etc/shadow', '/etc/gshadow'];

/** Folders whose files make other programs act: hooks, tasks, permissions. */
const steeringFolders: readonly string[] = ['.git', '.tau', '.claude', '.codex', '.husky', '.vscode'];
const startFiles: readonly string[] = ['.bashrc', '.bash_profile', '.profile', '.zshrc', '.zshenv', '.zprofile'];

export function isCredential(path: string, scope: PathScope): boolean {
  const folded = foldPath(path);
  return credentialPaths(scope).some(
    (credential) => isWithin(folded, foldPath(credential)) || isLeftover(folded, foldPath(credential)),
  );
}

/** True when the folder holds a place of credentials, or is in one. */
export function hasCredentialsBelow(folder: string, scope: PathScope): boolean {
  const folded = foldPath(folder);
  return credentialPaths(scope)
    .map(foldPath)
    .some((credential) => isWithin(credential, folded) || isWithin(folded, credential));
}

function credentialPaths({ home, tauHome }: PathScope): string[] {
  return [
    ...homeCredentials.map((name) => join(home, name)),
    ...systemCredentials,
    ...tauCredentials.map((name) => join(tauHome, name)),
  ];
}

/** A write that was killed leaves its copy beside the file, with the same secrets in it. */
function isLeftover(path: string, credential: string): boolean {
  return path.startsWith(`${credential}.`) && path.endsWith('.tmp');
}

export function isProtectedWrite(path: string, scope: PathScope): boolean {
  const folded = foldPath(path);
  return (
    folded.split('/').some((segment) => steeringFolders.includes(segment)) ||
    isWithin(folded, foldPath(scope.tauHome)) ||
    startFiles.some((name) => folded === foldPath(join(scope.home, name)))
  );
}
