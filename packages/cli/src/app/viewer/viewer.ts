/** The whole conversation on the alternate screen: folded, scrolled and searched, and live while a run goes on. */
import type { Agent } from '@tau/agent';
import { createHints, createViewer, cut, type FullView, type KeyMatcher, type Section, type Sections } from '@tau/tui';
import type { Happening } from './happening.ts';
import { createSectionMaker, type SectionsWorld } from './sections.ts';

export interface TranscriptViewOptions extends SectionsWorld {
  agent: Pick<Agent, 'messages'>;
  happening: Happening;
  keys: KeyMatcher;
  /** Something is asked behind it. */
  isAsking(): boolean;
  onClose(): void;
}

export interface TranscriptView extends FullView {
  /** Something was said or done. */
  changed(isOnRecord: boolean): void;
}

export function createTranscriptView(options: TranscriptViewOptions): TranscriptView {
  const { agent, happening, keys, theme, isAsking, onClose } = options;
  let isStale = false;
  const stale = () => {
    isStale = true;
    options.onChange();
  };
  const maker = createSectionMaker({ ...options, onChange: stale });
  let messages = agent.messages();
  const sections = () => listed(maker.all(messages, happening));
  const viewer = createViewer({
    ...{ theme, keys, title: 'transcript', atEnd: true, onClose, onChange: options.onChange },
    sections: sections(),
  });
  const hints = createHints({
    theme,
    keys,
    hints: [
      { action: 'tui.viewer.close', label: 'closes' },
      { action: 'tui.viewer.search', label: 'searches' },
      { action: 'tui.viewer.toggleFold', label: 'folds' },
      { action: ['tui.viewer.previousSection', 'tui.viewer.nextSection'], label: 'previous and next' },
      { action: ['tui.viewer.foldAll', 'tui.viewer.unfoldAll'], label: 'folds or unfolds all' },
      { action: ['tui.viewer.top', 'tui.viewer.bottom'], label: 'top and end' },
    ],
  });
  let last: { body: readonly string[]; foot: string; lines: readonly string[] } | undefined;

  return {
    changed(isOnRecord) {
      if (isOnRecord) messages = agent.messages();
      isStale = true;
    },
    handleInput: viewer.handleInput,
    render(width, height) {
      if (isStale) viewer.set(sections());
      isStale = false;
      if (height < 4) return viewer.render(width, height);
      const body = viewer.render(width, height - 1);
      const foot = isAsking()
        ? cut(theme.paint('askTitle', 'tau waits for your answer: close this to give it'), width)
        : (hints.render(width)[0] ?? '');
      if (last?.body !== body || last.foot !== foot) last = { body, foot, lines: [...body, foot] };
      return last.lines;
    },
  };
}

function listed(all: readonly Section[]): Sections {
  return { length: all.length, section: (at) => all[at] ?? { lines: () => [] } };
}
