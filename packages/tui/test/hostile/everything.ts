/** Every component there is, made of one text. */
import { createBox } from '../../src/boxes/box.ts';
import { createHints } from '../../src/boxes/hints.ts';
import { createColumn, createRow } from '../../src/boxes/layout.ts';
import { createLoader } from '../../src/boxes/loader.ts';
import { createProgress } from '../../src/boxes/progress.ts';
import { createSpinner } from '../../src/boxes/spinner.ts';
import { createCutText, createRule, createText } from '../../src/boxes/text.ts';
import { createToasts } from '../../src/boxes/toasts.ts';
import { createAnsiText } from '../../src/code/ansi-text.ts';
import { createCodeBlock } from '../../src/code/code-block.ts';
import { createHighlighter } from '../../src/code/highlighter.ts';
import { createOutput } from '../../src/code/output.ts';
import type { Component } from '../../src/component.ts';
import { loadDiffer } from '../../src/diff/differ.ts';
import { createDiffView } from '../../src/diff/view.ts';
import { createEditor } from '../../src/editor/editor.ts';
import { createInput } from '../../src/editor/input.ts';
import { createImage } from '../../src/image/image.ts';
import { defaultActions } from '../../src/keys/defaults.ts';
import { createKeymap } from '../../src/keys/keymap.ts';
import { createSelectList } from '../../src/lists/select-list.ts';
import { createSettingsList } from '../../src/lists/settings-list.ts';
import { createTable } from '../../src/lists/table.ts';
import { createTabs } from '../../src/lists/tabs.ts';
import { createTree } from '../../src/lists/tree.ts';
import { createMarkdown } from '../../src/markdown/markdown.ts';
import { createParser } from '../../src/markdown/parser.ts';
import { createMarkdownStream } from '../../src/markdown/stream.ts';
import { createViewer, textSections } from '../../src/viewer/viewer.ts';
import { plain as theme } from '../lines.ts';

export type Everything = Readonly<Record<string, (text: string) => Component>>;

/** With what has to be loaded for them. */
export async function everything(): Promise<Everything> {
  const keys = createKeymap({ actions: defaultActions });
  const highlighter = createHighlighter();
  const parser = createParser();
  const [differ] = await Promise.all([loadDiffer(), parser.load(), highlighter.load('typescript')]);
  const now = () => 0;
  return {
    text: (text) => createText({ theme, text }),
    cutText: (text) => createCutText({ theme, text, lose: 'middle' }),
    rule: (title) => createRule({ theme, title }),
    box: (text) => createBox({ theme, border: 'single', title: text, child: createText({ theme, text }) }),
    row: (text) =>
      createRow([
        { child: createText({ theme, text }), width: 'rest', min: 4 },
        { child: createText({ theme, text }), width: 5 },
      ]),
    column: (text) => createColumn([createText({ theme, text }), createCutText({ theme, text })], { gap: 1 }),
    hints: (text) => createHints({ theme, keys, hints: [{ action: 'tui.list.select', label: text }] }),
    spinner: (text) => createSpinner({ theme, now, text, shimmer: true, hint: () => text }),
    loader: (text) => createLoader({ theme, now, keys, text, onCancel: () => {} }),
    progress: (label) => createProgress({ theme, label }),
    toasts: (text) => {
      const toasts = createToasts({ theme, now });
      toasts.show(text, 'error');
      return toasts;
    },
    selectList: (text) =>
      createSelectList({
        theme,
        keys,
        filter: true,
        items: [
          { value: 1, label: text, description: text, group: text },
          { value: 2, label: text, disabled: text },
        ],
        onSelect: () => {},
      }),
    settingsList: (text) =>
      createSettingsList({
        theme,
        keys,
        filter: true,
        settings: [{ id: 'a', label: text, value: text, values: [text, 'b'], description: text }],
        onChange: () => {},
      }),
    tree: (text) =>
      createTree({
        theme,
        keys,
        filter: true,
        roots: [{ value: 1, label: text, children: [{ value: 2, label: text, detail: text }] }],
        onSelect: () => {},
      }),
    table: (text) =>
      createTable({
        theme,
        columns: [
          { title: text, wrap: true },
          { title: text, align: 'right', min: 3 },
        ],
        rows: [[text, text]],
      }),
    tabs: (text) =>
      createTabs({
        theme,
        keys,
        tabs: [
          { title: text, child: createText({ theme, text }) },
          { title: text, child: createText({ theme, text }) },
        ],
      }),
    editor: (text) => {
      const editor = createEditor({
        theme,
        keys,
        look: { border: 'box', title: text, prompt: '> ' },
        onSubmit: () => {},
      });
      editor.setText(text);
      return editor;
    },
    input: (text) => createInput({ theme, keys, prompt: text, text, onSubmit: () => {} }),
    markdown: (text) => createMarkdown(text, { theme, highlighter, parser }),
    markdownOf: (text) =>
      createMarkdown(
        `# ${text}\n\n- ${text}\n\n> ${text}\n\n| a | b |\n|---|---|\n| ${text} | c |\n\n\`\`\`ts\n${text}\n\`\`\`\n`,
        {
          theme,
          highlighter,
          parser,
        },
      ),
    code: (code) => createCodeBlock({ theme, highlighter, code, path: 'a.ts', lineNumbers: true }),
    ansiText: (text) => createAnsiText({ theme, text, fold: { head: 3, tail: 3 } }),
    output: (text) => {
      const output = createOutput();
      output.write(text);
      return createText({ theme, text: output.lines().join('\n'), styled: true });
    },
    stream: (text) => ({
      render(width) {
        const stream = createMarkdownStream({ theme, highlighter, parser });
        stream.push(text);
        return [...stream.take(width), ...stream.live(width)];
      },
    }),
    diff: (text) =>
      createDiffView({
        theme,
        highlighter,
        header: true,
        diff: differ.compare(`a ${text}`, `b ${text}`, { oldPath: text, newPath: text }),
      }),
    image: (name) => createImage({ theme, data: 'data:image/png;base64,AAAA', protocol: undefined, name }),
    viewer: (text) => {
      const viewer = createViewer({
        theme,
        keys,
        sections: textSections(text.split('\n')),
        title: text,
        onClose: () => {},
        onChange: () => {},
      });
      return { render: (width) => viewer.render(width, 5) };
    },
  };
}
