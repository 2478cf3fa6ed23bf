/** Headers of `models.json`: each is a literal, the name of a variable, or `!command` whose output it is. */
import { TauError } from '@tau/core';
import { secretIn } from '../auth-header.ts';
import { type CommandOptions, firstLine } from './command.ts';
import { isSurelyVariable, isVariable, variableValue } from './owner.ts';

export interface HeaderOptions {
  /** Whose headers they are, for what is said when one cannot be had. */
  provider?: string;
  run?: (command: string, options: CommandOptions) => Promise<string>;
  /** Called with every value that was not written out, and with what is by its name a secret. */
  onSecret?: (value: string) => void;
  signal?: AbortSignal | undefined;
}

export async function resolveHeaders(
  headers: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
  options: HeaderOptions = {},
): Promise<Record<string, string>> {
  const resolved: [string, string][] = [];
  for (const [name, written] of Object.entries(headers)) {
    const value = await resolveHeader(name, written, env, options);
    if (value !== written) options.onSecret?.(value);
    const secret = secretIn(name, value);
    if (secret) options.onSecret?.(secret);
    resolved.push([name, value]);
  }
  return Object.fromEntries(resolved);
}

async function resolveHeader(name: string, written: string, env: NodeJS.ProcessEnv, options: HeaderOptions) {
  const { provider, run = firstLine, signal } = options;
  const owner = provider === undefined ? '' : ` of ${provider}`;
  if (written.startsWith('!')) {
    return run(written.slice(1), {
      env: provider === undefined ? env : { ...env, TAU_PROVIDER: provider },
      what: `The command of the header "${name}"${owner}`,
      remedy: `To see why, run by hand what this header in models.json says after the "!"`,
      signal,
    });
  }
  const value = isVariable(written) ? variableValue(env, written) : undefined;
  if (value !== undefined) return value;
  if (!isSurelyVariable(written)) return written;
  throw new TauError('credentials', `The header "${name}"${owner} is in ${written}, which is not set`, {
    remedy: `Set ${written}, or change the header in models.json`,
  });
}
