/** Bytes as numbered lines of bounded length. One that is too long is said to be so, and what follows is read on. */

export interface InputLine {
  /** From 1. */
  number: number;
  /** Absent when it was too long. */
  text?: string;
}

export async function* readLines(bytes: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 1;
  const take = (): InputLine => {
    const line = size > maxBytes ? { number } : { number, text: Buffer.concat(parts).toString('utf8') };
    parts = [];
    size = 0;
    number += 1;
    return line;
  };
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (size > 0) yield take();
}
