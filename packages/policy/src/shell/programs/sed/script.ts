/**
 * Reads a `sed` script strictly: which files it reads and writes besides its operands, or nothing when a part of it is
 * not understood or means different things to different seds. `e`, which runs programs, is never understood.
 */

export interface SedScript {
  reads: readonly string[];
  writes: readonly string[];
}

/** Where reading goes on, or undefined where it cannot. */
type Next = number | undefined;

/** Commands that take nothing. */
const plain = '=dDgGhHnNpPxzF';

export function readSedScript(script: string): SedScript | undefined {
  const reads: string[] = [];
  const writes: string[] = [];
  if (/[\0\r]/.test(script)) return undefined;
  let depth = 0;
  let at = skip(script, 0, /[\s;]*/y);
  while (at < script.length) {
    const start = afterAddresses(script, at);
    if (start === undefined) return undefined;
    const command = script.charAt(start);
    const after = start + 1;
    let next: Next;
    if (command === '{') {
      depth++;
      next = after;
    } else if (command === '}') {
      depth--;
      next = depth < 0 || start !== at ? undefined : endOfCommand(script, after);
    } else if (command === '#') {
      next = start === at ? lineEnd(script, after) : undefined;
    } else if (command === 's') {
      const flags = afterSubstitution(script, after);
      next = flags && afterFlags(script, flags, writes);
    } else if (command === 'y') {
      const end = afterTwo(script, after, false);
      next = end && endOfCommand(script, end);
    } else if (command === 'a' || command === 'i' || command === 'c') {
      next = afterText(script, after);
    } else if (command === 'r' || command === 'w' || command === 'W') {
      next = afterFile(script, after, command === 'r' ? reads : writes);
    } else if (command === ':' || command === 'b' || command === 't' || command === 'T') {
      next = afterLabel(script, after, command === ':');
    } else if (command === 'q' || command === 'Q' || command === 'l') {
      next = endOfCommand(script, skip(script, after, /[ \t]*[0-9]*/y));
    } else if (command !== '' && plain.includes(command)) {
      next = endOfCommand(script, after);
    }
    if (next === undefined) return undefined;
    at = skip(script, next, /[\s;]*/y);
  }
  return depth === 0 ? { reads, writes } : undefined;
}

function skip(text: string, at: number, sticky: RegExp): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}

/** Nothing, one address or two, and perhaps a `!`. */
function afterAddresses(script: string, from: number): Next {
  const first = afterAddress(script, from, /(?:[0-9]+(?:~[0-9]+)?|\$)/y);
  if (first === undefined) return undefined;
  let at = skip(script, first, /[ \t]*/y);
  if (first > from && script.charAt(at) === ',') {
    const second = skip(script, at + 1, /[ \t]*/y);
    const end = afterAddress(script, second, /(?:[+~]?[0-9]+|\$)/y);
    if (end === undefined || end === second) return undefined;
    at = skip(script, end, /[ \t]*/y);
  }
  return skip(script, at, /(?:![ \t]*)?/y);
}

/** The same place when there is no address. */
function afterAddress(script: string, at: number, plainForm: RegExp): Next {
  const first = script.charAt(at);
  if (first !== '/' && first !== '\\') {
    plainForm.lastIndex = at;
    return plainForm.test(script) ? plainForm.lastIndex : at;
  }
  const open = first === '/' ? at : at + 1;
  const end = afterPart(script, open + 1, script.charAt(open), true);
  return end && skip(script, end, /[IM]*/y);
}

/** After both parts of `s/…/…/`. */
function afterSubstitution(script: string, from: number): Next {
  return afterTwo(script, from, true);
}

function afterTwo(script: string, from: number, isPattern: boolean): Next {
  const mark = script.charAt(from);
  const first = afterPart(script, from + 1, mark, isPattern);
  return first && afterPart(script, first, mark, false);
}

/**
 * After the mark that ends a part. Some seds do not end a pattern at a mark within `[ ]` and others do, so a bracket
 * that is open at the mark is not understood.
 */
function afterPart(script: string, from: number, mark: string, isPattern: boolean): Next {
  if (!/^[!-/:-@^_`{-~]$/.test(mark)) return undefined;
  let inBrackets = false;
  for (let at = from; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === mark) return inBrackets ? undefined : at + 1;
    if (char === '\\') {
      at++;
      const escaped = script.charAt(at);
      if (escaped === '' || (inBrackets && escaped === ']') || (isPattern && escaped === '\n')) return undefined;
    } else if (char === '\n') {
      return undefined;
    } else if (isPattern && inBrackets) {
      const named = skip(script, at, /\[:[a-z]+:\]/y);
      if (named > at) at = named - 1;
      else if (char === '[') return undefined;
      else if (char === ']') inBrackets = false;
    } else if (isPattern && char === '[') {
      inBrackets = true;
      at = skip(script, at + 1, /\^?\]?/y) - 1;
    }
  }
  return undefined;
}

/** The flags of `s`. With `w` a file name follows, up to the end of the line; with `e` the result is run. */
function afterFlags(script: string, from: number, writes: string[]): Next {
  const at = skip(script, from, /[gpiImM0-9]*/y);
  return script.charAt(at) === 'w' ? afterFile(script, at + 1, writes) : endOfCommand(script, at);
}

function afterFile(script: string, from: number, files: string[]): Next {
  const start = skip(script, from, /[ \t]*/y);
  const end = lineEnd(script, start);
  if (end === start) return undefined;
  files.push(script.slice(start, end));
  return end;
}

/** The text of `a`, `i` and `c`: up to the end of the line, the first of which may be left empty by a backslash. */
function afterText(script: string, from: number): Next {
  const start = skip(script, from, /[ \t]*(?:\\[ \t]*\n)?/y);
  const end = lineEnd(script, start);
  // A backslash at the end would take the next line into the text, in some seds only.
  return end === start || script.charAt(end - 1) === '\\' ? undefined : end;
}

/** A name of plain letters, or none. Some seds take more into it than others: a `}`, or all of the line. */
function afterLabel(script: string, from: number, needed: boolean): Next {
  const start = skip(script, from, /[ \t]*/y);
  const end = skip(script, start, /[A-Za-z0-9_]*/y);
  if (needed && end === start) return undefined;
  const isEnd =
    end === script.length || /[\s;]/.test(script.charAt(end)) || (end === start && script.charAt(end) === '}');
  return isEnd ? endOfCommand(script, end) : undefined;
}

/** A command ends at `;`, a new line, a comment, the end of its group or of the script. */
function endOfCommand(script: string, from: number): Next {
  const at = skip(script, from, /[ \t]*/y);
  return at === script.length || /[;\n}#]/.test(script.charAt(at)) ? at : undefined;
}

function lineEnd(script: string, from: number): number {
  const end = script.indexOf('\n', from);
  return end === -1 ? script.length : end;
}
