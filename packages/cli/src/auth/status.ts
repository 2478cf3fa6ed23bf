/** `tau auth status` as lines for a person. */
import type { AuthStatus, KeySource, ProviderStatus } from '@tau/agent';

/** Those whose variable is worth a line's room. */
const common = ['anthropic', 'openai', 'google', 'openrouter', 'groq', 'xai', 'mistral', 'deepseek'];

export function statusLines(status: AuthStatus): string[] {
  const { universal, providers, unknownEntries } = status;
  // The helper may know them all; that is one line, not one for each.
  const shown = providers.filter(
    ({ used, others, inUse }) => (used && used.kind !== 'helper') || others.length > 0 || inUse,
  );
  const width = Math.max(0, ...shown.map(({ provider }) => provider.length));
  const lines = shown.map((one) => `${one.provider.padEnd(width)}  ${keyText(one)}`);
  if (universal) {
    lines.unshift(
      `${universal.variable}${hintText(universal.hint)} goes to the provider of the chosen model, before all below.`,
    );
  }
  const rest = providers.filter((one) => one.needed && !shown.includes(one));
  const helped = rest.filter(({ used }) => used !== undefined);
  if (helped.length > 0) {
    lines.push(`The apiKeyHelper of the settings is asked for: ${helped.map(({ provider }) => provider).join(', ')}.`);
  }
  const without = rest.filter(({ used }) => used === undefined);
  if (without.length > 0)
    lines.push(`${lines.length > 0 ? 'Without a key: ' : 'No key yet. Known: '}${namesOf(without)}.`);
  if (unknownEntries.length > 0) lines.push(`In auth.json, but no known provider: ${unknownEntries.join(', ')}.`);
  lines.push('tau auth set PROVIDER keeps a key; tau auth remove PROVIDER forgets it.');
  return lines;
}

function keyText({ provider, used, others, needed, variable }: ProviderStatus): string {
  if (!used) {
    if (!needed) return 'needs no key';
    return `no key: ${variable ? `set ${variable}, or ` : ''}run tau auth set ${provider}`;
  }
  return `${sourceText(used)}${others.length > 0 ? `; not used: ${others.map(sourceText).join(', ')}` : ''}`;
}

export function sourceText(source: KeySource): string {
  switch (source.kind) {
    case 'flag':
      return `--api-key${hintText(source.hint)}`;
    case 'variable':
      return `${source.name}${hintText(source.hint)}`;
    case 'helper':
      return 'the apiKeyHelper of the settings';
    case 'modelsFile':
      if (source.form === 'command') return 'a command in models.json';
      return `${source.form === 'variable' ? `${source.name}, named in models.json` : 'models.json'}${hintText(source.hint)}`;
    case 'authFile':
      if (source.form === 'key') return `auth.json${hintText(source.hint)}`;
      if (source.form === 'broken') return `auth.json, which cannot be used: ${source.problem}`;
      return `a login in auth.json${hintText(source.hint)}${untilText(source)}`;
  }
}

function untilText({ expires, problem }: { expires?: number; problem?: string }): string {
  if (problem !== undefined) return `, but ${problem}: renew it where it was made, or store a key instead`;
  return expires === undefined ? '' : `, until ${dateText(expires)}`;
}

function dateText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'a day beyond the calendar' : date.toISOString().slice(0, 16).replace('T', ' ');
}

function hintText(hint: string | undefined): string {
  return hint === undefined ? '' : ` (${hint})`;
}

function namesOf(providers: readonly ProviderStatus[]): string {
  const known = providers.filter(({ provider, variable }) => common.includes(provider) && variable !== undefined);
  const rest = providers.filter((one) => !known.includes(one)).map(({ provider }) => provider);
  return [...known.map(({ provider, variable }) => `${provider} (${variable})`), ...rest].join(', ');
}
