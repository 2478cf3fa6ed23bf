/** Lists at a real terminal that were only tried by hand: earlier conversations at the start, models, keys read again, and what waits behind a list. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, says } from '../conversation.ts';
import { at } from '../json.ts';
import { openApp } from './at-screen.ts';
import { keys } from './desk.ts';

const { enter, escape: esc } = keys;
const [altP, altT, ctrlL, ctrlR, f1, space] = ['\u001bp', '\u001bt', '\u000c', '\u0012', '\u001bOP', ' '];

test('tau -r lists what there is, renames and opens it; models, thinking and keys change as they are chosen', async () => {
  const scene = await converse([says('one'), says('two'), says('three'), says('four'), says('five')]);
  const { model, write, tauHome, read } = scene;
  const provider = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'k' };
  const models = [{ id: 'scripted', reasoning: true, maxTokens: 8000 }, { id: 'second' }, { id: 'third' }];
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: { scripted: { ...provider, models } } }));
  await scene.tau(['-p', 'the older words']);
  await scene.tau(['-p', 'the newer words']);

  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  write(join(scene.home, 'bin', 'wl-paste'), `#!/bin/sh\necho ${pixel} | base64 -d\n`);
  chmodSync(join(scene.home, 'bin', 'wl-paste'), 0o755);
  const app = openApp(scene, ['-r'], {
    ...{ WAYLAND_DISPLAY: 'w', PATH: `${join(scene.home, 'bin')}:${process.env.PATH}`, TMPDIR: scene.home },
  });
  await app.shows('› the newer words');
  expect(app.screen()).toContain('  the older words');
  app.type('older');
  await app.hides('the newer words  ');
  app.type(ctrlR);
  await app.shows('Another name for "the older words"');
  app.type(`Renamed${enter}`);
  await app.shows('[Renamed] the older words');
  app.type(enter);
  await app.shows('2 messages so far');
  app.type(`on with it${enter}`);
  await app.shows('three');
  expect(JSON.stringify(request(model, 2).body)).toContain('the older words');

  // How hard it thinks, by its key; then only some of the models, and the one before.
  app.type(altT);
  await app.shows('thinking: ');
  const [, level = ''] = /thinking: (\w+)/.exec(app.screen()) ?? [];
  app.type(`/status${enter}`);
  await app.shows(`scripted/scripted, thinking ${level}`);
  app.type(`/scoped-models${enter}`);
  await app.shows('Which models the keys for the next and the previous one go through');
  app.type('third');
  await app.hides('scripted/second');
  app.type(`${space}${enter}`);
  await app.shows('kept in');
  const { cycleModels }: { cycleModels: string[] } = JSON.parse(read(join(tauHome, 'settings.json')));
  expect(cycleModels.length).toBeGreaterThan(0);
  app.type(altP);
  await app.shows('Now scripted/');
  const [, now = ''] = /Now scripted\/(\w+)/.exec(app.screen()) ?? [];
  expect(cycleModels).toContain(`scripted/${now}`);
  app.type(`and now${enter}`);
  await app.shows('four');
  expect(at(request(model, 3).body, 'model')).toBe(now);

  // Keys that change while tau runs.
  write(join(tauHome, 'keybindings.json'), '{ "app.help": "f5", "app.hlp": "f6" }');
  app.type(`/reload${enter}`);
  await app.shows('keybindings.json:1:21: There is no action "app.hlp"');
  app.type('\u001b[15~');
  await app.shows('Write what you want and press Enter');
  await app.shows('q closes · / searches');
  app.type('q');
  await app.hides('Write what you want and press Enter');

  // The image of the clipboard.
  app.type('see \u0016');
  await app.shows('image-1.png');
  app.type(enter);
  await app.shows('five');
  expect(JSON.stringify(request(model, 4).body)).toContain('"media_type":"image/png"');
  app.type(keys.ctrlD);
  expect(await app.done).toBe(0);
  expect(readdirSync(scene.home).filter((name) => name.startsWith('tau-paste-'))).toEqual([]);
});

test('a question that comes while a list or a view is open is told there, and is asked when that is closed', async () => {
  const scene = await converse([
    calls(call('bash', { command: 'sh wait.sh one' })),
    calls(call('bash', { command: 'touch asked-one' })),
    calls(call('bash', { command: 'sh wait.sh two' })),
    calls(call('ask_user', { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] })),
    says('Both were heard.'),
  ]);
  const { project, tauHome, write } = scene;
  write('wait.sh', 'until [ -e "$1" ]; do sleep 0.02; done\n');
  const settings = { permissionMode: 'default', permissions: { allow: ['bash(sh wait.sh:*)'] } };
  write(
    join(tauHome, 'settings.json'),
    JSON.stringify({ ...JSON.parse(scene.read(join(tauHome, 'settings.json'))), ...settings }),
  );
  const app = openApp(scene);
  await app.shows('Ask, or /help');
  app.type(`go${enter}`);
  await app.shows('running sh');
  app.type(ctrlL);
  await app.shows('Which model answers');
  writeFileSync(join(project, 'one'), '');
  await app.shows('? tau waits for your answer: close this to answer');
  expect(app.screen()).toContain('Which model answers');
  app.type(esc);
  await app.shows('bash: run this command?');
  expect(app.screen()).not.toContain('close this to answer');
  app.type('y');
  await app.shows('running sh');
  app.type(f1);
  await app.shows('Write what you want and press Enter');
  writeFileSync(join(project, 'two'), '');
  await app.shows('tau waits for your answer: close this to give it');
  app.type('q');
  await app.shows('Which colour?');
  // A list that is wanted while something is asked does not come over it.
  app.type(ctrlL);
  app.type('\u001b[B');
  await app.shows('› 2');
  expect(app.screen()).not.toContain('Which model answers');
  app.type(enter);
  await app.shows('Both were heard.');
  expect(JSON.stringify(request(scene.model, 4).body)).toContain('blue');
  app.type(keys.ctrlD);
  expect(await app.done).toBe(0);
});
