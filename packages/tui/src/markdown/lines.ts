/** What a line of a document begins, seen by itself: enough to cut a document into pieces, not to understand it. */

/** The line that opened a block of code: how it is closed, what it says about the language, how far it is set in. */
export interface Fence {
  mark: string;
  info: string;
  indent: number;
}

/** The beginning of a list item. What belongs to the item is set in by at least `inner` columns. */
export interface ItemStart {
  indent: number;
  inner: number;
  /** `-`, `*`, `+`, `.` or `)`: another one begins another list. */
  delimiter: string;
  number: number | undefined;
  empty: boolean;
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Columns of white space before the text, with tab stops of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === ' ') columns += 1;
    else if (char === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** The line without its first `columns` columns of white space, or without what it has of them. */
export function dedent(line: string, columns: number): string {
  let gone = 0;
  let at = 0;
  while (gone < columns && at < line.length) {
    if (line[at] === ' ') gone += 1;
    else if (line[at] === '\t') gone += 4 - (gone % 4);
    else break;
    at += 1;
  }
  return ' '.repeat(Math.max(0, gone - columns)) + line.slice(at);
}

export function fenceOf(line: string): Fence | undefined {
  const found = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line);
  const [, indent = '', mark = '', info = ''] = found ?? [];
  if (found === null || (mark.startsWith('`') && info.includes('`'))) return undefined;
  return { mark, info: info.trim(), indent: indent.length };
}

export function closes(fence: Fence, line: string): boolean {
  const mark = line.trim();
  if (indentOf(line) > 3 || mark.length < fence.mark.length) return false;
  return mark === fence.mark.charAt(0).repeat(mark.length);
}

export function itemOf(line: string): ItemStart | undefined {
  const found = /^( {0,3})(?:([-*+])|(\d{1,9})([.)]))([ \t]+|$)(.*)$/.exec(line);
  if (found === null || isRule(line)) return undefined;
  const [, lead = '', bullet, digits, dot, space = '', text = ''] = found;
  const mark = lead.length + (digits?.length ?? 0) + 1;
  const after = indentOf(' '.repeat(mark) + space) - mark;
  const inner = mark + (text === '' || after > 4 ? 1 : after);
  const number = digits === undefined ? undefined : Number(digits);
  return { indent: lead.length, inner, delimiter: bullet ?? dot ?? '-', number, empty: text.trim() === '' };
}

export function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);
}

/** A line across the page. */
export function isRule(line: string): boolean {
  const marks = line.replace(/[ \t]/g, '');
  return indentOf(line) < 4 && marks.length >= 3 && /^(?:-+|\*+|_+)$/.test(marks);
}

/** The line under a heading. */
export function isUnderline(line: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

export function isQuote(line: string): boolean {
  return /^ {0,3}>/.test(line);
}

const blockTags =
  'address|article|aside|base|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|' +
  'figcaption|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|meta|nav|ol|' +
  'optgroup|option|p|param|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const blockTag = new RegExp(`^ {0,3}</?(?:${blockTags})(?:[ \\t>]|/>|$)`, 'i');

/** What ends the HTML that this line begins: a mark in a line, or a blank line. */
export function htmlEnd(line: string): RegExp | 'blank' | undefined {
  const raw = /^ {0,3}<(script|pre|style|textarea)(?:[ \t>]|$)/i.exec(line);
  if (raw !== null) return /<\/(?:script|pre|style|textarea)>/i;
  if (/^ {0,3}<!--/.test(line)) return /-->/;
  if (/^ {0,3}<\?/.test(line)) return /\?>/;
  return blockTag.test(line) ? 'blank' : undefined;
}

/** Whether a line ends the paragraph before it. Only a list that begins at one does. */
export function interrupts(line: string): boolean {
  const item = itemOf(line);
  if (item !== undefined) return !item.empty && (item.number ?? 1) === 1;
  return isHeading(line) || isRule(line) || isQuote(line) || fenceOf(line) !== undefined || htmlEnd(line) !== undefined;
}

/** Whether the two lines are the head of a table. */
export function isTableHead(head: string, under: string): boolean {
  if (!/[|:]/.test(under) || !/^ {0,3}(?:\| *)?:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?$/.test(under)) return false;
  return cellCount(head) === cellCount(under);
}

function cellCount(row: string): number {
  const inner = row.trim().replace(/^\|/, '');
  const bars = inner.match(/\\.|\|/g)?.filter((one) => one === '|').length ?? 0;
  return inner.endsWith('|') && !inner.endsWith('\\|') ? bars : bars + 1;
}

/** Quotes and lists that one line opens in each other. */
export function depthOf(line: string): number {
  const marks = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/.exec(line);
  return marks?.[0].match(/>|[-*+]|[.)]/g)?.length ?? 0;
}

/** Markup with nothing behind it yet: it could become anything, so it is not shown before more of the line is there. */
export function isUndecided(line: string): boolean {
  return /^ {0,3}(?:[-=*+#>_]+|`+|~+|\d{1,9}[.)]?)[ \t]*$/.test(line);
}
