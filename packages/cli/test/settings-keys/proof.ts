/**
 * How a setting is proved to count: the same scene twice through the built binary, without it and with it, and what is
 * seen of the two runs must differ in the way that is told.
 */
import { join } from 'node:path';
import { makeSandbox, type Sandbox, type ScriptedModel, type ScriptStep, startScriptedModel } from '@tau/testkit';
import { onTestFinished } from 'vitest';
import { request, resultsIn, says, systemIn } from '../conversation.ts';
import { at, list } from '../json.ts';

type Value = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | readonly object[];
type Run = Pick<Awaited<ReturnType<Sandbox['tau']>>, 'code' | 'stdout' | 'stderr'>;

export interface Scene extends Sandbox {
  model: ScriptedModel;
}

export interface Seen extends Scene {
  run: Run;
}

export interface Proof {
  value: Value | ((scene: Scene) => Value);
  /** Another value instead of none, where none would take too long to see. */
  instead?: Value;
  /** Default: one answer. */
  steps?: readonly ScriptStep[];
  /** Set in both runs. */
  settings?: Readonly<Record<string, unknown>>;
  files?: Readonly<Record<string, string>>;
  prepare?(scene: Scene): void;
  git?: boolean;
  tls?: boolean;
  /** Commands run in a sandbox. */
  contained?: boolean;
  args?: readonly string[];
  /** Instead of one prompt: runs the command by itself. */
  perform?(scene: Scene): Promise<Run>;
  see(seen: Seen): unknown;
  without: unknown;
  with: unknown;
}

/** What is seen of the two runs. */
export async function runBoth(name: string, proof: Proof): Promise<{ without: unknown; with: unknown }> {
  const [without, withIt] = await Promise.all([
    runOnce(proof, (settings) => setAt(settings, name, proof.instead)),
    runOnce(proof, (settings, scene) => {
      const { value } = proof;
      return setAt(settings, name, typeof value === 'function' ? value(scene) : value);
    }),
  ]);
  return { without, with: withIt };
}

type Change = (settings: Readonly<Record<string, unknown>>, scene: Scene) => unknown;

async function runOnce(proof: Proof, change: Change): Promise<unknown> {
  const { steps = [says('ok')], git = false, tls = false, contained = false, files = {}, args = [] } = proof;
  const model = await startScriptedModel([...steps], { tls });
  const sandbox = makeSandbox({ git, contained });
  onTestFinished(async () => {
    sandbox.dispose();
    await model.close();
  });
  const scene = { ...sandbox, model };
  const { tauHome, write } = sandbox;
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: providersAt(model.url) }));
  for (const [path, text] of Object.entries(files)) write(path, text);
  proof.prepare?.(scene);
  const settings = { model: 'scripted/scripted', retry: { retries: 0 }, ...proof.settings };
  write(join(tauHome, 'settings.json'), JSON.stringify(change(settings, scene)));
  const run = await (proof.perform?.(scene) ?? scene.tau(['-p', 'go', ...args]));
  return proof.see({ ...scene, run });
}

/** The scripted server under several names: with two models, with a price, without a key, and at a wrong address. */
function providersAt(url: string): Record<string, unknown> {
  const common = { baseUrl: url, api: 'anthropic-messages' };
  const cost = { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 };
  return {
    scripted: { ...common, apiKey: 'k', models: [{ id: 'scripted' }, { id: 'second' }] },
    another: { ...common, apiKey: 'k', models: [{ id: 'third', cost }] },
    anthropic: { baseUrl: url },
    lost: { ...common, apiKey: 'k', baseUrl: 'http://127.0.0.1:9', models: [{ id: 'x' }] },
  };
}

/** The settings with this one changed, or taken away when there is no value. */
function setAt(settings: Readonly<Record<string, unknown>>, name: string, value: Value | undefined): unknown {
  const [first = '', ...rest] = name.split('.');
  const { [first]: there, ...others } = settings;
  const inside = rest.length === 0 ? value : setAt(recordIn(there), rest.join('.'), value);
  return inside === undefined ? others : { ...others, [first]: inside };
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** How it ended, and every model that was asked. */
export const outcome = ({ run, model }: Seen): unknown[] => [
  run.code,
  ...model.requests.map(({ body }) => at(body, 'model')),
];

/** What `--output-format stream-json` told. */
export const events = ({ run }: Seen): unknown[] =>
  run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

export const exitCode = ({ run }: Seen) => run.code;
export const requests = ({ model }: Seen) => model.requests.length;
export const system = ({ model }: Seen) => systemIn(request(model, 0));

/** A field of the first request. */
export const sent =
  (field: string) =>
  ({ model }: Seen) =>
    at(request(model, 0).body, field);

/** The names of the tools in the first request. */
export const toolsSent = ({ model }: Seen) =>
  list(at(request(model, 0).body, 'tools') ?? []).map((tool) => at(tool, 'name'));

/** What the first call of the first answer came back with. */
export const result = ({ model }: Seen) => resultsIn(request(model, 1))[0]?.text;
