/**
 * What secrets look like: the well-known kinds by their own marks, the rest by the name they are given. Innocent text has
 * neither. Every repetition is bounded or over one class of characters, so that a pass is linear in the text.
 */

/** Where a word begins, also after an escape or a colour: `\nsk-`, `%20sk-`. */
const begin = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt])|(?<=%[0-9A-Fa-f]{2})|(?<=(?:\u001b|\\u001[bB])\[[0-9;]{0,16}m))`;

const marked = [
  // Providers of models. Hyphenated words may begin with sk- too; a key has digits.
  'sk-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{16,}',
  '(?:gsk_|xai-|r8_|pplx-|csk-|tgp_v1_)[A-Za-z0-9_-]{16,}',
  'nvapi-[A-Za-z0-9_-]{40,}',
  'hf_[A-Za-z0-9]{30,}',
  'tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,}',
  // Where code and packages are kept.
  'gh[opsur]_[A-Za-z0-9]{16,}',
  'gl(?:pat|dt|rt|ptt|cbt|oas|soat|ffct|agent)-[A-Za-z0-9_-]{20,}',
  'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])',
  'pypi-[A-Za-z0-9_-]{40,}',
  'rubygems_[a-f0-9]{40,}',
  'dckr_pat_[A-Za-z0-9_-]{20,}',
  // Clouds.
  'A(?:KI|SI)A[A-Z0-9]{16}(?![A-Z0-9])',
  'GOCSPX-[A-Za-z0-9_-]{20,}',
  'ya29\\.[A-Za-z0-9_-]{20,}',
  '1//0[A-Za-z0-9_-]{30,}',
  'do[opr]_v1_[a-f0-9]{32,}',
  'dapi[a-f0-9]{32}',
  'hv[sbr]\\.[A-Za-z0-9_-]{24,}',
  'sbp_[a-f0-9]{40}',
  'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_-]{30,}',
  '[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])',
  // Payments, messages, the rest.
  '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}',
  'whsec_[A-Za-z0-9+/]{24,}={0,2}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'xapp-[0-9]-[A-Z0-9]{6,}-[0-9]{6,}-[a-f0-9]{32,}',
  'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,}',
  'SK[a-f0-9]{32}(?![A-Za-z0-9])',
  '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])',
  '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])',
  'shp(?:at|ca|pa|ss)_[a-f0-9]{32}',
  'lin_api_[A-Za-z0-9]{32,}',
  'ntn_[A-Za-z0-9]{40,}',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
  // Three parts, of which the first two are objects.
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*',
];

export interface Shapes {
  /** Each match is a secret. */
  keys: readonly RegExp[];
  named: readonly NamedShape[];
}

interface NamedShape {
  /** Two groups: what stands before the secret, and the secret. */
  shape: RegExp;
  isSecret(value: string): boolean;
}

/** How a name is parted from its value, in JSON, in headers, in settings, and in one inside the other. */
const parted = String.raw`\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?`;
/** No quote, no blank, nothing that a shell or a template fills in. */
const word = String.raw`[^\s"'\`\\$<>(){}\[\],;&|]`;

/** Made when the first text is looked at: to read these expressions takes Node milliseconds that not every run has. */
export function makeShapes(): Shapes {
  /** A header, perhaps lines about how it is locked, and then the key: with line breaks as they are, or escaped. */
  const privateKey = new RegExp(
    [
      '-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----[\\s\\\\nr]{1,16}',
      '(?:[A-Za-z-]{1,20}: ?[^\\r\\n"\\\\]{0,100}[\\s\\\\nr]{1,16}){0,4}',
      '[A-Za-z0-9+/=]{16,}',
      // A backslash before a quote belongs to the quote.
      '(?:[A-Za-z0-9+/=\\s\\\\]*-----END [A-Z0-9 ]{0,60}-----|[A-Za-z0-9+/=\\s\\\\]*(?<![\\s\\\\]))',
    ].join(''),
    'g',
  );
  const keys = [
    privateKey,
    /sk-(?:ant|proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{8,}/g,
    /github_pat_[A-Za-z0-9_]{16,}/g,
    /AIza[A-Za-z0-9_-]{20,}/g,
    new RegExp(`${begin}(?:${marked.join('|')})`, 'g'),
    /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9]{6,}\/[A-Za-z0-9]{6,}\/[A-Za-z0-9]{16,}/g,
  ];
  const named = [
    { shape: /\b(bearer[ \t]{1,8})([A-Za-z0-9._~+/=-]{8,})/gi, isSecret: isToken },
    { shape: /\b(basic[ \t]{1,8})([A-Za-z0-9+/]{12,}={0,2})/gi, isSecret: isNameAndPassword },
    // scheme://name:password@host
    { shape: /(:\/\/[^\s/:@"'<>`\\]{0,256}:)([^\s/:@"'<>`\\${}]{3,256})(?=@[A-Za-z0-9[])/g, isSecret: isChosen },
    // ?token=…, &sig=…
    {
      shape: new RegExp(
        `([?&](?:api_?key|access_?token|auth_?token|refresh_?token|id_?token|token|client_?secret|secret|password|passwd|sig|signature|key)=)(${word}{8,})`,
        'gi',
      ),
      isSecret: isToken,
    },
    // Lines of an environment: GITHUB_TOKEN=…
    {
      shape: new RegExp(
        `((?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|ENCRYPTION_?KEY|CREDENTIALS)[0-9]{0,2}=["']?)(${word}{8,})`,
        'g',
      ),
      isSecret: isChosen,
    },
    // Connection strings: Server=…;Password=…
    {
      shape: new RegExp(`((?<![A-Za-z])(?:password|passwd|pwd|accountkey|sharedaccesskey)=)(${word}{6,})`, 'gi'),
      isSecret: isChosen,
    },
    {
      shape: new RegExp(
        `((?:x-api-key|api-key|x-goog-api-key|private-token|x-auth-token|x-vault-token)${parted})([A-Za-z0-9._~+/=-]{12,})`,
        'gi',
      ),
      isSecret: isMixed,
    },
    {
      shape: new RegExp(`(secret_?access_?key${parted})([A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=]))`, 'gi'),
      isSecret: isMixed,
    },
    // "client_secret": "…": only what nobody would choose as a name.
    {
      shape: new RegExp(
        `((?:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|secret_?key|auth_?key)${parted})([A-Za-z0-9+/_=.~-]{16,})(?![A-Za-z0-9(.[])`,
        'gi',
      ),
      isSecret: isRandom,
    },
  ];
  return { keys, named };
}

/** "Bearer authentication" is prose. */
function isToken(text: string): boolean {
  return text.length >= 20 || /[0-9]/.test(text);
}

function isNameAndPassword(text: string): boolean {
  return Buffer.from(text, 'base64').includes(':');
}

function isMixed(text: string): boolean {
  return /[0-9]/.test(text) && /[A-Za-z]/.test(text);
}

/** Words that stand for a secret in every manual. */
const standIns =
  /^(?:x+|\*+|\.+|-+|…|your.*|my.*|some.*|changeme|example.*|placeholder|none|null|undefined|true|false|redacted|pass(?:word)?|secret|token|hidden)$/i;

function isChosen(text: string): boolean {
  return !standIns.test(text);
}

/** One stretch without a joint, long, of letters and digits in no order that words have. */
function isRandom(text: string): boolean {
  return text.split(/[._~/-]/).some((part) => {
    if (part.length < 16 || !isMixed(part)) return false;
    return /^[a-f0-9]+$/i.test(part) || (part.match(/[0-9]+/g)?.length ?? 0) >= 3;
  });
}

/** The values of variables whose names say that nobody should see them, and that are no words found elsewhere too. */
export function secretsNamedIn(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (!/(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS|PAT)$/i.test(name)) return [];
    return value.length >= 12 && isMixed(value) && !/^[~.]{0,2}\//.test(value) ? [value] : [];
  });
}
