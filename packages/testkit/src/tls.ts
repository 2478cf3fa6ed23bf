/** A certificate of our own, made when a test needs one: no key is kept anywhere. Needs `openssl`. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Certificate {
  key: string;
  /** Signed by itself, so it is also what a client must trust. */
  cert: string;
}

/** The last name leads nowhere, but may be asked of a proxy that knows where to go. */
const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:model.test';

export async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'tau-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=tau test', '-addext', names, '-keyout', keyFile, '-out', certFile],
    ]);
    return { key: await readFile(keyFile, 'utf8'), cert: await readFile(certFile, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
