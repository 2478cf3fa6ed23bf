/**
 * Takes secrets out of a text before anybody else sees it: those that are known, in the forms they travel in, and
 * whatever has the shape of a well-known kind of key. Each pass is linear in the text.
 */

const stand = '[secret]';
/** Shorter ones would also be found in innocent text. */
const minLength = 8;

export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const form of formsOf(secrets)) clean = clean.replaceAll(form, stand);
  for (const shape of exactShapes) clean = clean.replace(shape, stand);
  return clean.replace(bearer, (whole, word: string, token: string) => (isToken(token) ? `${word}${stand}` : whole));
}

/** Longest first, so that a secret within a secret does not leave the rest of it behind. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < minLength) continue;
    for (const form of [secret, ...escaped(secret), ...encoded(secret), ...base64(secret)]) {
      if (form.length >= minLength) forms.add(form);
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** As JSON writes it, also with slashes escaped, and as JSON within JSON. */
function escaped(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  return [once, once.replaceAll('/', '\\/'), JSON.stringify(once).slice(1, -1)];
}

function encoded(secret: string): string[] {
  // Half a surrogate pair cannot be encoded; this is how it would be sent.
  const whole = Buffer.from(secret).toString('utf8');
  const form = new URLSearchParams([['', whole]]).toString().slice(1);
  return [encodeURIComponent(whole), form].flatMap((text) => [
    text,
    text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  ]);
}

/** Alone, and inside something longer such as `user:key`, where it may begin at any of three places in a group. */
function base64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The characters at the edges carry bits of what stands beside the secret.
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(from, to);
  });
  const alone = bytes.toString('base64');
  return [alone, alone.replace(/=+$/, ''), ...inside].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
}

/** Where a word begins, also after an escape or a colour: `\nsk-`, `%20sk-`. */
const begin = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt])|(?<=%[0-9A-Fa-f]{2})|(?<=(?:\u001b|\\u001[bB])\[[0-9;]{0,16}m))`;

const exactShapes: readonly RegExp[] = [
  /sk-(?:ant|proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{8,}/g,
  /github_pat_[A-Za-z0-9_]{16,}/g,
  /AIza[A-Za-z0-9_-]{20,}/g,
  // Three parts, of which the first two are objects.
  new RegExp(`${begin}eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*`, 'g'),
  new RegExp(`${begin}(?:gsk_|xai-|r8_|gh[opsur]_)[A-Za-z0-9]{16,}`, 'g'),
  new RegExp(`${begin}A(?:KI|SI)A[A-Z0-9]{16}(?![A-Z0-9])`, 'g'),
  // Hyphenated words may begin so too; a key has digits.
  new RegExp(`${begin}sk-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{16,}`, 'g'),
];

const bearer = /\b(bearer[ \t]{1,8})([A-Za-z0-9._~+/=-]{8,})/gi;

/** "Bearer authentication" is prose. */
function isToken(text: string): boolean {
  return text.length >= 20 || /[0-9]/.test(text);
}
