/**
 * Takes secrets out of a text before anybody else sees it: those that are known, in the forms they travel in, and
 * whatever has the shape of a well-known kind of key. Each pass is linear in the text.
 */
import { once } from '@tau/core';
import { makeShapes } from './shapes.ts';

const stand = '[secret]';
/** Shorter ones would also be found in innocent text. */
const minLength = 8;

const shapes = once(makeShapes);

export function scrub(text: string, secrets: Iterable<string>): string {
  return withoutSecrets(text, formsOf(secrets));
}

/** The same for secrets of which more may become known. */
export function createScrub(secrets: ReadonlySet<string>): (text: string) => string {
  let forms: readonly string[] = [];
  let known = 0;
  return (text) => {
    if (secrets.size !== known) forms = formsOf(secrets);
    known = secrets.size;
    return withoutSecrets(text, forms);
  };
}

/** Long enough in one piece for each kind of key; all of them have such a piece. */
const mayHoldKey = /[\w.~/+:=-]{15}/;
const mayNameOne = /[:=]|bearer|basic/i;

/** Most texts are short and plain, and to look for every shape in each of them would take longer than what they tell of. */
function withoutSecrets(text: string, forms: readonly string[]): string {
  let clean = text;
  for (const form of forms) clean = clean.replaceAll(form, stand);
  if (mayHoldKey.test(clean)) {
    for (const shape of shapes().keys) clean = clean.replace(shape, stand);
  }
  if (!mayNameOne.test(clean)) return clean;
  for (const { shape, isSecret } of shapes().named) {
    clean = clean.replace(shape, (whole, name: string, value: string) =>
      isSecret(value) ? `${name}${stand}${whole.slice(name.length + value.length)}` : whole,
    );
  }
  return clean;
}

/** Longest first, so that a secret within a secret does not leave the rest of it behind. */
function formsOf(secrets: Iterable<string>): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < minLength) continue;
    // Most keys are written the same everywhere, but in base64.
    const written = /^[\w.-]+$/.test(secret) ? [secret] : [secret, ...escaped(secret), ...encoded(secret)];
    for (const form of [...written, ...base64(secret)]) {
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
