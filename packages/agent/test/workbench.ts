/** An agent in a private home with a scripted model, both gone when the test is over. */
import type { Extension, Tool, ToolContext, ToolInput, ToolResult } from '@tau/core';
import { textResult } from '@tau/core';
import { makeSandbox, type Sandbox, type ScriptedModel, type ScriptStep, startScriptedModel } from '@tau/testkit';
import { onTestFinished } from 'vitest';
import { type Agent, type AgentOptions, createAgent, type Run, type StampedEvent } from '../src/index.ts';

export interface Workbench extends Sandbox {
  model: ScriptedModel;
  agent: Agent;
}

type Options = Omit<AgentOptions, 'cwd' | 'env'> & { settings?: object };

export async function workbench(steps: ScriptStep[], { settings = {}, ...options }: Options = {}): Promise<Workbench> {
  const model = await startScriptedModel(steps);
  const sandbox = makeSandbox({ model, settings });
  onTestFinished(async () => {
    sandbox.dispose();
    await model.close();
  });
  const env = { HOME: sandbox.home, PATH: process.env.PATH };
  const agent = await createAgent({ ...options, cwd: sandbox.project, env });
  onTestFinished(() => agent.close());
  return { ...sandbox, model, agent };
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
