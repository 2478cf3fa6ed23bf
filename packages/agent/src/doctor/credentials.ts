/** Which providers have a key and where it comes from. Of a key nothing is told, not even its end. */
import { statSync } from 'node:fs';
import { createCredentials, type KeySource, type Provider } from '@tau/models';
import type { Home } from '../config/home.ts';
import type { Settings } from '../config/types.ts';
import { readProviders } from '../models.ts';
import { type Check, check, failed, someOf } from './check.ts';
import { warnings } from './settings.ts';

export interface CredentialsLook {
  checks: Check[];
  /** What no line may hold. */
  secrets: readonly string[];
}

const mostNames = 30;

export async function lookAtCredentials(
  home: Home,
  env: NodeJS.ProcessEnv,
  settings: Settings,
): Promise<CredentialsLook> {
  const checks: Check[] = [];
  let providers: readonly Provider[] = [];
  try {
    const read = await readProviders(home, env);
    providers = read.providers;
    checks.push(...warnings('models', 'models.json', read.warnings, 'Mend it: docs/models.md says what it may hold'));
  } catch (error) {
    checks.push(failed('models', 'models.json', error));
  }
  // Reading it would narrow it, and doctor changes nothing: then there is no file for it.
  const exposed = isOpenToOthers(home.auth);
  const credentials = createCredentials({
    env,
    authFile: exposed ? '' : home.auth,
    helper: settings.apiKeyHelper,
  });
  const secrets = credentials.variables(providers).map((name) => env[name] ?? '');
  try {
    const found = await Promise.all(
      providers.map(async (provider) => ({ name: provider.name, ...(await credentials.source(provider)) })),
    );
    checks.push(...keyChecks(found, { env, settings }));
    if (exposed) {
      const remedy = 'Narrow it first: see below';
      checks.push(check('credentials', 'Keys', 'note', `${home.auth} was not looked into: others can read it`, remedy));
    }
  } catch (error) {
    checks.push(failed('credentials', 'Keys', error));
  }
  return { checks, secrets };
}

interface Found {
  name: string;
  used?: KeySource;
  needed: boolean;
  variable?: string;
}

function keyChecks(found: readonly Found[], place: { env: NodeJS.ProcessEnv; settings: Settings }): Check[] {
  const [id, title] = ['credentials', 'Keys'];
  const { env, settings } = place;
  // The helper may know them all: that is one word, not one for each.
  const named = found.flatMap(({ name, used }) =>
    used && used.kind !== 'helper' ? [`${name} (${sourceName(used)})`] : [],
  );
  const anyOf = [
    ...(env.TAU_API_KEY?.trim() ? ['TAU_API_KEY for the provider of the chosen model'] : []),
    ...(settings.apiKeyHelper === undefined ? [] : ['the apiKeyHelper of the settings']),
  ];
  const all = [...anyOf, ...named];
  const checks = found.flatMap(({ name, used }) => {
    const problem = used?.kind === 'authFile' && used.form !== 'key' ? used.problem : undefined;
    if (problem === undefined) return [];
    const remedy = `Store a key: tau auth set ${name}`;
    return [check(id, title, 'warning', `the entry of ${name} in auth.json cannot be used: ${problem}`, remedy)];
  });
  const inUse = found.find(({ name }) => settings.model?.startsWith(`${name}/`));
  if (inUse?.needed && !inUse.used && anyOf.length === 0) {
    const set = inUse.variable === undefined ? '' : `, or set ${inUse.variable}`;
    const detail = `there is none for ${inUse.name}, whose model the settings choose`;
    checks.push(check(id, title, 'warning', detail, `Run tau auth set ${inUse.name}${set}`));
  }
  if (all.length > 0) return [check(id, title, 'ok', someOf(all, mostNames, ', ')), ...checks];
  const remedy = 'Run tau auth set PROVIDER, or use a model on this machine: docs/credentials.md';
  return [check(id, title, 'warning', 'there is none for any provider', remedy), ...checks];
}

function sourceName(source: KeySource): string {
  switch (source.kind) {
    case 'flag':
      return '--api-key';
    case 'variable':
      return source.name;
    case 'helper':
      return 'apiKeyHelper';
    case 'modelsFile':
      if (source.form === 'command') return 'a command in models.json';
      return source.form === 'variable' ? `${source.name}, named in models.json` : 'models.json';
    case 'authFile':
      return source.form === 'login' ? 'a login in auth.json' : 'auth.json';
  }
}

function isOpenToOthers(path: string): boolean {
  try {
    return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  } catch {
    return false;
  }
}
