/** Certificates a user trusts beside the system's, as TLS wants them. Made once: reading all roots takes a while. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls, { type SecureContext } from 'node:tls';
import { isRecord, TauError } from '@tau/core';

export function trusting(pem: string, env: NodeJS.ProcessEnv): SecureContext {
  const own = checkCertificates(pem);
  const more = [...extraRoots(env.NODE_EXTRA_CA_CERTS), ...own];
  const context = tls.createSecureContext();
  if (!takesMore(context.context)) return tls.createSecureContext({ ca: [...nodeRoots(), ...more] });
  for (const certificate of more) context.context.addCACert(certificate);
  return context;
}

/** The certificates in a text, each of which can be read. */
export function checkCertificates(pem: string): readonly string[] {
  const own = certificatesIn(pem);
  if (own.length === 0) throw unreadable('it holds no certificate');
  for (const certificate of own) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw unreadable('one of its certificates cannot be read', error);
    }
  }
  return own;
}

/** Node's own way to add to what it trusts by itself. Naming all roots instead takes 19 ms, a third of a start. */
function takesMore(context: unknown): context is { addCACert(pem: string): void } {
  return isRecord(context) && typeof context.addCACert === 'function';
}

/** Naming roots replaces what Node trusts by itself, which newer versions can be asked for: it may be the system's store. */
function nodeRoots(): readonly string[] {
  if (!('getCACertificates' in tls) || typeof tls.getCACertificates !== 'function') return tls.rootCertificates;
  const roots: string[] = tls.getCACertificates('default');
  return roots;
}

/** Node warns at its start when it cannot read this file, and goes on without it. */
function extraRoots(path: string | undefined): string[] {
  if (!path) return [];
  try {
    return certificatesIn(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
}

function certificatesIn(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

function unreadable(why: string, cause?: unknown): TauError {
  return new TauError('configuration', `The certificates named by caFile cannot be used: ${why}`, {
    remedy: 'Give a file with certificates in PEM form',
    cause,
  });
}
