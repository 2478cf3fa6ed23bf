/** Documents written by hand. */
import { deflateSync } from 'node:zlib';

/** A PDF with these words on its pages, line by line. */
export function pdfOf(pages: readonly string[]): string {
  return pdfWith(
    pages.map((words) => {
      const lines = words === '' ? [] : words.split('\n');
      const drawn = lines.map((line, row) => `BT /F1 9 Tf 72 ${700 - row} Td (${line}) Tj ET`).join('\n');
      return `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`;
    }),
  );
}

/** A PDF whose only page is that, packed; when it is unpacked it goes through `filter` too. */
export function packedPdf(content: Buffer, filter = ''): string {
  const packed = `${deflateSync(content).toString('hex')}>`;
  const filters = `/Filter [/ASCIIHexDecode /FlateDecode ${filter}]`;
  return pdfWith([`<< /Length ${packed.length} ${filters} >>\nstream\n${packed}\nendstream`]);
}

/** Each page as the object that draws it. */
function pdfWith(pages: readonly string[]): string {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((content, at) => {
      const resources = '/Resources << /Font << /F1 3 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + at * 2} 0 R ${resources} >>`,
        content,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = String(file.length).padStart(10, '0');
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${place} 00000 n \n`;
  });
  const start = file.length;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

export function notebookOf(cells: readonly unknown[]): string {
  return JSON.stringify({ nbformat: 4, metadata: { kernelspec: { language: 'python' } }, cells });
}
