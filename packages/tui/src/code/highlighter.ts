/**
 * Colours code. The library and each language are loaded at first need: until then text is plain, and whoever asked is
 * told when it is worth asking again. What is too long stays plain.
 */
import type { HLJSApi } from 'highlight.js';
import { printable } from '../text/ansi.ts';
import type { Theme } from '../theme/theme.ts';
import { type Cache, createCache } from './cache.ts';
import { languageNamed, withInner } from './languages.ts';
import { paintLines, SpanEmitter } from './spans.ts';

export interface Highlighter {
  /** The lines in colours; plain while the language is not there. Safe to show whatever the text holds. */
  lines(code: string, language: string | undefined, theme: Theme): readonly string[];
  /** The same, and whether the text ends outside of any string, comment or other construct that goes on. */
  section(code: string, language: string | undefined, theme: Theme): Section;
  /** Whether asking again later would give the same. */
  isReady(language: string | undefined): boolean;
  load(language: string | undefined): Promise<void>;
  /** Resolves when nothing is being loaded. */
  settled(): Promise<void>;
}

interface Section {
  lines: readonly string[];
  isClosed: boolean;
}

/** Some grammars take the square of a word or a line: what is longer was not written by people. */
export const highlightLimits = { characters: 50_000, lines: 5_000, line: 1_000, word: 250 } as const;
const longWord = new RegExp(`[\\w$.-]{${highlightLimits.word + 1}}`);

export interface HighlighterOptions {
  /** A language has arrived: what was plain can be coloured. */
  onReady?: () => void;
  /** Characters of code whose colours are remembered. */
  cacheSize?: number;
}

export function createHighlighter(options: HighlighterOptions = {}): Highlighter {
  const caches = new WeakMap<Theme, Cache<Section>>();
  const loading = new Map<string, Promise<void>>();
  const done = new Set<string>();
  let library: HLJSApi | undefined;

  async function register(name: string): Promise<void> {
    const language = languageNamed(name);
    if (language === undefined) return;
    const [core, definition] = await Promise.all([import('highlight.js/lib/core'), language.load()]);
    if (library === undefined) {
      library = core.default.newInstance();
      library.configure({ __emitter: SpanEmitter });
    }
    library.registerLanguage(name, definition.default);
  }

  function load(name: string | undefined): Promise<void> {
    if (name === undefined || languageNamed(name) === undefined) return Promise.resolve();
    const running = loading.get(name);
    if (running !== undefined) return running;
    // A language that cannot be loaded leaves its text plain, which is how it is shown anyway until then.
    const started = Promise.allSettled(withInner(name).map(register)).then(() => {
      done.add(name);
      options.onReady?.();
    });
    loading.set(name, started);
    return started;
  }

  function isReady(name: string | undefined): boolean {
    return name === undefined || languageNamed(name) === undefined || done.has(name);
  }

  function section(code: string, language: string | undefined, theme: Theme): Section {
    const text = printable(code);
    if (language === undefined || languageNamed(language) === undefined || isTooLong(text)) return plain(text);
    if (!done.has(language)) {
      void load(language);
      return plain(text);
    }
    const colours = theme.current ?? theme;
    const cache = caches.get(colours) ?? createCache<Section>(options.cacheSize ?? 1_000_000);
    caches.set(colours, cache);
    const key = `${language}\n${text}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = colour(text, language, theme);
    cache.set(key, made, text.length);
    return made;
  }

  function colour(text: string, language: string, theme: Theme): Section {
    if (library?.getLanguage(language) === undefined) return plain(text);
    const { _emitter: emitter, _top: top, errorRaised } = library.highlight(text, { language, ignoreIllegals: true });
    // A grammar that fails half-way must not take the rest of the text with it.
    if (errorRaised !== undefined || !(emitter instanceof SpanEmitter) || sizeOf(emitter) !== text.length)
      return plain(text);
    return {
      lines: paintLines(emitter.spans, theme),
      isClosed: top === undefined || !('parent' in top) || !top.parent,
    };
  }

  return {
    section,
    lines: (code, language, theme) => section(code, language, theme).lines,
    isReady,
    load,
    async settled() {
      while (loading.size > done.size) await Promise.all(loading.values());
    },
  };
}

function sizeOf({ spans }: SpanEmitter): number {
  return spans.reduce((sum, span) => sum + span.text.length, 0);
}

function plain(text: string): Section {
  return { lines: text.split('\n'), isClosed: true };
}

function isTooLong(text: string): boolean {
  if (text.length > highlightLimits.characters) return true;
  let lines = 0;
  for (let at = 0; at <= text.length; lines += 1) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end;
    if (next - at > highlightLimits.line) return true;
    at = next + 1;
  }
  return lines > highlightLimits.lines || longWord.test(text);
}
