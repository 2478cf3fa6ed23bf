/**
 * Which other agents are installed, and how each is started without an account: in a home of its own, with settings that
 * skip its first questions and a key that is none. Found on PATH, or named by TAU_BENCH_PEERS (names or files, with commas).
 */
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** What each needs before it shows its prompt, and what keeps it from calling home. */
const known = {
  pi: () => ({
    env: { ANTHROPIC_API_KEY: 'test-key', PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
  }),
  codex: ({ project }) => ({
    env: { OPENAI_API_KEY: 'test-key' },
    files: {
      '.codex/config.toml': [
        'model = "bench"',
        'model_provider = "bench"',
        'check_for_update_on_startup = false',
        '[analytics]\nenabled = false',
        '[model_providers.bench]\nname = "bench"\nbase_url = "http://127.0.0.1:9/v1"\nenv_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"`,
      ].join('\n'),
    },
  }),
  claude: ({ project }) => ({
    env: {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    files: {
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: ['test-key'], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    },
  }),
  gemini: () => ({
    env: { GEMINI_API_KEY: 'test-key' },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  }),
  opencode: () => ({ env: { OPENCODE_DISABLE_AUTOUPDATE: '1' } }),
};

export const knownPeers = Object.keys(known);

/** `{ name, file, env }` of each that is installed. */
export function findPeers({ root, project, env }, wanted = process.env.TAU_BENCH_PEERS) {
  const names = wanted?.split(',').map((one) => one.trim()) ?? knownPeers;
  return names.filter(Boolean).flatMap((named) => {
    const file = named.includes('/') ? named : onPath(named, env.PATH);
    if (file === undefined) return [];
    const name = basename(file);
    const { env: own = {}, files = {} } = known[name]?.({ project }) ?? {};
    const home = join(root, 'peers', name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(home, path, '..'), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    mkdirSync(home, { recursive: true });
    return [{ name, file, env: { ...env, ...own, HOME: home } }];
  });
}

function onPath(name, path = '') {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
