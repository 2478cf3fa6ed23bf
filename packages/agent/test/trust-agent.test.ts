/** An agent in a project that is trusted, that is not, and that becomes so while the agent lives. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trustStatus } from '../src/index.ts';
import { call, collect, resultText, says, workbench } from './workbench.ts';

const makes = [call('bash', { command: 'touch made' }), says('ok')];
const allows = JSON.stringify({ permissions: { allow: ['bash(touch:*)'] } });

async function bench(turns: number) {
  const place = await workbench(Array.from({ length: turns }, () => makes).flat());
  const { home, project, write } = place;
  const say = async (decision: 'yes' | 'no') =>
    (await trustStatus({ env: { HOME: home }, cwd: project })).record(decision);
  write('.tau/settings.json', allows);
  return { ...place, project: realpathSync(project), say };
}

test('the word of whoever makes the agent goes before what is recorded, either way', async () => {
  const { another, say } = await bench(2);
  const trusted = await another({ trust: true });
  expect(trusted.trust).toBe('trusted');
  expect(trusted.warnings).toEqual([]);
  expect(resultText(await collect(trusted.prompt('go')))).not.toContain('nobody is there');
  await say('yes');
  const refused = await another({ trust: false });
  expect(refused.trust).toBe('untrusted');
  expect(resultText(await collect(refused.prompt('go')))).toContain('nobody is there');
});

test('without it the record counts, and what is refused is said with the way out', async () => {
  const { another, say } = await bench(0);
  const stranger = await another();
  expect(stranger.trust).toBe('untrusted');
  expect(stranger.warnings).toEqual([
    expect.stringMatching(/^This project is not trusted, so permissions\.allow of it does not count\. tau trust shows/),
  ]);
  await say('no');
  expect((await another()).warnings).toEqual([expect.stringMatching(/^You do not trust this project.*tau trust yes/)]);
  await say('yes');
  const known = await another();
  expect(known.trust).toBe('trusted');
  expect(known.warnings).toEqual([]);
});

test('where nothing is refused there is nothing to trust, also without the project’s settings', async () => {
  const { another, write } = await bench(0);
  expect((await another({ projectSettings: false })).trust).toBe('nothing to trust');
  write('.tau/settings.json', '{ "model": "scripted/scripted" }');
  expect((await another()).trust).toBe('nothing to trust');
});

test('a yes counts from the next prompt on, and a change of any content ends it', async () => {
  const { another, say, write } = await bench(4);
  const agent = await another();
  const go = async () => resultText(await collect(agent.prompt('go')));
  expect(await go()).toContain('nobody is there');
  await say('yes');
  expect(await go()).not.toContain('nobody is there');
  expect(agent.trust).toBe('trusted');
  write('.tau/hooks/new.sh', 'true');
  expect(await go()).toContain('nobody is there');
  expect(agent.trust).toBe('untrusted');
  await say('yes');
  expect(await go()).not.toContain('nobody is there');
});

test('the word of whoever makes the agent is about what is there then, not about what comes later', async () => {
  const { another, write } = await bench(2);
  const agent = await another({ trust: true });
  await collect(agent.prompt('go'));
  write('.tau/settings.json', JSON.stringify({ permissions: { allow: ['bash'] } }));
  const events = await collect(agent.prompt('go'));
  expect(resultText(events)).toContain('nobody is there');
  expect(agent.trust).toBe('untrusted');
});

test('hooks of Claude Code are something to trust for who wants them', async () => {
  const { another, write, tauHome } = await bench(0);
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] };
  write('.tau/settings.json', '{}');
  write('.claude/settings.json', JSON.stringify({ hooks }));
  expect((await another()).trust).toBe('nothing to trust');
  const user = join(tauHome, 'settings.json');
  writeFileSync(user, JSON.stringify({ ...JSON.parse(readFileSync(user, 'utf8')), claudeHooks: true }));
  expect((await another()).trust).toBe('untrusted');
});
