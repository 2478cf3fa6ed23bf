/** Which pages of a document are wanted: `3`, `1-5` or `7-`. Pure. */
import { TauError } from '@tau/core';

const defaultPages = 10;
const maxPages = 20;

export interface PageRange {
  first: number;
  last: number;
}

export function pageRange(pages: string | undefined, totalPages: number): PageRange {
  if (pages === undefined || pages.trim() === '') return { first: 1, last: Math.min(defaultPages, totalPages) };
  const found = /^\s*(\d+)\s*(?:(-)\s*(\d*))?\s*$/.exec(pages);
  if (!found) {
    throw new TauError('usage', `pages is "${pages}", which is no range of pages`, { remedy: 'Write 3, 1-5 or 7-.' });
  }
  const first = Number(found[1]);
  const open = found[2] !== undefined && found[3] === '';
  const last = open ? Math.min(totalPages, first + maxPages - 1) : Number(found[3] ?? first);
  if (first < 1 || first > totalPages || last < first) {
    const has = totalPages === 1 ? '1 page' : `${totalPages} pages`;
    throw new TauError('usage', `pages is "${pages}", but the document has ${has}`, {
      remedy: `Use pages from 1 to ${totalPages}.`,
    });
  }
  if (last - first >= maxPages) {
    throw new TauError('usage', `pages is "${pages}", more than ${maxPages} pages`, {
      remedy: `Read at most ${maxPages} of them at a time.`,
    });
  }
  return { first, last: Math.min(last, totalPages) };
}
