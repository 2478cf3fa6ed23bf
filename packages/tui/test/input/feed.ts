/** Runs bytes through a decoder and gives back all that came out. */
import { createDecoder } from '../../src/input/decoder.ts';
import type { InputEvent } from '../../src/input/event.ts';
import type { Reply } from '../../src/input/reply.ts';

export function decode(chunks: readonly (string | Uint8Array)[], pasteLimit?: number): (InputEvent | Reply)[] {
  const out: (InputEvent | Reply)[] = [];
  const decoder = createDecoder({
    onEvent: (event) => out.push(event),
    onReply: (reply) => out.push(reply),
    ...(pasteLimit === undefined ? {} : { pasteLimit }),
  });
  for (const chunk of chunks) decoder.feed(chunk);
  decoder.flush();
  return out;
}

/** Events in short: the key, with what it types behind a colon, and how it was moved if not pressed. */
export function shown(events: readonly (InputEvent | Reply)[]): string[] {
  return events.map((event) => {
    switch (event.type) {
      case 'key':
        return `${event.key}${event.text === undefined ? '' : `:${event.text}`}${event.kind === 'press' ? '' : ` ${event.kind}`}`;
      case 'paste':
        return `paste(${event.text})`;
      case 'focus':
        return event.focused ? 'focus' : 'blur';
      default:
        return JSON.stringify(event);
    }
  });
}
