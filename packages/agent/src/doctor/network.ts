/** How tau would get to a provider: proxies and certificates, as they are set. Nothing is asked of the network. */
import { accessSync, constants, statSync } from 'node:fs';
import { TauError } from '@tau/core';
import { checkNetwork } from '@tau/models';
import type { Home } from '../config/home.ts';
import { readText } from '../config/text.ts';
import type { Settings } from '../config/types.ts';
import { underHome } from '../place.ts';
import { type Check, check, failed } from './check.ts';

const proxyNames = ['https_proxy', 'http_proxy', 'all_proxy'] as const;

export async function proxyCheck(env: NodeJS.ProcessEnv): Promise<Check> {
  const set = proxyNames.flatMap((lower) => {
    const name = [lower, lower.toUpperCase()].find((one) => env[one]?.trim());
    return name === undefined ? [] : [{ name, value: env[name] ?? '' }];
  });
  if (set.length === 0) return check('proxy', 'Proxy', 'ok', 'none');
  try {
    await checkNetwork({ env }, ['https://provider.invalid', 'http://provider.invalid']);
  } catch (error) {
    return failed('proxy', 'Proxy', error);
  }
  const except = env.no_proxy || env.NO_PROXY;
  const shown = set.map(({ name, value }) => `${name}=${masked(value)}`);
  return check('proxy', 'Proxy', 'ok', [...shown, ...(except ? [`not for ${except}`] : [])].join(', '));
}

/** Only who is asked and where; a name and a password may stand before it, and anything behind. */
function masked(value: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value.trim()) ? value.trim() : `http://${value.trim()}`;
  if (!URL.canParse(text)) return '(not an address)';
  const { protocol, host, username, password } = new URL(text);
  return `${protocol}//${username || password ? '***@' : ''}${host}`;
}

export async function certificateChecks(env: NodeJS.ProcessEnv, settings: Settings, home: Home): Promise<Check[]> {
  const checks: Check[] = [];
  const [id, title] = ['certificates', 'Certificates'];
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    const detail = 'NODE_TLS_REJECT_UNAUTHORIZED is 0: nobody checks who answers, so keys may go to anybody';
    checks.push(check(id, title, 'problem', detail, 'Unset it; name a certificate you trust in the setting caFile'));
  }
  const caFile = underHome(settings.caFile, home);
  if (caFile !== undefined) {
    try {
      const ca = readText(caFile);
      if (ca === undefined)
        throw new TauError('configuration', `${caFile} is not there`, { remedy: 'Mend or remove caFile' });
      await checkNetwork({ ca, env: {} }, []);
      checks.push(check(id, title, 'ok', `the system's, and those in ${caFile}`));
    } catch (error) {
      checks.push(failed(id, title, error));
    }
  }
  const extra = env.NODE_EXTRA_CA_CERTS;
  if (extra) {
    const fine = isReadable(extra);
    const detail = `NODE_EXTRA_CA_CERTS=${extra}`;
    if (fine) checks.push(check(id, title, 'ok', detail));
    else checks.push(check(id, title, 'warning', `${detail} cannot be read`, 'Mend the path, or unset it'));
  }
  return checks.length > 0 ? checks : [check(id, title, 'ok', "the system's")];
}

/** What node is told to do before tau begins. */
export function nodeOptionsChecks(env: NodeJS.ProcessEnv): Check[] {
  if (!env.NODE_OPTIONS?.trim()) return [];
  const remedy = 'Unset it if you did not set it';
  return [check('nodeOptions', 'NODE_OPTIONS', 'note', 'is set: node does what it says before tau begins', remedy)];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
