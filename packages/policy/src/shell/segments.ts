/**
 * Finds everything in a command line that might run, for rules that forbid or ask. It errs towards finding too much:
 * quotes do not protect, wrappers are looked through, and nothing is too long or too deep.
 */

/** Words that run, or may run, what follows them; `>` is a redirection written before its command. */
const runners = 'sudo doas env command nohup time timeout exec builtin nice setsid xargs find busybox eval sh bash zsh';
const keywords = 'if then elif else while until do coproc ! >';
const leaders: ReadonlySet<string> = new Set(`${runners} ${keywords}`.split(' '));

export interface Segment {
  words: readonly string[];
  /** Something leads the command, an assignment or a wrapper, so it may begin at any word. */
  anywhere: boolean;
}

export function looseSegments(line: string): Segment[] {
  const joined = line.replaceAll('\\\n', '').replace(/\$\{?IFS\}?/g, ' ');
  const segments: Segment[] = [];
  for (const part of joined.split(/[;&|\n(){}`]/)) {
    const words = looseWords(part);
    const [first] = words;
    if (first !== undefined) segments.push({ words, anywhere: isAssignment(first) || leaders.has(baseName(first)) });
  }
  return segments;
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(word);
}

/** The words of a text with quotes and backslashes gone, and each redirection as a `>` of its own. */
export function looseWords(text: string): string[] {
  const spaced = text.replace(/(^|\s)[0-9]+(?=[<>])/g, '$1').replace(/[<>]+/g, ' > ');
  const words: string[] = [];
  for (const raw of spaced.split(/\s+/)) {
    const word = raw.replace(/\$(?=['"])|['"\\]/g, '');
    if (word !== '') words.push(word);
  }
  return words;
}

/** True when a command of the segment is `pattern`, or with `prefix` begins with it. */
export function segmentMatches(segment: Segment, pattern: readonly string[], prefix: boolean): boolean {
  const last = segment.anywhere ? segment.words.length - pattern.length : 0;
  for (let start = 0; start <= last; start++) {
    if (!beginsAt(segment.words, start, pattern)) continue;
    const next = segment.words[start + pattern.length];
    if (prefix || next === undefined || next === '>') return true;
  }
  return false;
}

function beginsAt(words: readonly string[], start: number, pattern: readonly string[]): boolean {
  return pattern.every((wanted, index) => {
    const word = words[start + index];
    return word === wanted || (index === 0 && word !== undefined && baseName(word) === wanted);
  });
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
