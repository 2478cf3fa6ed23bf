/** How terminals are told to show an image. The cursor stays where it is. */

export interface Placement {
  columns: number;
  rows: number;
}

/** Terminals take the data in parts of this size. */
const part = 4096;

/** Kitty's protocol; the data is a PNG file. Sent again with the same number, it takes the place of the old one. */
export function kittyImage(base64: string, id: number, { columns, rows }: Placement): string {
  const head = `a=T,f=100,t=d,i=${id},p=1,c=${columns},r=${rows},C=1,q=2`;
  const parts = base64.match(new RegExp(`.{1,${part}}`, 'g')) ?? [''];
  return parts
    .map((data, index) => {
      const more = index < parts.length - 1 ? 1 : 0;
      return `\u001b_G${index === 0 ? `${head},m=${more}` : `m=${more}`};${data}\u001b\\`;
    })
    .join('');
}

/** Takes an image off the screen and out of the terminal's memory. */
export function kittyDelete(id: number): string {
  return `\u001b_Ga=d,d=I,i=${id},q=2\u001b\\`;
}

/** The protocol of iTerm2, which WezTerm and others speak too; any format. */
export function itermImage(base64: string, size: number, { columns, rows }: Placement): string {
  const fields = `inline=1;size=${size};width=${columns};height=${rows};preserveAspectRatio=1;doNotMoveCursor=1`;
  return `\u001b]1337;File=${fields}:${base64}\u0007`;
}

/** Whether a line carries an image. It must be written whole, and the rows below it belong to the picture. */
export function isImageLine(line: string): boolean {
  return line.includes('\u001b_G') || line.includes('\u001b]1337;File=');
}
