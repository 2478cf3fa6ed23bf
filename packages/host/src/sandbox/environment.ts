/**
 * The environment of a contained command: without secrets, by their names and by their values, and without the ways to
 * agents and desktops that would act for it outside.
 */

/** Whole words of a name, between underscores. */
const secretWords: ReadonlySet<string> = new Set(
  'TOKEN TOKENS SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSWORT PASSPHRASE PWD PASS CREDENTIAL CREDENTIALS CREDS APIKEY APIKEYS KEY KEYS PAT AUTH AUTHTOKEN BEARER COOKIE COOKIES DSN'.split(
    ' ',
  ),
);

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

/** The password in the middle of an address: `postgres://me:secret@db/x`. */
const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:[^/?#\s@]+@/i;

/** `isSecret`: tells by a value alone; the well-known kinds of keys have marks of their own. */
export function withoutSecrets(env: NodeJS.ProcessEnv, isSecret: (value: string) => boolean = () => false) {
  const kept = Object.entries(env).filter(([name, value]) => {
    if (value === undefined || waysOut.has(name) || isSecretName(name)) return false;
    return !addressWithPassword.test(value) && !isSecret(value);
  });
  return Object.fromEntries(kept);
}

export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  if (harmless.has(upper)) return false;
  if (secretFamilies.test(upper)) return true;
  // `npm_config_//registry.example.org/:_authToken` has its words parted otherwise.
  const words = upper.split(/[^A-Z0-9]+/);
  return words.some((word) => secretWords.has(word) || /(?:PASSWORD|SECRET|APIKEY|AUTHTOKEN)$/.test(word));
}
