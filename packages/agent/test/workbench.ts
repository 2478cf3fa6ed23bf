/** An agent in a private home with a scripted model, both gone when the test is over. */
import { join } from 'node:path';
import type { Extension, Tool, ToolContext, ToolInput, ToolResult } from '@tau/core';
import { textResult } from '@tau/core';
import { makeSandbox, type Sandbox, type ScriptedModel, type ScriptStep, startScriptedModel } from '@tau/testkit';
import { onTestFinished } from 'vitest';
import { type Agent, type AgentOptions, createAgent, type Run, type StampedEvent } from '../src/index.ts';

type Wishes = Omit<AgentOptions, 'cwd' | 'env'>;

export interface Workbench extends Sandbox {
  model: ScriptedModel;
  agent: Agent;
  /** Another agent in the same home and project. */
  another(options?: Wishes): Promise<Agent>;
}

/** `providers` are in models.json beside `scripted`. */
type Options = Wishes & { settings?: object; providers?: Record<string, object> };

export async function workbench(steps: ScriptStep[], options: Options = {}): Promise<Workbench> {
  const { settings = {}, providers, ...wishes } = options;
  const model = await startScriptedModel(steps);
  const sandbox = makeSandbox({ model, settings });
  onTestFinished(async () => {
    sandbox.dispose();
    await model.close();
  });
  if (providers) {
    const all = { scripted: providerAt(model, 'anthropic-messages'), ...providers };
    sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify({ providers: all }));
  }
  const env = { HOME: sandbox.home, PATH: process.env.PATH, TAU_SANDBOX_ENABLED: 'false' };
  const another = async (more: Wishes = {}) => {
    const agent = await createAgent({ ...more, cwd: sandbox.project, env });
    onTestFinished(() => agent.close());
    return agent;
  };
  return { ...sandbox, model, agent: await another(wishes), another };
}

const basePaths = { 'anthropic-messages': '', 'openai-responses': '/v1' };

/** How models.json names a scripted model, which it calls `scripted`; `facts` are what is known of it. */
export function providerAt({ url }: ScriptedModel, api: keyof typeof basePaths, facts: object = {}): object {
  return { baseUrl: url + basePaths[api], api, apiKey: 'test-key', models: [{ id: 'scripted', ...facts }] };
}

export const says = (text: string): ScriptStep => ({ blocks: [{ text }] });
export const call = (name: string, input: ToolInput = {}, id = `${name}_1`): ScriptStep => ({
  blocks: [{ call: name, input, id }],
});

export async function collect(run: Run): Promise<StampedEvent[]> {
  const events: StampedEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** The text of the first result of a run. */
export function resultText(events: readonly StampedEvent[]): string {
  const end = events.find((event) => event.type === 'tool_execution_end');
  const block = end?.type === 'tool_execution_end' ? end.result.content[0] : undefined;
  return block?.type === 'text' ? block.text : '';
}

/** A tool that takes anything and does what it is told, claiming to have no effects. */
export function toolOf(name: string, run: (input: ToolInput, context: ToolContext) => Promise<ToolResult>): Tool {
  const parameters = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
  return { name, description: `does ${name}`, parameters, effects: () => [], run };
}

export function extensionOf(name: string, register: Extension['register']): Extension {
  return { name, register };
}

export const greeter = extensionOf('greeter', (api) => {
  api.tool(toolOf('greet', async ({ name }) => textResult(`Hello, ${name}`)));
});
