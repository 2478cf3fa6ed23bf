/** Blocks to lines: headings, paragraphs, lists, quotes, tables, code. */
import type { Tokens } from 'marked';
import { printable } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import { renderCode } from './code.ts';
import { renderInline } from './inline.ts';
import { known, type MarkedToken } from './parser.ts';
import { limits } from './piece.ts';
import type { MarkdownStyle } from './style.ts';
import { renderTable } from './table.ts';

/** With less room than this nothing is set in any further. */
const leastRoom = 10;

/** The lines of blocks one below the other. Inside a list item blank lines are where the author put them. */
export function renderBlocks(
  tokens: readonly MarkedToken[],
  width: number,
  style: MarkdownStyle,
  depth = 0,
  isItem = false,
): string[] {
  const out: string[] = [];
  let before: MarkedToken | undefined;
  let gap = false;
  for (const token of tokens) {
    if (token.type === 'space') {
      gap = true;
      continue;
    }
    const lines = renderBlock(token, width, style, depth);
    if (lines.length === 0) continue;
    if (before !== undefined && (gap || needsGap(before, token, isItem))) out.push('');
    for (const line of lines) out.push(line);
    before = token;
    gap = /\n[ \t]*\n[ \t]*$/.test(token.raw);
  }
  return out;
}

/** Whether a blank line belongs between two blocks that have none in the source. */
function needsGap(before: MarkedToken, after: MarkedToken, isItem: boolean): boolean {
  const isText = before.type === 'paragraph' || before.type === 'text';
  return !isItem && !(isText && after.type === 'list') && !(before.type === 'def' && after.type === 'def');
}

function renderBlock(token: MarkedToken, width: number, style: MarkdownStyle, depth: number): string[] {
  const { theme } = style;
  switch (token.type) {
    case 'heading':
      return renderHeading(token, width, style);
    case 'paragraph':
      return wrap(renderInline(known(token.tokens), style), width);
    case 'text':
      return wrap(renderInline([token], style), width);
    case 'list':
      return renderList(token, width, style, depth, numberOf(token));
    case 'blockquote':
      return depth >= limits.depth ? asText(token.raw, width, style) : renderQuote(token, width, style, depth);
    case 'code':
      return renderCode(token.lang ?? '', token.text, width, style);
    case 'table':
      return renderTable(token, width, style).lines;
    case 'hr':
      return [theme.paint('markdownRule', '─'.repeat(Math.min(width, 80)))];
    case 'html':
      return wrap(theme.paint('muted', printable(token.text.replace(/\n+$/, ''))), width, { hang: 'indent' });
    case 'def':
      // What refers to it may have been shown already.
      return wrap(theme.paint('muted', printable(token.raw.trim())), width);
    case 'space':
      return [];
    default:
      return wrap(renderInline([token], style), width);
  }
}

function renderHeading(token: Tokens.Heading, width: number, style: MarkdownStyle): string[] {
  const mark = token.depth > 2 ? `${'#'.repeat(token.depth)} ` : '';
  const text = mark + renderInline(known(token.tokens), style);
  return wrap(style.theme.paint('markdownHeading', text), width, { hang: mark.length });
}

function numberOf(list: Tokens.List): number | undefined {
  return list.ordered ? Number(list.start) || 0 : undefined;
}

/** `number` is that of the first item. */
export function renderList(
  list: Tokens.List,
  width: number,
  style: MarkdownStyle,
  depth: number,
  number: number | undefined,
): string[] {
  if (depth >= limits.depth) return asText(list.raw, width, style);
  const out: string[] = [];
  list.items.forEach((item, index) => {
    const label = number === undefined ? bullet(depth) : `${number + index}.`;
    const before = list.items[index - 1];
    if (before !== undefined && /\n[ \t]*\n[ \t]*$/.test(before.raw)) out.push('');
    for (const line of renderItem(item, label, width, style, depth)) out.push(line);
  });
  return out;
}

function bullet(depth: number): string {
  return ['•', '◦', '▪'][depth % 3] ?? '•';
}

function renderItem(
  item: Tokens.ListItem,
  label: string,
  width: number,
  style: MarkdownStyle,
  depth: number,
): string[] {
  const tokens = known(item.tokens);
  // A box stands in for the bullet.
  const box = item.task ? (item.checked ? '☑' : '☐') : label;
  const mark = `${style.theme.paint(item.checked ? 'markdownTaskDone' : 'markdownBullet', box)} `;
  const inner = tokens.filter(({ type }) => type !== 'checkbox').map(withoutBox);
  const room = width - widthOf(mark);
  if (room < leastRoom) {
    const lines = renderBlocks(inner, width, style, depth + 1, true);
    return [...wrap(mark.trimEnd(), width), ...lines];
  }
  const lines = renderBlocks(inner, room, style, depth + 1, true);
  return setIn(lines.length > 0 ? lines : [''], mark, ' '.repeat(widthOf(mark)));
}

function withoutBox(token: MarkedToken): MarkedToken {
  if ((token.type !== 'paragraph' && token.type !== 'text') || token.tokens === undefined) return token;
  return { ...token, tokens: token.tokens.filter(({ type }) => type !== 'checkbox') };
}

const alerts = { NOTE: 'info', TIP: 'success', IMPORTANT: 'accent', WARNING: 'warning', CAUTION: 'error' } as const;

function renderQuote(token: Tokens.Blockquote, width: number, style: MarkdownStyle, depth: number): string[] {
  const { theme } = style;
  const alert = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/.exec(token.text);
  const kind = alert?.[1];
  const isNarrow = width < leastRoom + 2;
  const room = isNarrow ? width : width - 2;
  const tokens = known(token.tokens);
  const role = kind !== undefined && isAlert(kind) ? alerts[kind] : undefined;
  const body = renderBlocks(role === undefined ? tokens : withoutAlert(tokens), room, style, depth + 1);
  const lines = body.map((line) => theme.paint('markdownQuote', line));
  if (kind !== undefined && role !== undefined)
    lines.unshift(theme.paint(role, cut(kind.charAt(0) + kind.slice(1).toLowerCase(), room)));
  const bar = isNarrow ? '' : theme.paint(role ?? 'markdownQuoteBorder', '│ ');
  return lines.map((line) => bar + line);
}

function isAlert(kind: string): kind is keyof typeof alerts {
  return Object.hasOwn(alerts, kind);
}

/** The first paragraph without the mark that says what kind of note this is. */
function withoutAlert(tokens: readonly MarkedToken[]): MarkedToken[] {
  const [first, ...rest] = tokens;
  if (first?.type !== 'paragraph') return [...tokens];
  const [head, ...others] = known(first.tokens);
  if (head?.type !== 'text') return [...tokens];
  const text = head.text.replace(/^\s*\[![A-Z]+\][ \t]*\n?/, '');
  const left: MarkedToken[] = text === '' ? others : [{ ...head, raw: text, text }, ...others];
  return left.length === 0 ? rest : [{ ...first, tokens: left }, ...rest];
}

/** Too deep to be shown as what it is. */
export function asText(source: string, width: number, style: MarkdownStyle): string[] {
  const note = style.theme.paint('warning', `(nested deeper than ${limits.depth} levels: shown as text)`);
  return [...wrap(note, width), ...wrap(printable(source.trimEnd()), width)];
}

/** The first line behind `first`, the others behind `rest`. */
export function setIn(lines: readonly string[], first: string, rest: string): string[] {
  return lines.map((line, index) => (index === 0 ? first + line : line === '' ? '' : rest + line));
}
