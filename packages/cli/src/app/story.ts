/** The conversation as it is told: above the editor as it happens, and whole in the viewer. */
import { type Agent, isFullnessNotice, type StampedEvent } from '@tau/agent';
import { createHighlighter, createParser, type KeyMatcher, type Theme } from '@tau/tui';
import { noteBlock } from './blocks/said.ts';
import { createNarrator } from './narrator.ts';
import { lastExchanges } from './resumed.ts';
import type { Transcript } from './transcript.ts';
import { createHappening } from './viewer/happening.ts';
import type { TranscriptView } from './viewer/viewer.ts';
import type { Viewing } from './viewing.ts';

export interface StoryOptions {
  agent: Agent;
  transcript: Transcript;
  theme: Theme;
  keys: KeyMatcher;
  cwd: string;
  viewing: Viewing;
  images(): 'kitty' | 'iterm2' | undefined;
  hyperlinks(): boolean;
  onChange(): void;
}

export interface Story {
  event(event: StampedEvent): void;
  /** What was said before this sitting: the end of it. */
  recall(): void;
  /** Whether it is shown from now on. */
  toggleThinking(): boolean;
  openTranscript(): Promise<void>;
}

export function createStory(options: StoryOptions): Story {
  const { agent, transcript, theme, keys, cwd, viewing, images, onChange } = options;
  const highlighter = createHighlighter({ onReady: onChange });
  const parser = createParser();
  let isThinkingShown = false;
  const markdown = () => ({ highlighter, parser, hyperlinks: options.hyperlinks() });
  const cards = { theme, cwd, now: Date.now, highlighter, images, onChange };
  const narrator = createNarrator({ ...cards, transcript, markdown, showsThinking: () => isThinkingShown });
  const happening = createHappening();
  let view: TranscriptView | undefined;
  let isOpening = false;

  return {
    event(event) {
      // What stands there since the start is not said again with the first prompt.
      if (event.type === 'notice' && agent.warnings.includes(event.text)) return;
      // The meter of the screen tells it, earlier and with the way out.
      if (event.type === 'notice' && isFullnessNotice(event.text)) return;
      narrator.event(event);
      if (event.type === 'error' && event.class === 'auth') {
        // The remedy is one for a shell; here there is a shorter way.
        transcript.add(noteBlock(`Without leaving: /login ${agent.model.provider}`, theme));
      }
      happening.event(event);
      view?.changed(event.type === 'message_end');
    },
    recall() {
      const { shown, before } = lastExchanges(agent.messages());
      if (before > 0) transcript.add(noteBlock(`${before} earlier messages: ctrl+o shows them`, theme));
      narrator.recall(shown);
    },
    toggleThinking() {
      isThinkingShown = !isThinkingShown;
      return isThinkingShown;
    },
    async openTranscript() {
      if (isOpening || view) return;
      isOpening = true;
      const { createTranscriptView } = await import('./viewer/viewer.ts').finally(() => {
        isOpening = false;
      });
      const differ = narrator.differ;
      viewing.show((close) => {
        view = createTranscriptView({
          ...{ ...cards, differ, agent, happening, keys, markdown: markdown() },
          onClose() {
            view = undefined;
            close();
          },
        });
        return view;
      });
    },
  };
}
