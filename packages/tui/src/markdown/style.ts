/** What all parts of the renderer are given. */
import type { Highlighter } from '../code/highlighter.ts';
import type { Theme } from '../theme/theme.ts';

export interface MarkdownStyle {
  theme: Theme;
  highlighter: Highlighter;
  /** The terminal opens links. Without, an address is written behind its text. */
  hyperlinks: boolean;
  /** What happens to lines of code that are too long. */
  longCode: 'wrap' | 'cut';
}
