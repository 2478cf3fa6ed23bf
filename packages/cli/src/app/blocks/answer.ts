/** What the model says, as it says it: finished paragraphs are handed over, the one being written is live. */
import { createMarkdownStream, type MarkdownOptions, mark } from '@tau/tui';
import type { Block } from '../transcript.ts';

export interface AnswerBlock extends Block {
  push(text: string): void;
  end(): void;
}

export function answerBlock(options: MarkdownOptions): AnswerBlock {
  const stream = createMarkdownStream(options);
  let over = false;
  let done = false;
  /** The terminal was told that here something is answered. */
  let isMarked = false;
  return {
    get done() {
      return done;
    },
    push: stream.push,
    end() {
      if (over) return;
      over = true;
      stream.end();
      // Code at the end may wait for the colours of its language.
      void stream.ready().then(() => {
        done = true;
        options.onChange?.();
      });
    },
    take(width) {
      const [first, ...rest] = stream.take(width);
      if (first === undefined) return [];
      const before = isMarked ? '' : mark('output');
      isMarked = true;
      return [before + first, ...rest];
    },
    live: (width, rows) => stream.live(width).slice(-rows),
  };
}
