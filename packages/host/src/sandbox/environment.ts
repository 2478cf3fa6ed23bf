/**
 * The environment of a contained command: without secrets, by their names and by their values, and without the ways to
 * agents and desktops that would act for it outside.
 */

/** Whole words of a name, between underscores. */
const secretWords: ReadonlySet<string> = new Set(
  'TOKEN TOKENS SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSWORT PASSPHRASE PWD PW PASS CREDENTIAL CREDENTIALS CREDS APIKEY APIKEYS KEY KEYS PAT AUTH AUTHTOKEN BEARER COOKIE COOKIES DSN'.split(
    ' ',
  ),
);

/** What a word ends in where two are written as one: `GITHUBTOKEN`, `DBPASS`. */
const secretEnds =
  /(?:TOKEN|SECRET|KEY|CREDENTIAL|PASSWORD)S?$|(?:PASSWD|PASSWORT|PASSPHRASE|PWD|PASS|PW|CREDS|^AUTHORIZATION)$/;
/** Words of other meaning with such an end. */
const harmlessEnds =
  /(?:(?:COM|BY|TRES|OVER|UNDER|SUR|LOW|HIGH|BAND|ALL)PASS|(?:MON|TUR|DON|HOC|JOC|MIC|LAC|WHIS|HOT|LESS)KEYS?)$/;

/** Of clouds and keepers of secrets: everything of theirs. */
const secretFamilies = /^(?:AWS|AZURE|ARM|VAULT|OP|BW|DOPPLER|INFISICAL|SOPS|ACTIONS_ID)_/;

/** Words that make a name harmless again. */
const harmless: ReadonlySet<string> = new Set([
  'PWD',
  'OLDPWD',
  'SSH_AUTH_SOCK',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_PAGER',
  'GPG_KEY',
]);

/** Ways out: whoever listens there acts outside, with the user's rights. Files that name credentials are among them. */
const waysOut: ReadonlySet<string> = new Set(
  [
    'SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS SSH_CONNECTION SSH_CLIENT SSH_TTY GPG_AGENT_INFO GPG_TTY GNOME_KEYRING_CONTROL',
    'DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DBUS_STARTER_ADDRESS XDG_RUNTIME_DIR SESSION_MANAGER',
    'DISPLAY WAYLAND_DISPLAY XAUTHORITY ICEAUTHORITY PULSE_SERVER PIPEWIRE_REMOTE AT_SPI_BUS_ADDRESS',
    'DOCKER_HOST DOCKER_CONFIG CONTAINER_HOST KUBECONFIG GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_CONFIG NETRC PGPASSFILE',
    'TMUX TMUX_PANE STY KITTY_LISTEN_ON ALACRITTY_SOCKET WEZTERM_UNIX_SOCKET NVIM NVIM_LISTEN_ADDRESS EMACS_SOCKET_NAME',
    'VSCODE_IPC_HOOK VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE VSCODE_GIT_ASKPASS_MAIN VSCODE_GIT_ASKPASS_NODE GIT_ASKPASS',
    'WSL_INTEROP NOTIFY_SOCKET JOURNAL_STREAM LISTEN_FDS LISTEN_PID BROWSER MAIL',
  ]
    .join(' ')
    .split(' '),
);

const secretValues: readonly RegExp[] = [
  // The password in the middle of an address: `postgres://me:secret@db/x`, `me:secret@tcp(db)/x`.
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:[^/?#\s@]+@/i,
  /^[^\s:@/]+:\S+@(?:tcp|tcp6|udp|unix|cloudsql)\([^()]*\)\//i,
  // Among the words of a connection. Options of programs are not: `-DtrustStorePassword=changeit`.
  /(?:^|[;\s])(?:password|pwd) *= *[^;\s]/i,
  /:_(?:authToken|auth|password)=/i,
  // Whoever knows the address may write there.
  /\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]+\.webhook\.office\.com)\//i,
];

/** `isSecret`: tells by a value alone; the well-known kinds of keys have marks of their own. */
export function withoutSecrets(env: NodeJS.ProcessEnv, isSecret: (value: string) => boolean = () => false) {
  const tells = (value: string) => secretValues.some((form) => form.test(value)) || isSecret(value);
  const kept = Object.entries(env).filter(([name, value]) => {
    if (value === undefined || waysOut.has(name) || isSecretName(name) || gitSetting.test(name)) return false;
    return !tells(value);
  });
  return { ...Object.fromEntries(kept), ...gitSettingsOf(env, tells) };
}

/** Of git's settings in the environment; `GIT_CONFIG_KEY_0` is no key. */
const gitSetting = /^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+)$/;
const secretGitKey = /extraheader|^credential\./i;
const maxGitSettings = 1000;

/** They are counted, so those that stay get new numbers. An empty value turns something off. */
function gitSettingsOf(env: NodeJS.ProcessEnv, tells: (value: string) => boolean): Record<string, string> {
  const count = Math.min(Number(env.GIT_CONFIG_COUNT ?? 0) || 0, maxGitSettings);
  const found: Record<string, string> = {};
  let kept = 0;
  for (let number = 0; number < count; number += 1) {
    const [key, value] = [env[`GIT_CONFIG_KEY_${number}`], env[`GIT_CONFIG_VALUE_${number}`]];
    if (key === undefined || value === undefined || tells(value) || tells(key.replace(/^url\./i, ''))) continue;
    if (value !== '' && secretGitKey.test(key)) continue;
    found[`GIT_CONFIG_KEY_${kept}`] = key;
    found[`GIT_CONFIG_VALUE_${kept}`] = value;
    kept += 1;
  }
  return kept === 0 ? {} : { ...found, GIT_CONFIG_COUNT: String(kept) };
}

export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  if (harmless.has(upper)) return false;
  if (secretFamilies.test(upper)) return true;
  return wordsOf(name).some((word) => secretWords.has(word) || (secretEnds.test(word) && !harmlessEnds.test(word)));
}

/** In capitals, without the numbers at their ends, and parted at capitals within too: `githubToken`, `openAIKey`. */
function wordsOf(name: string): string[] {
  const parted = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  // `npm_config_//registry.example.org/:_authToken` has its words parted otherwise.
  const words = `${name}_${parted}`.toUpperCase().split(/[^A-Z0-9]+/);
  return words.map((word) => word.replace(/\d+$/, ''));
}
