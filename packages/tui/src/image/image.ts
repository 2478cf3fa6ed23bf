/** An image, as large as fits. Where the terminal shows none, a line of text says what it is. */
import type { Component } from '../component.ts';
import { printableLine } from '../text/ansi.ts';
import { cutMiddle } from '../text/cut.ts';
import { link } from '../text/link.ts';
import type { Theme } from '../theme/theme.ts';
import { itermImage, kittyDelete, kittyImage, type Placement } from './sequences.ts';
import { type ImageInfo, imageInfo } from './size.ts';

export interface ImageOptions {
  /** The file's content, or a `data:` address. */
  data: Uint8Array | string;
  theme: Theme;
  protocol: 'kitty' | 'iterm2' | undefined;
  name?: string;
  /** The whole path of the file: the line of text leads there. */
  path?: string;
  hyperlinks?: boolean;
  /** The size of a character in pixels, if the terminal told it. */
  cell?: { width: number; height: number };
  maxRows?: number;
  /** By which a terminal with Kitty's protocol knows it. Two images at a time must not share one. */
  id?: number;
}

export interface Image extends Component {
  readonly info: ImageInfo | undefined;
  /** What to write when the image goes before it was committed. */
  remove(): string;
}

const usualCell = { width: 8, height: 16 };
const usualRows = 24;
/** More is not sent to a terminal. */
const maxBytes = 10_000_000;

export function createImage(options: ImageOptions): Image {
  const bytes = typeof options.data === 'string' ? dataUrlBytes(options.data) : options.data;
  const info = bytes === undefined ? undefined : imageInfo(bytes);
  const id = options.id ?? 1 + Math.floor(Math.random() * 0x7fff_fffe);
  let base64: string | undefined;
  let shown: { width: number; lines: readonly string[] } | undefined;

  function lines(width: number): readonly string[] {
    const { protocol } = options;
    // Kitty's protocol knows no other format.
    const canShow = protocol === 'iterm2' || (protocol === 'kitty' && info?.format === 'png');
    if (!canShow || bytes === undefined || info === undefined || bytes.length > maxBytes || width < 2) {
      return [describe(options, bytes, info, width)];
    }
    const place = placementOf(info, width, options);
    base64 ??= Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    const sequence = protocol === 'kitty' ? kittyImage(base64, id, place) : itermImage(base64, bytes.length, place);
    return [sequence, ...Array.from({ length: place.rows - 1 }, () => '')];
  }

  return {
    info,
    render(width) {
      if (shown?.width !== width) shown = { width, lines: lines(width) };
      return shown.lines;
    },
    remove: () => (options.protocol === 'kitty' ? kittyDelete(id) : ''),
  };
}

/** The cells that the image takes: not wider nor higher than allowed, never larger than it is, in its own proportion. */
export function placementOf(
  info: ImageInfo,
  width: number,
  options: Pick<ImageOptions, 'cell' | 'maxRows'>,
): Placement {
  const cell = options.cell ?? usualCell;
  const columns = Math.max(1, Math.min(width, Math.ceil(info.width / cell.width)));
  const scale = Math.min(1, (columns * cell.width) / info.width);
  const rows = Math.max(1, Math.ceil((info.height * scale) / cell.height));
  const most = Math.max(1, options.maxRows ?? usualRows);
  if (rows <= most) return { columns, rows };
  const fitting = Math.floor((most * cell.height * info.width) / info.height / cell.width);
  return { columns: Math.max(1, Math.min(width, fitting)), rows: most };
}

function describe(
  options: ImageOptions,
  bytes: Uint8Array | undefined,
  info: ImageInfo | undefined,
  width: number,
): string {
  const name = printableLine(
    options.name ?? options.path?.split('/').at(-1) ?? info?.format.toUpperCase() ?? 'unknown',
  );
  const parts = [
    name,
    ...(info === undefined ? [] : [`${info.width}×${info.height}`]),
    bytes === undefined ? 'not readable' : sizeText(bytes.length),
  ];
  const text = options.theme.paint('muted', cutMiddle(`[image: ${parts.join(', ')}]`, width));
  const isWhole = options.path?.startsWith('/') ?? false;
  if (!options.hyperlinks || !isWhole || options.path === undefined) return text;
  return link(text, `file://${options.path.split('/').map(encodeURIComponent).join('/')}`);
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What a `data:` address holds; undefined if it is none. */
export function dataUrlBytes(url: string): Uint8Array | undefined {
  const comma = url.indexOf(',');
  const head = url.slice(0, comma);
  if (comma === -1 || !/^data:image\/[\w.+-]+(?:;[\w=.+-]+)*;base64$/i.test(head)) return undefined;
  const body = url.slice(comma + 1);
  if (body.length > (maxBytes * 4) / 3 + 4 || !/^[A-Za-z0-9+/=\s]*$/.test(body)) return undefined;
  return Buffer.from(body, 'base64');
}
