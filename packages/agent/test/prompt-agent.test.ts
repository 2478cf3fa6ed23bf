/** The prompt as an agent made by `createAgent()` uses it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textResult } from '@tau/core';
import { makeSandbox, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../src/index.ts';
import { collect, extensionOf, says, toolOf, workbench } from './workbench.ts';

test('what a tool on offer wants known is in the prompt, what one on demand wants is not', async () => {
  const guided = extensionOf('guided', (api) => {
    api.tool({ ...toolOf('sing', async () => textResult('la')), guidelines: ['Sing in tune.'] });
    api.tool({ ...toolOf('hum', async () => textResult('mm')), guidelines: ['Hum softly.'], deferred: true });
  });
  const { agent, model } = await workbench([says('ok')], { extensions: [guided] });
  await collect(agent.prompt('go'));
  expect(model.requests[0]?.raw).toMatch(/\\n\\nTools:\\n(- [^"]*?\\n)?- Sing in tune\./);
  expect(model.requests[0]?.raw).not.toContain('Hum softly');
});

test('an agent says which context files it loaded', async () => {
  const model = await startScriptedModel([]);
  const { project, home, dispose, write } = makeSandbox({ model });
  onTestFinished(async () => {
    dispose();
    await model.close();
  });
  write('AGENTS.md', 'Be kind. @more.md');
  write('more.md', 'Be brief.');
  const agent = await createAgent({
    cwd: project,
    env: { HOME: home, PATH: process.env.PATH, TAU_SANDBOX_ENABLED: 'false' },
  });
  onTestFinished(() => agent.close());
  const files = ['AGENTS.md', 'more.md'].map((name) => join(project, name));
  expect(agent.contextFiles.map(({ path }) => path)).toEqual(files);
});

test('prompts of one agent carry the same system bytes, whatever happens to its sources meanwhile', async () => {
  const { agent, model, project } = await workbench([says('one'), says('two')]);
  await collect(agent.prompt('go'));
  writeFileSync(join(project, 'AGENTS.md'), 'new rule');
  await collect(agent.prompt('again'));
  const [first, second] = model.requests.map(({ raw }) => raw);
  expect(second).not.toContain('new rule');
  expect(second?.startsWith(first?.slice(0, -2) ?? 'none')).toBe(true);
});
