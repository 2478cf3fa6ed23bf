/** A private home, project and temp folder, and the built binary run in them with nothing of the caller's environment. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killGroup, launch, type RunningTau, type TauRun } from './run.ts';
import type { ScriptedModel } from './scripted-model.ts';

const binary = fileURLToPath(new URL('../../cli/bin/tau.cjs', import.meta.url));

export interface Sandbox {
  home: string;
  project: string;
  /** `.tau` in the home. */
  tauHome: string;
  /** Paths are relative to the project, or absolute; folders are made. */
  write(path: string, text: string): void;
  read(path: string): string;
  tau(args: string[], options?: TauOptions): Promise<TauRun>;
  start(args: string[], options?: TauOptions): RunningTau;
  /** Kills what is still running and removes the folder. */
  dispose(): void;
}

interface TauOptions {
  /** Default: the project. */
  cwd?: string;
  env?: Record<string, string>;
  /** Default: none at all, not an empty one. */
  stdin?: string;
  /** A program, with arguments, that starts it: a container, say. */
  within?: readonly string[];
  /** `send` and `endInput` of what `start` returns write to it. */
  openStdin?: boolean;
}

interface SandboxOptions {
  /** Makes it the default model, as `scripted/scripted`. */
  model?: ScriptedModel;
  api?: WireApi;
  /** The project is a repository with one empty commit. */
  git?: boolean;
  settings?: object;
  /** Commands run in tau's own sandbox, where it works. Without it they never do, so that a test costs no more than it needs. */
  contained?: boolean;
}

export function makeSandbox(options: SandboxOptions = {}): Sandbox {
  const { model, api = 'anthropic-messages', git = false, contained = false, settings } = options;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-sandbox-')));
  const home = join(root, 'home');
  const tauHome = join(home, '.tau');
  const project = join(root, 'project');
  const temporary = join(root, 'tmp');
  for (const folder of [tauHome, project, temporary]) mkdirSync(folder, { recursive: true });
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', TMPDIR: temporary },
    ...(!contained && { TAU_SANDBOX_ENABLED: 'false' }),
  };

  if (git) initRepository(project, env);
  if (model) writeJson(join(tauHome, 'models.json'), modelsFile(model, api));
  // A script says what each request gets: a second try, unless a test asks for it, would take the step after.
  const scripted = model ? { model: 'scripted/scripted', retry: { retries: 0 } } : {};
  if (model || settings) writeJson(join(tauHome, 'settings.json'), { ...scripted, ...settings });

  const running = new Set<RunningTau>();
  const start = (args: string[], options: TauOptions = {}): RunningTau => {
    const { cwd = project, env: extra, stdin, openStdin, within = [] } = options;
    const [program = '', ...rest] = [...within, process.execPath, binary, ...args];
    const run = launch(program, rest, { cwd, env: { ...env, ...extra }, stdin, openStdin });
    running.add(run);
    run.child.once('close', () => running.delete(run));
    return run;
  };

  return {
    home,
    project,
    tauHome,
    write(path, text) {
      const target = resolve(project, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    },
    read: (path) => readFileSync(resolve(project, path), 'utf8'),
    tau: (args, runOptions) => start(args, runOptions).done,
    start,
    dispose() {
      for (const run of running) killGroup(run.child);
      // A process that was just killed may still have been writing.
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}

/** What a client of the protocol expects in its base URL. */
const basePath = {
  'anthropic-messages': '',
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'google-generative-ai': '/v1beta',
} as const;

export type WireApi = keyof typeof basePath;

function modelsFile(model: ScriptedModel, api: WireApi): unknown {
  return {
    providers: {
      scripted: { baseUrl: model.url + basePath[api], api, apiKey: 'test-key', models: [{ id: 'scripted' }] },
    },
  };
}

function initRepository(folder: string, env: Record<string, string>): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env: { ...env, GIT_CONFIG_NOSYSTEM: '1' }, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.invalid');
  git('commit', '--quiet', '--allow-empty', '--message', 'start');
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
