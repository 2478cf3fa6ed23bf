/** Several processes want one session at the same instant: one has it, the others are told, and nothing is mixed up. */
import { expect, test } from 'vitest';
import { converse, says } from './conversation.ts';
import { at } from './json.ts';
import { linesOf, onlySession } from './sessions.ts';

test('of many that continue one session at once, each adds its whole exchange or nothing at all', async () => {
  const rivals = 6;
  const rounds = 3;
  const { tau, tauHome, model } = await converse([
    says('begun'),
    ...Array.from({ length: rivals * rounds }, () => says('answered')),
  ]);
  await tau(['-p', 'begin']);
  const path = onlySession(tauHome);
  const heard: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const prompts = Array.from({ length: rivals }, (_, rival) => `prompt ${round}-${rival}`);
    const runs = await Promise.all(prompts.map((prompt) => tau(['-p', '-c', prompt])));
    for (const [rival, { code, stdout, stderr }] of runs.entries()) {
      if (code === 0) heard.push(prompts[rival] ?? '');
      const told = code === 0 ? ['answered\n', ''] : ['', expect.stringMatching(/is in use by .*--fork/)];
      expect([stdout, stderr]).toEqual(told);
      expect([0, 2]).toContain(code);
    }
  }
  // Somebody always gets it.
  expect(heard.length).toBeGreaterThanOrEqual(rounds);
  expect(model.requests).toHaveLength(1 + heard.length);
  const [, ...entries] = linesOf(path);
  const ids = entries.map((entry) => at(entry, 'id'));
  expect(entries.map((entry) => at(entry, 'parentId'))).toEqual([null, ...ids.slice(0, -1)]);
  const said = entries.filter((entry) => at(entry, 'type') === 'message');
  const prompts = said.filter((entry) => at(entry, 'message', 'role') === 'user');
  expect(prompts.map((entry) => at(entry, 'message', 'content')).sort()).toEqual(['begin', ...heard].sort());
  expect(said.map((entry) => at(entry, 'message', 'role'))).toEqual(prompts.flatMap(() => ['user', 'assistant']));
  expect(onlySession(tauHome)).toBe(path);
});
