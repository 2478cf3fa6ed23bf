/** Text inside a block: emphasis, code, links, breaks. */
import { printable } from '../text/ansi.ts';
import { link } from '../text/link.ts';
import { decodeEntities } from './entities.ts';
import { known, type MarkedToken } from './parser.ts';
import type { MarkdownStyle } from './style.ts';
import { linkTarget, looksLikeUrl, saysTarget } from './url.ts';

/** Emphasis inside emphasis, and links inside it: more is not seen anyway. */
const maxDepth = 24;

/** One styled text; line breaks in it are the author's. */
export function renderInline(tokens: readonly MarkedToken[], style: MarkdownStyle, depth = 0): string {
  return tokens.map((token) => renderToken(token, style, depth)).join('');
}

function renderToken(token: MarkedToken, style: MarkdownStyle, depth: number): string {
  const { theme } = style;
  const inside = (tokens: Parameters<typeof known>[0]) =>
    depth < maxDepth ? renderInline(known(tokens), style, depth + 1) : text(token.raw);
  switch (token.type) {
    case 'strong':
      return theme.paint('markdownStrong', inside(token.tokens));
    case 'em':
      return theme.paint('markdownEmphasis', inside(token.tokens));
    case 'del':
      return theme.paint('markdownStrike', inside(token.tokens));
    case 'codespan':
      return theme.paint('markdownCode', flat(printable(token.text)));
    case 'link':
      return renderLink(inside(token.tokens), plainText(token.tokens), token.href, style);
    case 'image':
      return renderLink(`[image: ${flat(text(token.text)) || 'no description'}]`, '', token.href, style);
    case 'br':
      return '\n';
    case 'checkbox':
      return `${theme.paint('markdownBullet', token.checked ? '[x]' : '[ ]')} `;
    case 'escape':
      return printable(token.text);
    case 'html':
      return /^<br\s*\/?>$/i.test(token.text.trim()) ? '\n' : flat(printable(token.text));
    case 'text':
      return token.tokens === undefined ? flat(text(token.text)) : inside(token.tokens);
    default:
      return flat(text(token.raw));
  }
}

function renderLink(shown: string, plain: string, href: string, style: MarkdownStyle): string {
  const address = decodeEntities(href);
  const target = linkTarget(address);
  const behind = style.theme.paint('markdownLinkUrl', ` (${flat(printable(address))})`);
  // A link that is not opened shows where it would lead: to a file in the project, as often as not.
  if (target === undefined) return plain === address || address === '' ? shown : shown + behind;
  const painted = style.theme.paint('markdownLink', shown);
  const told = saysTarget(plain, address);
  if (!style.hyperlinks) return told ? painted : painted + behind;
  return link(painted, target) + (looksLikeUrl(plain) && !told ? behind : '');
}

/** Without markup, for comparing and measuring. */
function plainText(tokens: Parameters<typeof known>[0]): string {
  return known(tokens)
    .map((token) => ('text' in token ? token.text : ''))
    .join('');
}

function text(source: string): string {
  return printable(decodeEntities(source));
}

/** A line break in the source is a space, unless it was meant. */
function flat(source: string): string {
  return source.replace(/ ?\n ?/g, ' ');
}
