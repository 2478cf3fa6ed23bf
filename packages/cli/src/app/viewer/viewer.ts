/** The whole conversation on the alternate screen: folded, scrolled and searched, and live while a run goes on. */
import type { Agent } from '@tau/agent';
import { createViewer, type FullView, type KeyMatcher, type Section, type Sections } from '@tau/tui';
import { closesAndSearches, withFoot } from './foot.ts';
import type { Happening } from './happening.ts';
import { createSectionMaker, type SectionsWorld } from './sections.ts';

export interface TranscriptViewOptions extends SectionsWorld {
  agent: Pick<Agent, 'messages'>;
  happening: Happening;
  keys: KeyMatcher;
  onClose(): void;
}

export interface TranscriptView extends FullView {
  /** Something was said or done. */
  changed(isOnRecord: boolean): void;
}

export function createTranscriptView(options: TranscriptViewOptions): TranscriptView {
  const { agent, happening, keys, theme, onClose } = options;
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
  const footed = withFoot(viewer, {
    theme,
    keys,
    hints: [
      ...closesAndSearches,
      { action: 'tui.viewer.toggleFold', label: 'folds' },
      { action: ['tui.viewer.previousSection', 'tui.viewer.nextSection'], label: 'previous and next' },
      { action: ['tui.viewer.foldAll', 'tui.viewer.unfoldAll'], label: 'folds or unfolds all' },
      { action: ['tui.viewer.top', 'tui.viewer.bottom'], label: 'top and end' },
    ],
  });

  return {
    changed(isOnRecord) {
      if (isOnRecord) messages = agent.messages();
      isStale = true;
    },
    handleInput: viewer.handleInput,
    render(width, height) {
      if (isStale) viewer.set(sections());
      isStale = false;
      return footed.render(width, height);
    },
  };
}

function listed(all: readonly Section[]): Sections {
  return { length: all.length, section: (at) => all[at] ?? { lines: () => [] } };
}
