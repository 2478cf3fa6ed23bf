/**
 * Reads the words of one PDF, in a thread of its own: a page may take minutes and more memory than there is, and nothing
 * but ending the thread stops that. Loaded by path, so it is a script as it stands.
 */
const { once } = require('node:events');
const { parentPort, workerData } = require('node:worker_threads');

import('unpdf').then(async ({ getDocumentProxy }) => {
  try {
    // Without words on the terminal about what it does not like.
    const pdf = await getDocumentProxy(workerData.bytes, { verbosity: 0 });
    const answer = once(parentPort, 'message');
    parentPort.postMessage({ kind: 'opened', totalPages: pdf.numPages });
    const [wanted] = await answer;
    parentPort.postMessage({ kind: 'pages', ...(await readPages(pdf, wanted)) });
  } catch (error) {
    parentPort.postMessage({ kind: 'damaged', why: error instanceof Error ? error.message : String(error) });
  }
});

/** `cut`: the last of the pages did not fit whole, or some were left out. */
async function readPages(pdf, { first, last, maxChars }) {
  const pages = [];
  let room = maxChars;
  for (let number = first; number <= last && room > 0; number++) {
    const text = (await pageText(pdf, number)).trim();
    pages.push({ number, text: text.slice(0, room) });
    room -= text.length;
  }
  return { pages, cut: room < 0 || pages.length < last - first + 1 };
}

async function pageText(pdf, number) {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
  page.cleanup();
  return text;
}
