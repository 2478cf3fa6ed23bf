/** A client that trusts nothing: posts JSON, keeps the pieces as they came, and takes the stream apart by hand. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** The pieces in which the body arrived. */
  pieces: string[];
  /** The connection broke before the end. */
  broken: boolean;
}

export function open(url: string, body: unknown): { outgoing: ClientRequest; answer: Promise<Answer> } {
  const outgoing = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  const answer = new Promise<Answer>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      const pieces: string[] = [];
      incoming.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
      incoming.on('error', () => {});
      incoming.once('close', () => {
        const { statusCode: status = 0, headers, complete } = incoming;
        resolve({ status, headers, text: pieces.join(''), pieces, broken: !complete });
      });
    });
  });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  return { outgoing, answer };
}

export function post(url: string, body: unknown): Promise<Answer> {
  return open(url, body).answer;
}

/** Every event must be complete: one optional `event:` line, one `data:` line, one blank line. */
export function parseEvents(text: string): { event?: string; data: unknown }[] {
  const blocks = text.split('\n\n');
  if (blocks.pop() !== '') throw new Error(`the stream does not end with a blank line: ${text.slice(-80)}`);
  return blocks.map((block) => {
    const match = /^(?:event: ([\w.]+)\n)?data: (.+)$/.exec(block);
    if (match?.[2] === undefined) throw new Error(`not an event: ${block}`);
    const data: unknown = match[2] === '[DONE]' ? match[2] : JSON.parse(match[2]);
    return match[1] === undefined ? { data } : { event: match[1], data };
  });
}
