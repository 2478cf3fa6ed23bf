/** What is read: markdown, code, diffs, the output of programs, images. */
import { createAnsiText } from '../../src/code/ansi-text.ts';
import { createCodeBlock } from '../../src/code/code-block.ts';
import type { Component } from '../../src/component.ts';
import { loadDiffer } from '../../src/diff/differ.ts';
import { createDiffView } from '../../src/diff/view.ts';
import { createImage } from '../../src/image/image.ts';
import { createMarkdown } from '../../src/markdown/markdown.ts';
import type { Kit, Page } from '../kit.ts';

const document = `# Markdown

With **strong**, *emphasised*, ~~struck~~ words, \`code\`, a [link](https://example.org) and

- items, also nested
  - [x] done
  - [ ] not yet
1. numbers

> A quotation.

| Planet | Moons |
|:-------|------:|
| Earth  |     1 |
| Mars   |     2 |

\`\`\`ts
const answer: number = 6 * 7; // in colour
\`\`\`
`;

const markdown: Page = {
  title: 'Markdown',
  make({ theme, highlighter, parser, redraw, capabilities }) {
    const { hyperlinks } = capabilities();
    return createMarkdown(document, { theme, highlighter, parser, hyperlinks, onChange: redraw });
  },
};

const before = `export function area(radius: number): number {
  // An approximation
  return 3.14 * radius * radius;
}
`;
const after = `export function area(radius: number): number {
  return Math.PI * radius ** 2;
}

export const unit = area(1);
`;

const code: Page = {
  title: 'Code',
  make: ({ theme, highlighter }) =>
    createCodeBlock({
      theme,
      highlighter,
      code: before,
      path: 'area.ts',
      lineNumbers: true,
      startLine: 40,
      range: { from: 42, to: 42 },
    }),
};

const diff: Page = { title: 'Diff', make: diffPage };

function diffPage({ theme, highlighter, redraw }: Kit): Component {
  let view: Component | undefined;
  const loading = ['Loading…'];
  void loadDiffer().then((differ) => {
    const made = differ.compare(before, after, { oldPath: 'area.ts', newPath: 'area.ts' });
    view = createDiffView({ theme, diff: made, highlighter, header: true });
    redraw();
  });
  return { render: (width) => view?.render(width) ?? loading };
}

const output: Page = {
  title: 'Output',
  make: ({ theme }) =>
    createAnsiText({
      theme,
      fold: { head: 3, tail: 3 },
      text: [
        '\u001b[32m✓\u001b[0m passed \u001b[1mbold\u001b[0m',
        '10%\r50%\r100% done',
        'the title stays: \u001b]0;title\u0007 harmless',
        ...Array.from({ length: 20 }, (_, index) => `line ${index + 1}`),
        '\u001b[31m✗ failed\u001b[0m',
      ].join('\n'),
    }),
};

/** A few coloured squares. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAAAgBAMAAABQs2O3AAAADFBMVEUAAADQQEBAoFBAYNBrvm/QAAAAIUlEQVR42mMQhAIlKDCGApg4w6iCEaUAlwRMfFTBiFIAAGkCf4EJdXLxAAAAAElFTkSuQmCC';

const image: Page = {
  title: 'Image',
  make: ({ theme, capabilities }) =>
    createImage({ theme, data: picture, protocol: capabilities().images, name: 'squares.png', id: 7, maxRows: 4 }),
};

export const documentPages: readonly Page[] = [markdown, code, diff, output, image];
