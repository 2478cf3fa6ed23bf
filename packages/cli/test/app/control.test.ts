/** What Escape does where nothing is to be stopped: twice in a row it clears the line, or goes back. */
import { createDecoder, createEditor, createKeymap, defaultActions, openTheme } from '@tau/tui';
import { expect, test } from 'vitest';
import { createControl } from '../../src/app/control.ts';
import { appActions } from '../../src/app/keys.ts';

interface Place {
  vim?: boolean;
  working?: boolean;
  back?: 'tree' | 'fork' | 'none';
}

function take({ vim = false, working = false, back }: Place = {}) {
  const { theme } = openTheme('dark', { depth: 'none' });
  const keys = createKeymap({ actions: [...appActions, ...defaultActions] });
  const editor = createEditor({ theme, keys, vim });
  editor.focused = true;
  const done: string[] = [];
  let time = 0;
  const note = (what: string) => () => void done.push(what);
  const control = createControl({
    agent: {
      messages: () => [{ role: 'user', content: 'x', timestamp: 0 }],
      model: { provider: 'p', id: 'm', api: 'anthropic-messages', baseUrl: '' },
      ...{ permissionMode: 'default', thinking: undefined, setPermissionMode() {}, setThinking() {} },
      settings: { ...(back !== undefined && { doubleEscapeAction: back }) },
    },
    ...{ keys, editor, now: () => time, hasPanel: () => false, status() {}, stopShell: () => false },
    sitting: {
      isWorking: working,
      stop() {
        if (working) done.push('stop');
        return working;
      },
      takeBack: () => [],
      add() {},
    },
    commands: { open: (name) => done.push(`open ${name}`), obey: () => true, palette() {} },
    ...{ leave: note('leave'), suspend() {}, openTranscript() {}, cycleModel() {}, pasteImage: note('image') },
    toggleThinking: () => true,
    remember: (text) => done.push(`remember ${text}`),
  });
  const decoder = createDecoder({
    onEvent(event) {
      if (!control.handle(event)) editor.handleInput(event);
    },
  });
  const press = (...pressed: readonly string[]) => {
    for (const one of pressed) {
      decoder.feed(one);
      decoder.flush();
      time += 100;
    }
    return done.splice(0);
  };
  return {
    ...{ press, editor },
    wait(ms: number) {
      time += ms;
    },
  };
}

const esc = '\u001b';

test('on an empty line the second Escape goes back, a third is a first again, and a key in between or a pause is none', () => {
  const { press, editor, wait } = take();
  expect(press(esc)).toEqual([]);
  expect(press(esc)).toEqual(['open tree']);
  expect(press(esc)).toEqual([]);
  wait(5000);
  expect(press(esc)).toEqual([]);
  press('x');
  editor.clear();
  expect(press(esc)).toEqual([]);
  // Both at once, as a quick hand sends them.
  expect(press('x', '\u007f', esc + esc)).toEqual(['open tree']);
});

test('what Escape does twice on an empty line is a setting; a line is cleared whatever it says', () => {
  expect(take({ back: 'fork' }).press(esc, esc)).toEqual(['open fork']);
  const { press } = take({ back: 'none' });
  expect(press(esc, esc, esc)).toEqual([]);
  expect(press('half', esc, esc)).toEqual(['remember half']);
});

test('a line is cleared by the second, remembered, and there is a way back in the editor too', () => {
  const { press, editor } = take();
  press('half', esc);
  expect(editor.text()).toBe('half');
  expect(press(esc)).toEqual(['remember half']);
  expect(editor.text()).toBe('');
  press('\u001f');
  expect(editor.text()).toBe('half');
});

test('while something works Escape stops it, and is never the first of two', () => {
  const { press } = take({ working: true });
  expect(press(esc, esc, esc)).toEqual(['stop', 'stop', 'stop']);
});

test('with the keys of vim Escape is for writing: it clears nothing, and goes back only from an empty line in normal mode', () => {
  const { press, editor } = take({ vim: true });
  press('half');
  expect(editor.mode()).toBe('insert');
  expect(press(esc, esc, esc, esc)).toEqual([]);
  expect([editor.mode(), editor.text()]).toEqual(['normal', 'half']);
  editor.clear();
  // An empty line begins in insert mode, so the first leaves that.
  expect(press(esc, esc)).toEqual([]);
  expect(press(esc)).toEqual(['open tree']);
  // Outside of insert mode Ctrl+V is a key of the editor.
  expect(press('\u0016')).toEqual([]);
  expect(press('i', '\u0016')).toEqual(['image']);
});
