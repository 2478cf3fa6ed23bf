/** What a project would enable if it were trusted, each thing with where it stands and what it means. */
import { join, relative } from 'node:path';
import { describeError, isRecord } from '@tau/core';
import { wishIn } from '../claude-rules.ts';
import { shown } from '../config/explain.ts';
import { readJsonFile } from '../config/jsonc.ts';
import { keys } from '../config/keys.ts';
import type { LoadedSettings } from '../config/settings.ts';
import type { SettingName } from '../config/types.ts';
import { claudeFiles, isHash } from './content.ts';
import { hooksIn } from './hooks-in.ts';
import type { ProjectTrust } from './project-trust.ts';

export interface Enabled {
  kind: 'setting' | 'hook' | 'file';
  /** Of the setting, the event of the hook, or the file. */
  name: string;
  meaning: string;
  /** Without what is secret. */
  value?: unknown;
  /** Within the project, with line and column where that is known. */
  place: string;
  /** False for what is recorded with the rest, but would change nothing now. */
  counts: boolean;
}

/** `loaded` as the project is not trusted. */
export async function previewTrust(trust: ProjectTrust, loaded: LoadedSettings): Promise<Enabled[]> {
  const { root = '' } = trust;
  const enabled: Enabled[] = [];
  let claudeHooks: unknown;
  for (const layer of loaded.layers) {
    for (const [name, { value }] of layer.refused) {
      const place = relative(root, await layer.locate(name));
      if (!leadsOut(trust, place)) enabled.push(...settingRows(name, value, place));
    }
    // A project has no say in this.
    if (layer.layer === 'project' || layer.layer === 'local') continue;
    const values = new Map<string, unknown>(layer.values);
    if (values.has('claudeHooks')) claudeHooks = values.get('claudeHooks');
  }
  const claude = { hooks: claudeHooks === true, rules: wishIn(loaded.layers) === true };
  return [...enabled, ...(await claudeRows(trust, claude)), ...fileRows(trust)];
}

/** What stands behind a link out of the project does not count with trust either. */
function leadsOut({ content }: ProjectTrust, place: string): boolean {
  return !isHash(content.files.get(place.replace(/:\d+:\d+$/, '')));
}

function settingRows(name: SettingName, value: unknown, place: string): Enabled[] {
  if (String(name) === 'hooks') return hooksIn(value).map(({ event, runs }) => hookRow(event, runs, place, true));
  const meaning = meanings[name] ?? keys[name].about;
  return [{ kind: 'setting', name, meaning, value: shown(value), place, counts: true }];
}

function hookRow(event: string, runs: string, place: string, counts: boolean): Enabled {
  const meaning = counts ? 'a hook runs this' : 'a hook of Claude Code, not run unless claudeHooks is on';
  return { kind: 'hook', name: event, meaning, value: shown(runs), place, counts };
}

/** What is at stake, where that is more than what the setting is about. */
const meanings: Readonly<Partial<Record<SettingName, string>>> = {
  permissionMode: 'this much happens without you being asked',
  'permissions.allow': 'all this happens without you being asked',
  additionalDirectories: 'these folders may be read and changed like the project',
  shellConfirm: 'commands are no longer asked about',
  auditLog: 'what is decided is no longer written down',
  baseUrl: 'what you say, your files and your key go to this address',
  apiKeyHelper: 'this command runs whenever a key is needed',
  caFile: 'whoever these certificates are from can read along',
  env: 'commands run with these variables',
  shell: 'this program runs every command',
  commandPrefix: 'this runs before every command',
  sessionDir: 'conversations are kept there',
  systemPrompt: "the model is told this in place of tau's own instructions",
  appendSystemPrompt: 'the model is told this as if you had said it',
  customInstructions: 'the model is told this as if you had said it',
  outputStyle: 'the model is told this as if you had said it',
  'webFetch.privateHosts': 'pages of these hosts in your own network may be read',
};

/** Of Claude Code's files hooks and rules that allow alone would count, and only for who wants that. */
async function claudeRows(
  { root = '', content }: ProjectTrust,
  counts: { hooks: boolean; rules: boolean },
): Promise<Enabled[]> {
  const rows: Enabled[] = [];
  for (const path of claudeFiles) {
    const looked = { hooks: isHash(content.files.get(path)), rules: content.rules.has(path) };
    if (!looked.hooks && !looked.rules) continue;
    const { hooks, allow } = await claudeParts(join(root, path));
    if (looked.hooks) rows.push(...hooks.map(({ event, runs }) => hookRow(event, runs, path, counts.hooks)));
    if (looked.rules && allow !== undefined) rows.push(rulesRow(allow, path, counts.rules));
  }
  return rows;
}

function rulesRow(allow: unknown, place: string, counts: boolean): Enabled {
  const name = 'permissions.allow';
  const meaning = counts
    ? 'all this happens without you being asked'
    : 'rules of Claude Code, which do not count unless claudeRules is on';
  return { kind: 'setting', name, meaning, value: shown(allow), place, counts };
}

/** Read as it is read when it counts, comments and all. */
async function claudeParts(path: string): Promise<{ hooks: ReturnType<typeof hooksIn>; allow?: unknown }> {
  try {
    const { value } = (await readJsonFile(path)) ?? {};
    if (!isRecord(value)) return { hooks: [] };
    const { hooks, permissions } = value;
    return {
      hooks: hooks === undefined ? [] : hooksIn(hooks),
      allow: isRecord(permissions) ? permissions.allow : undefined,
    };
  } catch (error) {
    return { hooks: [{ event: 'unknown', runs: `nothing, as long as it cannot be read: ${describeError(error)}` }] };
  }
}

/** What no setting names: recorded, so that it is seen when it changes. */
function fileRows({ content }: ProjectTrust): Enabled[] {
  return [...content.files].flatMap(([path, entry]): Enabled[] => {
    const row = (meaning: string): Enabled[] => [{ kind: 'file', name: path, meaning, place: path, counts: false }];
    if (!isHash(entry)) return row(`a ${entry}, which leads out of the project and is never trusted`);
    if (path.startsWith('.tau/hooks/')) return row('a file that hooks may run');
    if (path.startsWith('.tau/extensions/')) return row('an extension; this version of tau runs none');
    if (path === '.tau/models.json') return row('models of the project; this version of tau reads none');
    return path === '.tau/mcp.json' ? row('MCP servers; this version of tau starts none') : [];
  });
}
