/** Finding things in a real terminal, one sitting: files, models, commands, what was said before, and earlier conversations. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { converse, request, says, talkIn } from '../conversation.ts';
import { at } from '../json.ts';
import { keys } from '../repl-terminal.ts';
import { openApp } from './at-screen.ts';

const tab = '\t';
const [ctrlP, ctrlR, ctrlX, esc] = ['\u0010', '\u0012', '\u0018', '\u001b'];

test('what is wanted is found by a few letters, chosen, and counts from then on', async () => {
  const scene = await converse([says('long ago'), says('first answer'), says('second answer')], { git: true });
  const { model, write, tauHome, read } = scene;
  const provider = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'k' };
  const models = [{ id: 'scripted' }, { id: 'second', contextWindow: 200_000 }];
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: { scripted: { ...provider, models } } }));
  write(join(tauHome, 'keybindings.json'), '{ "app.help": "f5", "app.hlp": "f6" }');
  write('src/deep/with blank.ts', 'the blank file');
  write('.gitignore', '*.log\n');
  write('with.log', 'ignored');

  await scene.tau(['-p', 'earlier words']);
  const app = openApp(scene, ['--models', 'scripted/*']);
  await app.shows('keybindings.json:1:21: There is no action "app.hlp"');

  // A file by some of its letters; what git ignores is not offered.
  app.type('look at @with');
  await app.shows('› src/deep/with blank.ts');
  app.type(`${tab}please`);
  await app.shows('@"src/deep/with blank.ts" please');
  app.type(keys.enter);
  await app.shows('first answer');
  expect(app.screen()).not.toContain('with.log');
  expect(JSON.stringify(request(model, 1).body)).toContain('the blank file');

  // The next model, by its key.
  app.type(ctrlP);
  await app.shows('Now scripted/second');

  // The keys in force, under the key that the file gave.
  app.type('\u001b[15~');
  await app.shows('Write what you want and press Enter');
  app.type('q');
  await app.hides('Write what you want and press Enter');

  // Everything in one list; a diff in the viewer.
  app.type(`${ctrlX}p`);
  await app.shows('What to do');
  app.type('what changed');
  await app.shows('› /diff');
  app.type(keys.enter);
  await app.shows('Files that git does not know:');
  app.type('q');
  await app.hides('Files that git does not know:');

  // What was said before, by some of its letters.
  app.type(ctrlR);
  await app.shows('search:');
  app.type('blank');
  await app.shows('search: blank');
  app.type(keys.enter);
  await app.hides('search:');
  app.type(keys.enter);
  await app.shows('second answer');
  const twice = talkIn(request(model, 2)).filter((line) => line === 'user: look at @"src/deep/with blank.ts" please');
  expect(twice).toHaveLength(2);
  expect(at(request(model, 2).body, 'model')).toBe('second');
  expect(read(join(tauHome, 'history.jsonl'))).toContain('please');

  // A theme is looked at and kept, one by name.
  app.type(`/theme light${keys.enter}`);
  await app.shows('theme: light, kept in');
  expect(JSON.parse(read(join(tauHome, 'settings.json')))).toMatchObject({ theme: 'light' });

  // Earlier conversations: one is deleted only when it is said twice.
  app.type(`${ctrlX}r`);
  await app.shows('› earlier words');
  app.type(keys.ctrlD);
  await app.shows('The same key once more deletes "earlier words" for good');
  app.type(keys.ctrlD);
  await app.shows('Nothing to choose from');
  app.type(esc);
  await app.hides('Go on with');
  app.type(keys.ctrlD);
  expect(await app.done).toBe(0);
});
