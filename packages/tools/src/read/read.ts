/** `read`: a file in the form a model can take: numbered lines, an image, pages, cells; a bounded piece at a time. */
import { TauError, type Tool, type ToolResult } from '@tau/core';
import type { Host } from '@tau/host';
import { optionalNumber, optionalText, text } from '../input.ts';
import { judgedFiles } from '../judged.ts';
import type { SeenFiles } from '../seen.ts';
import { kindOf, type Source, withSource } from './source.ts';
import { defaultBytes, defaultLines, maxLines, type Range, readText } from './text.ts';

export interface ReadOptions {
  /** Whether the model of the moment takes images. Undefined: not known, so nothing is held back. */
  images?(): boolean | undefined;
  /** Of one read, when the model does not say. */
  readLines?: number;
  /** Of one read, whatever the model says. */
  readBytes?: number;
}

export function readTool(host: Host, seen: SeenFiles, options: ReadOptions = {}): Tool {
  const { readLines = defaultLines, readBytes: bytes = defaultBytes } = options;
  const mostLines = Math.max(maxLines, readLines);
  const size = bytes >= 1024 ? `${Math.round(bytes / 1024)} KB` : `${bytes} bytes`;
  return {
    name: 'read',
    description: `Read a file: text as numbered lines (N<tab>text), at most ${readLines} lines or ${size}; images, PDF, notebooks.`,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        offset: { type: 'integer', description: 'first line, from 1; -N: the last N' },
        limit: { type: 'integer', description: `lines, at most ${mostLines}` },
        pages: { type: 'string', description: 'of a PDF: 3 or 1-5' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    aliases: { file_path: 'path', filePath: 'path', absolute_path: 'path', notebook_path: 'path' },
    effects: (input) => [{ kind: 'read', path: text(input, 'path') }],
    async run(input, { signal, judged }) {
      const files = judgedFiles(host, judged);
      const path = text(input, 'path');
      const offset = optionalNumber(input, 'offset') ?? 1;
      const limit = Math.min(Math.max(1, optionalNumber(input, 'limit') ?? readLines), mostLines);
      const wanted = { range: { offset, limit, bytes }, pages: optionalText(input, 'pages') };
      return withSource(files, path, async (source) => {
        const result = await readSource(source, wanted, options, signal);
        const { file, head, complete } = source;
        seen.note(await files.resolve(path), file.stat, complete ? head : undefined);
        return result;
      });
    },
  };
}

async function readSource(
  source: Source,
  { range, pages }: { range: Range; pages: string | undefined },
  { images }: ReadOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const found = kindOf(source);
  // Each reader is loaded by the first file of its kind.
  switch (found.kind) {
    case 'image': {
      if (images?.() === false) throw noImages(source.path);
      const { readImage } = await import('./image.ts');
      return readImage(source, found.format, signal);
    }
    case 'pdf': {
      const { readPdf } = await import('./pdf.ts');
      return readPdf(source, pages, signal);
    }
    case 'notebook': {
      const { notebookIn, readNotebook } = await import('./notebook-text.ts');
      const notebook = await notebookIn(source, signal);
      if (!notebook) return notANotebook(await readText(source, range, signal));
      const allowed = { images: images?.() !== false, signal };
      return readNotebook(source, notebook, range, allowed);
    }
    case 'text':
      return readText(source, range, signal);
  }
}

function notANotebook(result: ToolResult): ToolResult {
  const note = 'NOTE: this is no notebook that can be read (broken JSON, no cells, or too large); shown as text.';
  const [first, ...rest] = result.content;
  if (first?.type !== 'text') return result;
  return { ...result, content: [{ type: 'text', text: `${note}\n${first.text}` }, ...rest] };
}

function noImages(path: string): TauError {
  return new TauError('file', `${path} is an image, and the current model takes none`, {
    remedy: 'Ask the user to describe it or to choose another model, or inspect it with a program through bash.',
  });
}
