/** Where one types: the editor, single lines, and the keys themselves. */
import type { Component, Focusable } from '../../src/component.ts';
import { combinedProvider } from '../../src/editor/completion/combined.ts';
import { createEditor } from '../../src/editor/editor.ts';
import { createInput } from '../../src/editor/input.ts';
import { helpRows } from '../../src/keys/help.ts';
import { createTable } from '../../src/lists/table.ts';
import { cut } from '../../src/text/cut.ts';
import type { Kit, Page } from '../kit.ts';

function editorWith(kit: Kit, vim: boolean): Component {
  const { theme, keys, say, redraw } = kit;
  const commands = ['help', 'model', 'settings', 'theme'].map((name) => ({ name, description: `The ${name} command` }));
  const editor = createEditor({
    theme,
    keys,
    vim,
    provider: combinedProvider({ commands: () => commands }),
    look: {
      prompt: '> ',
      placeholder: 'Write something; / for commands',
      border: 'box',
      title: vim ? 'vim' : 'editor',
    },
    onSubmit: (text) => say(`Sent: ${text}`),
    onUpdate: redraw,
  });
  editor.setText('Several lines,\nwith 漢字 and 👨‍👩‍👧‍👦 in them.');
  return editor;
}

const editor: Page = { title: 'Editor', make: (kit) => editorWith(kit, false) };
const vim: Page = { title: 'Vim', make: (kit) => editorWith(kit, true) };

const inputs: Page = {
  title: 'Inputs',
  make({ theme, keys, say }) {
    const name = createInput({
      theme,
      keys,
      prompt: 'Name: ',
      placeholder: 'one line',
      validate: (text) => (text.length > 20 ? 'At most 20 characters' : undefined),
      onSubmit: (text) => say(`Name: ${text}`),
    });
    const secret = createInput({
      theme,
      keys,
      prompt: 'Secret: ',
      mask: '•',
      text: 'hidden',
      onSubmit: () => say('A secret'),
    });
    return form([name, secret], kitArrows(keys));
  },
};

function kitArrows(keys: Kit['keys']): (event: Parameters<Focusable['handleInput']>[0]) => number {
  return (event) => {
    const match = keys.match(event, 'list');
    if (match === undefined || match === 'pending') return 0;
    return match.action === 'tui.list.up' ? -1 : match.action === 'tui.list.down' ? 1 : 0;
  };
}

/** Fields below each other; the arrows go from one to the next. */
function form(
  fields: readonly Focusable[],
  step: (event: Parameters<Focusable['handleInput']>[0]) => number,
): Focusable {
  let at = 0;
  let focused = false;
  const show = () => {
    fields.forEach((field, index) => {
      field.focused = focused && index === at;
    });
  };
  return {
    render: (width) => fields.flatMap((field) => field.render(width)),
    handleInput(event) {
      if (fields[at]?.handleInput(event)) return true;
      const by = step(event);
      at = Math.min(Math.max(0, at + by), fields.length - 1);
      show();
      return by !== 0;
    },
    get focused() {
      return focused;
    },
    set focused(value) {
      focused = value;
      show();
    },
  };
}

const keysPage: Page = {
  title: 'Keys',
  make({ theme, keys, lastKey }) {
    const rows = helpRows(keys, ['gallery', 'list', 'tree', 'tabs']).map((row) => [
      row.context,
      row.keys.join(', '),
      row.description,
    ]);
    const table = createTable({
      theme,
      columns: [
        { title: 'Where', min: 4 },
        { title: 'Keys', priority: 2, role: 'key' },
        { title: 'What', priority: 1, min: 10 },
      ],
      rows,
    });
    return {
      render: (width) => [cut(`Pressed last: ${theme.paint('key', lastKey())}`, width), '', ...table.render(width)],
    };
  },
};

export const typingPages: readonly Page[] = [editor, vim, inputs, keysPage];
