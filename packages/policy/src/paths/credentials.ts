/** Places of keys and passwords. Nobody touches them through tau: no mode and no rule allows it. */
import { join } from 'node:path/posix';
import { hasMagicBelow } from './magic.ts';
import { isCalled } from './names.ts';
import type { PathScope } from './scope.ts';
import { foldPath, isWithin } from './scope.ts';

/** Below a home, whoever's it is. All that is in a folder counts. */
const homePlaces: readonly string[] = [
  // Keys and passwords of the user.
  '.ssh',
  '.gnupg',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.config/op',
  '.op',
  '.config/sops',
  'library/keychains',
  '.vault-token',
  // Clouds and clusters.
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/doctl',
  '.config/rclone',
  '.rclone.conf',
  '.boto',
  '.s3cfg',
  '.oci',
  '.aliyun',
  '.fly',
  '.kube',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.databrickscfg',
  '.databricks',
  // Code, packages and databases.
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.git-credentials',
  '.config/git/credentials',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.config/pypoetry/auth.toml',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.huggingface/token',
  '.cache/huggingface/token',
  '.kaggle/kaggle.json',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  // Browsers: whoever has the cookies is logged in.
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/bravesoftware',
  '.config/microsoft-edge',
  'library/application support/google/chrome',
  'library/application support/firefox',
  'library/application support/bravesoftware',
  'library/application support/microsoft edge',
  'library/cookies',
  'library/safari',
  // Other agents.
  '.codex/auth.json',
  '.claude/.credentials.json',
  '.gemini/oauth_creds.json',
  '.local/share/opencode/auth.json',
  '.config/github-copilot',
  '.pi/agent/auth.json',
];

/** Keys may stand in the list of models too, as they are. */
const tauPlaces: readonly string[] = ['auth.json', 'models.json'];

const systemPlaces: readonly string[] = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/master.passwd',
  '/private/etc/master.passwd',
  '/etc/security/opasswd',
  '/etc/krb5.keytab',
  '/etc/ssl/private',
  '/etc/kubernetes/admin.conf',
  '/library/keychains',
  '/run/secrets',
  '/var/run/secrets',
];

/** Folders in which each name is somebody's home. */
const homesOf = /^(?:\/home|\/users|\/mnt\/[a-z]\/users)\/[^/]+/;
const parentsOfHomes: readonly string[] = ['/home', '/users', '/mnt'];

export function isCredential(path: string, scope: PathScope): boolean {
  const folded = foldPath(path);
  if (systemPlaces.some((place) => isWithin(folded, place)) || /^\/etc\/ssh\/[^/]+_key$/.test(folded)) return true;
  if (tauPlaces.some((name) => isAt(folded, join(foldPath(scope.tauHome), name)))) return true;
  return belowHomes(folded, scope).some((rest) => homePlaces.some((place) => isAt(`/${rest}`, `/${place}`)));
}

/** True when the folder holds a place of credentials, or is in one. */
export function hasCredentialsBelow(folder: string, scope: PathScope): boolean {
  const folded = foldPath(folder);
  const tau = tauPlaces.map((name) => join(foldPath(scope.tauHome), name));
  const places = [...systemPlaces, ...tau, ...parentsOfHomes, '/etc/ssh', '/root', '/var/root', foldPath(scope.home)];
  if (hasMagicBelow(folded) || isCredential(folder, scope) || places.some((place) => isWithin(place, folded)))
    return true;
  return belowHomes(folded, scope).some((rest) => homePlaces.some((place) => isWithin(`/${place}`, `/${rest}`)));
}

/** The places of the user themself, as they are written, to be looked for on the disk. */
export function credentialPlaces({ home, tauHome }: PathScope): string[] {
  const [below, belowTau] = [withSlash(home), withSlash(tauHome)];
  return [...homePlaces.map((name) => below + name), ...tauPlaces.map((name) => belowTau + name), ...systemPlaces];
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}

/** What is left of a path below each home it is in. */
function belowHomes(folded: string, { home }: PathScope): string[] {
  const somebodys = homesOf.exec(folded)?.[0];
  const homes = [foldPath(home), '/root', '/var/root', ...(somebodys === undefined ? [] : [somebodys])];
  return homes.flatMap((one) => {
    if (!isWithin(folded, one)) return [];
    return [folded.slice(one === '/' ? 1 : one.length + 1)];
  });
}

/** At the place, in it, or a copy that a killed write left beside it, with the same secrets in it. */
function isAt(path: string, place: string): boolean {
  if (isWithin(path, place) || (path.startsWith(`${place}.`) && path.endsWith('.tmp'))) return true;
  if (!path.includes('~')) return false;
  const names = path.split('/');
  return place.split('/').every((name, index) => isCalled(names[index] ?? '', name));
}
