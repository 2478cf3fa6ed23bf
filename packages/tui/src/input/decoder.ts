/**
 * Bytes from a terminal in, keys, pastes and replies out. Any split of the bytes gives the same events: what is not
 * complete waits. Only a lone ESC, which is a key and the beginning of a sequence, is decided by time.
 */
import { characterKey, press } from './characters.ts';
import type { InputEvent, KeyEvent } from './event.ts';
import { createPaste, type Paste } from './paste.ts';
import { type Reply, replyOf } from './reply.ts';
import { endOfCsi, endOfString, esc, type Sequence, scan } from './scan.ts';
import { sequenceKey, takesAltPrefix } from './sequence-key.ts';

export interface DecoderOptions {
  onEvent(event: InputEvent): void;
  /** Answers to queries. Without it they are swallowed. */
  onReply?(reply: Reply): void;
  /** How long a lone ESC waits for the rest of a sequence before it is the Escape key. */
  escapeMs?: number;
  /** How long a paste whose end does not come may be silent before it is taken as it is. */
  pasteMs?: number;
  /** Characters of a paste held at most; a longer one comes in parts. */
  pasteLimit?: number;
}

export interface Decoder {
  feed(chunk: string | Uint8Array): void;
  /** Decides what is pending now: nothing more will come, or it was waited for long enough. */
  flush(): void;
}

/** No sequence that a terminal sends is longer; what is gets swallowed without being kept. */
const longestSequence = 4_096;

type Item = { event: InputEvent } | { reply: Reply };

export function createDecoder(options: DecoderOptions): Decoder {
  const { escapeMs = 50, pasteMs = 3_000, pasteLimit = 32 * 1024 * 1024 } = options;
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = '';
  let swallowing: 'csi' | 'string' | undefined;
  let paste: Paste | undefined;
  let cancelTimer: (() => void) | undefined;
  let items: Item[] = [];

  function feed(chunk: string | Uint8Array): void {
    cancelTimer?.();
    consume(pending + (typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true })));
    armTimer();
    hand();
  }

  function flush(): void {
    cancelTimer?.();
    settle();
    hand();
  }

  /** Takes all that is complete; the rest is pending. */
  function consume(text: string): void {
    let at = 0;
    pending = '';
    while (at < text.length) {
      const next = paste ? pasted(paste, text, at) : swallowing ? swallow(text, at) : takeOne(text, at);
      if (next === undefined) {
        pending = paste ? '' : text.slice(at);
        break;
      }
      at = next;
    }
    const begun = swallowing === undefined && pending.length > longestSequence ? introducerOf(pending) : undefined;
    if (begun !== undefined) swallowing = begun;
    // Of what is swallowed only an ESC at the end is kept: it may belong to the terminator.
    if (swallowing !== undefined) pending = pending.endsWith(esc) && swallowing === 'string' ? esc : '';
  }

  function pasted(into: Paste, text: string, at: number): number | undefined {
    const next = into.add(text, at);
    if (next !== undefined) endPaste(into);
    return next;
  }

  function endPaste(ended: Paste): void {
    const text = ended.take();
    paste = undefined;
    if (text !== undefined) items.push({ event: { type: 'paste', text } });
  }

  function swallow(text: string, at: number): number | undefined {
    const end = swallowing === 'csi' ? csiEnd(text, at) : stringEnd(text, at);
    if (end !== undefined) swallowing = undefined;
    return end;
  }

  /** One character or sequence. Returns where the next begins; undefined when this one is not complete. */
  function takeOne(text: string, at: number): number | undefined {
    const code = text.charCodeAt(at);
    if (code !== 0x1b && (code < 0x80 || code > 0x9f)) {
      const character = characterAt(text, at);
      if (character === undefined) return undefined;
      pushKey(characterKey(character));
      return at + character.length;
    }
    if (text.startsWith(esc + esc, at)) return takeAfterEscape(text, at);
    const sequence = scan(text, at);
    if (sequence === undefined) return undefined;
    if (sequence.end - at <= longestSequence) understand(sequence);
    return sequence.end;
  }

  /** ESC before ESC: an older way to say Alt with a key that has a sequence, or the Escape key before anything. */
  function takeAfterEscape(text: string, at: number): number | undefined {
    const third = text.charAt(at + 2);
    if (third === '') return undefined;
    const sequence = third === '[' || third === 'O' ? scan(text, at + 1) : undefined;
    const length = (sequence?.end ?? text.length) - at;
    const tooLong = length > longestSequence;
    if (sequence === undefined && (third === '[' || third === 'O') && !tooLong) return undefined;
    const prefixed = sequence && !tooLong && replyOf(sequence) === undefined && takesAltPrefix(sequence);
    const key = prefixed ? sequenceKey(sequence, true) : undefined;
    if (key === undefined || sequence === undefined) {
      pushKey(press('escape'));
      return at + 1;
    }
    pushKey(key);
    return sequence.end;
  }

  function understand(sequence: Sequence): void {
    if (sequence.kind === 'alt') {
      pushKey(sequence.text === '' ? press('escape') : characterKey(sequence.text, true));
      return;
    }
    const reply = replyOf(sequence);
    if (reply) {
      items.push({ reply });
      return;
    }
    if (sequence.kind === 'csi' && sequence.prefix + sequence.intermediates === '') {
      const { params, final } = sequence;
      if (params === '' && (final === 'I' || final === 'O')) {
        items.push({ event: { type: 'focus', focused: final === 'I' } });
        return;
      }
      if (params === '200' && final === '~') {
        paste = createPaste(pasteLimit, (text) => items.push({ event: { type: 'paste', text } }));
        return;
      }
    }
    pushKey(sequenceKey(sequence));
  }

  /** What is pending gets no more bytes. */
  function settle(): void {
    const left = pending;
    pending = '';
    swallowing = undefined;
    if (paste) endPaste(paste);
    let at = 0;
    while (left.startsWith(esc + esc, at)) {
      pushKey(press('escape'));
      at += 1;
    }
    const rest = left.slice(at);
    if (rest === esc) pushKey(press('escape'));
    else if (rest.length === 2 && rest.startsWith(esc)) pushKey(characterKey(rest.charAt(1), true));
  }

  function pushKey(event: KeyEvent | undefined): void {
    if (event) items.push({ event });
  }

  function hand(): void {
    const ready = items;
    items = [];
    for (const item of ready) {
      if ('event' in item) options.onEvent(item.event);
      else options.onReply?.(item.reply);
    }
  }

  /** No timer unless something is pending. */
  function armTimer(): void {
    const ms = paste ? pasteMs : waitFor(pending, swallowing !== undefined, escapeMs);
    if (ms === undefined) return;
    let immediate: NodeJS.Immediate | undefined;
    // A program that was busy finds its timer over and the rest of the sequence waiting: let it be read first.
    const timer = setTimeout(() => {
      immediate = setImmediate(flush);
    }, ms);
    cancelTimer = () => {
      clearTimeout(timer);
      clearImmediate(immediate);
      cancelTimer = undefined;
    };
  }

  return { feed, flush };
}

/** What may be a key by itself is decided soon; the rest of a sequence that has begun may come over a slow line. */
function waitFor(pending: string, swallowing: boolean, escapeMs: number): number | undefined {
  if (swallowing) return escapeMs * 20;
  if (!pending.startsWith(esc)) return pending === '' || isHighSurrogate(pending) ? undefined : escapeMs * 20;
  return pending.length <= 2 || pending === `${esc}${esc}[` ? escapeMs : escapeMs * 20;
}

function isHighSurrogate(text: string): boolean {
  return text.length === 1 && text >= '\ud800' && text <= '\udbff';
}

/** Undefined when the second half of a character outside the first plane has not come. */
function characterAt(text: string, at: number): string | undefined {
  if (at === text.length - 1 && isHighSurrogate(text.charAt(at))) return undefined;
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function introducerOf(pending: string): 'csi' | 'string' {
  return pending.startsWith(`${esc}[`) || pending.startsWith('\u009b') ? 'csi' : 'string';
}

function csiEnd(text: string, from: number): number | undefined {
  const end = endOfCsi(text, from);
  return end && (end.whole ? end.at + 1 : end.at);
}

function stringEnd(text: string, from: number): number | undefined {
  const end = endOfString(text, from);
  return end && end.at + end.length;
}
