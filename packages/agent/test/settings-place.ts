/** A private home and project with the settings files a test asks for. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openConfig } from '../src/config/config.ts';
import { findHome } from '../src/config/home.ts';
import { loadSettings } from '../src/config/settings.ts';

export function makePlace(files: Record<string, string | object> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-settings-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const project = join(root, 'project');
  const write = (path: string, content: string | object) => {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
    return target;
  };
  for (const folder of [home, join(project, '.git')]) mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) write(path, content);
  const env = { HOME: home };
  return {
    root,
    home,
    project,
    write,
    path: (path: string) => join(root, path),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    load: (more: { env?: NodeJS.ProcessEnv; cwd?: string; configFile?: string } = {}) => {
      const all = { ...env, ...more.env };
      return loadSettings(findHome(all), { cwd: project, ...more, env: all });
    },
    config: (cwd = project, extra: NodeJS.ProcessEnv = {}) => openConfig({ env: { ...env, ...extra }, cwd }),
  };
}

export const userFile = 'home/.tau/settings.json';
export const projectFile = 'project/.tau/settings.json';
export const localFile = 'project/.tau/settings.local.json';
