/** Documents written by hand. */

/** A PDF with these words on its pages, line by line. */
export function pdfOf(pages: readonly string[]): string {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((words, at) => {
      const lines = words === '' ? [] : words.split('\n');
      const drawn = lines.map((line, row) => `BT /F1 9 Tf 72 ${700 - row} Td (${line}) Tj ET`).join('\n');
      const resources = '/Resources << /Font << /F1 3 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + at * 2} 0 R ${resources} >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
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
