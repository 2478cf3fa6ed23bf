/** Places of keys and passwords. Nobody touches them through tau: no mode and no rule allows it. */
import { join } from 'node:path/posix';
import { hasMagicBelow } from './magic.ts';
import { isCalled } from './names.ts';
import type { PathScope } from './scope.ts';
import { foldPath, isWithin } from './scope.ts';

/** Below a home, whoever's it is, as the disk spells it. All that is in a folder counts. */
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
  '.config/Bitwarden CLI',
  'Library/Keychains',
  '.vault-token',
  // Clouds and clusters.
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/doctl',
  '.config/hcloud',
  '.config/netlify',
  '.config/configstore/firebase-tools.json',
  '.config/stripe',
  '.config/ngrok',
  '.ngrok2',
  '.config/rclone',
  '.rclone.conf',
  '.boto',
  '.s3cfg',
  '.oci',
  '.aliyun',
  '.fly',
  '.kube',
  '.minikube/client.key',
  '.minikube/profiles',
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
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.huggingface/token',
  '.cache/huggingface/token',
  '.kaggle/kaggle.json',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  // Browsers and mail: whoever has the cookies is logged in.
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
  'Library/Cookies',
  'Library/Safari',
  // Other agents.
  '.codex/auth.json',
  '.claude/.credentials.json',
  '.claude.json',
  '.gemini/oauth_creds.json',
  '.local/share/opencode/auth.json',
  '.config/github-copilot',
  '.pi/agent/auth.json',
];

/** Also there without any key in it, and `dotnet` fails where it seems empty: commands in a sandbox see it. */
const neededPlaces: readonly string[] = ['.nuget/NuGet/NuGet.Config', '.config/NuGet'];

const foldedPlaces: readonly string[] = [...homePlaces, ...neededPlaces].map((place) => `/${foldPath(place)}`);

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
  '/Library/Keychains',
  '/run/secrets',
  '/var/run/secrets',
];

/** In /etc/ssh every `*_key` is one; these are their usual names. */
const hostKeys: readonly string[] = ['rsa', 'ecdsa', 'ed25519', 'dsa'].map((kind) => `/etc/ssh/ssh_host_${kind}_key`);
const foldedSystem: readonly string[] = systemPlaces.map(foldPath);

/** Folders in which each name is somebody's home. */
const homesOf = /^(?:\/home|\/users|\/mnt\/[a-z]\/users)\/[^/]+/;
const parentsOfHomes: readonly string[] = ['/home', '/users', '/mnt'];

export function isCredential(path: string, scope: PathScope): boolean {
  const folded = foldPath(path);
  if (foldedSystem.some((place) => isWithin(folded, place)) || /^\/etc\/ssh\/[^/]+_key$/.test(folded)) return true;
  if (tauFiles(scope).some((place) => isAt(folded, foldPath(place)))) return true;
  return belowHomes(folded, scope).some((rest) => foldedPlaces.some((place) => isAt(`/${rest}`, place)));
}

/** True when the folder holds a place of credentials, or is in one. */
export function hasCredentialsBelow(folder: string, scope: PathScope): boolean {
  const folded = foldPath(folder);
  const own = [...tauFiles(scope), ...homesIn(scope)].map(foldPath);
  const places = [...foldedSystem, ...own, ...parentsOfHomes, '/etc/ssh', '/root', '/var/root'];
  if (hasMagicBelow(folded) || isCredential(folder, scope) || places.some((place) => isWithin(place, folded)))
    return true;
  return belowHomes(folded, scope).some((rest) => foldedPlaces.some((place) => isWithin(place, `/${rest}`)));
}

/** The places of the user themself, as they are written, to be looked for on the disk. */
export function credentialPlaces(scope: PathScope): string[] {
  const inHomes = homesIn(scope).flatMap((home) => homePlaces.map((name) => withSlash(home) + name));
  return [...inHomes, ...tauFiles(scope), ...systemPlaces, ...hostKeys];
}

function tauFiles({ tauHome, accountHome }: PathScope): string[] {
  const folders = [tauHome, ...(accountHome === undefined ? [] : [join(accountHome, '.tau')])];
  return folders.flatMap((folder) => tauPlaces.map((name) => withSlash(folder) + name));
}

function homesIn({ home, accountHome }: PathScope): string[] {
  return [home, ...(accountHome === undefined ? [] : [accountHome])];
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}

/** What is left of a path below each home it is in. */
function belowHomes(folded: string, scope: PathScope): string[] {
  const somebodys = homesOf.exec(folded)?.[0];
  const homes = [
    ...homesIn(scope).map(foldPath),
    '/root',
    '/var/root',
    ...(somebodys === undefined ? [] : [somebodys]),
  ];
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
