/** Text, boxes, and what moves. */
import { type BorderStyle, createBox } from '../../src/boxes/box.ts';
import { handOn } from '../../src/boxes/hand-on.ts';
import { createColumn, createRow } from '../../src/boxes/layout.ts';
import { createLoader } from '../../src/boxes/loader.ts';
import { createProgress } from '../../src/boxes/progress.ts';
import { createSpinner } from '../../src/boxes/spinner.ts';
import { createCutText, createRule, createSpacer, createText } from '../../src/boxes/text.ts';
import type { Component } from '../../src/component.ts';
import { link } from '../../src/text/link.ts';
import type { Kit, Page } from '../kit.ts';

const hostile = 'tab\there \u001b[2J\u001b]0;title\u0007 漢字 👨‍👩‍👧‍👦 🇩🇪 e\u0301 שלום \u202egnp.exe';

const text: Page = {
  title: 'Text',
  make: ({ theme }) =>
    createColumn(
      [
        createText({
          theme,
          text: 'Words wrap at the width there is; addresses such as https://example.org/a/b stay whole.',
        }),
        createText({ theme, text: hostile, role: 'warning' }),
        createText({ theme, text: link(theme.paint('link', 'a link'), 'https://example.org/'), styled: true }),
        createText({ theme, text: 'to the right', align: 'right', role: 'muted' }),
        createRule({ theme, title: 'cut at the end, in the middle, at the start' }),
        createColumn(
          (['end', 'middle', 'start'] as const).map((lose) =>
            createCutText({
              theme,
              text: '/home/someone/projects/toolkit/packages/tui/src/text/graphemes.ts',
              lose,
              role: 'path',
            }),
          ),
        ),
      ],
      { gap: 1 },
    ),
};

const boxes: Page = {
  title: 'Boxes',
  make: ({ theme }) => {
    const box = (border: BorderStyle) =>
      createBox({ theme, border, title: border, child: createText({ theme, text: 'inside' }) });
    const pair = (left: BorderStyle, right: BorderStyle) =>
      createRow([
        { child: box(left), width: 'rest', min: 10 },
        { child: box(right), width: 'rest', min: 10 },
      ]);
    const ground = createBox({
      theme,
      border: 'none',
      padX: 2,
      padY: 1,
      ground: 'userMessageBg',
      child: createText({ theme, text: 'A ground without a border, padded.' }),
    });
    return createColumn([
      pair('single', 'round'),
      pair('double', 'heavy'),
      pair('ascii', 'none'),
      createSpacer(),
      ground,
    ]);
  },
};

const motion: Page = {
  title: 'Motion',
  everyMs: 80,
  make(kit) {
    const { theme, now, keys, say } = kit;
    const spinners = (['braille', 'dots', 'line'] as const).map((style) =>
      createSpinner({
        theme,
        now,
        style,
        text: `Working (${style})`,
        shimmer: style === 'braille',
        hint: () => 'since a while',
      }),
    );
    const still = createSpinner({ theme, now, text: 'Standing still, for who wants it', still: true });
    const loader = createLoader({ theme, now, keys, text: 'Loading', onCancel: () => say('Given up') });
    const column = createColumn([...spinners, still, loader, createSpacer(), bar(kit)]);
    return handOn(column.render, loader);
  },
};

/** A bar that fills in ten seconds, again and again. */
function bar({ theme, now }: Kit): Component {
  const progress = createProgress({ theme, label: 'Fetching' });
  let shown = -1;
  return {
    render(width) {
      const percent = Math.floor(now() / 100) % 101;
      if (percent !== shown) progress.set(percent / 100);
      shown = percent;
      return progress.render(width);
    },
  };
}

export const basicPages: readonly Page[] = [text, boxes, motion];
