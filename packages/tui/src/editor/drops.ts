/** Files dropped on a terminal arrive as a paste of their paths, quoted in one of several ways. */

const most = 100;

/** The paths, if the paste is nothing but absolute paths (or file addresses); undefined for any other text. */
export function droppedPaths(paste: string): string[] | undefined {
  const text = paste.trim();
  if (!/^(?:["']?\/|["']?file:\/\/|~\/|["']?[A-Za-z]:\\)/.test(text) || text.length > 32_768) return undefined;
  const words = wordsOf(text);
  if (words === undefined || words.length === 0 || words.length > most) return undefined;
  const paths = words.map(pathOf);
  return paths.every((path): path is string => path !== undefined) ? paths : undefined;
}

function pathOf(word: string): string | undefined {
  if (word.startsWith('file://')) {
    try {
      const { pathname } = new URL(word);
      return decodeURIComponent(pathname);
    } catch {
      // Not an address after all: then it is text.
      return undefined;
    }
  }
  return /^(?:\/.|~\/.|[A-Za-z]:\\)/.test(word) ? word : undefined;
}

/** Words as a shell would read them; undefined when a quote is left open. */
function wordsOf(text: string): string[] | undefined {
  const words: string[] = [];
  const windows = /^["']?[A-Za-z]:\\/.test(text);
  let word = '';
  let inWord = false;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      inWord = true;
    } else if (character === '\\' && !windows && at + 1 < text.length) {
      word += text[++at] ?? '';
      inWord = true;
    } else if (/\s/.test(character)) {
      if (inWord) words.push(word);
      word = '';
      inWord = false;
    } else {
      word += character;
      inWord = true;
    }
  }
  if (inWord) words.push(word);
  return quote === '' ? words : undefined;
}
