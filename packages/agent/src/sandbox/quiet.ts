/**
 * What keeps programs from looking for news of themselves, or telling of their use: in a sandbox each such look is a
 * question to the user about a host that nobody wants. What the user has set stays as it is.
 */
const quiet: Readonly<Record<string, string>> = {
  NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  DENO_NO_UPDATE_CHECK: '1',
  CHECKPOINT_DISABLE: '1',
  HOMEBREW_NO_AUTO_UPDATE: '1',
  DO_NOT_TRACK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  GATSBY_TELEMETRY_DISABLED: '1',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
};

export function quietPrograms(...set: readonly (NodeJS.ProcessEnv | undefined)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(quiet).filter(([name]) => !set.some((env) => env?.[name] !== undefined)));
}
