/**
 * Names that settings had before, or have elsewhere. They are read as what they are called now, with a word about it, and
 * `tau config migrate` writes them so. A name never comes to mean something else, so names are all the version there is.
 */

export interface Migration {
  /** In camelCase, `group.name` in a group; snake_case is the same name. */
  old: string;
  /** In the same group. */
  now: string;
  /** The agent that calls it so, or the version of tau that did last. */
  from: string;
}

export const migrations: readonly Migration[] = [
  { old: 'defaultModel', now: 'model', from: 'pi' },
  { old: 'defaultProvider', now: 'provider', from: 'pi' },
  { old: 'defaultThinkingLevel', now: 'thinking', from: 'pi' },
  { old: 'enabledModels', now: 'availableModels', from: 'pi' },
  { old: 'shellPath', now: 'shell', from: 'pi' },
  { old: 'shellCommandPrefix', now: 'commandPrefix', from: 'pi' },
  { old: 'retry.maxRetries', now: 'retry.retries', from: 'pi' },
  { old: 'retry.baseDelayMs', now: 'retry.baseMs', from: 'pi' },
  { old: 'apiProvider', now: 'provider', from: 'crab' },
  { old: 'apiBaseUrl', now: 'baseUrl', from: 'crab' },
  { old: 'modelOverrides', now: 'aliases', from: 'crab' },
  { old: 'advisorModel', now: 'smallModel', from: 'crab' },
  { old: 'defaultShell', now: 'shell', from: 'crab' },
  { old: 'maxIterations', now: 'maxTurns', from: 'crab' },
];

const current: ReadonlyMap<string, string> = new Map(migrations.map(({ old, now }) => [old, lastOf(now)]));

/** What a name in camelCase is called now, within its group. The same name where nothing has changed. */
export function nameNow(camel: string, group: string | undefined): string {
  if (camel.includes('.')) return camel;
  return current.get(group === undefined ? camel : `${group}.${camel}`) ?? camel;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
