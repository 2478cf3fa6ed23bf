import { describe, expect, test, vi } from 'vitest';
import { createDecoder } from '../../src/input/decoder.ts';
import type { InputEvent } from '../../src/input/event.ts';
import { decode, shown } from './feed.ts';

const keys = (...chunks: (string | Uint8Array)[]) => shown(decode(chunks));

describe('legacy keys', () => {
  test.each([
    ['a', 'a:a'],
    ['A', 'shift+a:A'],
    ['é', 'é:é'],
    ['É', 'shift+é:É'],
    ['漢', '漢:漢'],
    ['😀', '😀:😀'],
    ['!', '!:!'],
    [' ', 'space: '],
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\t', 'tab'],
    ['\u007f', 'backspace'],
    ['\b', 'backspace'],
    ['\u0000', 'ctrl+space'],
    ['\u0001', 'ctrl+a'],
    ['\u001a', 'ctrl+z'],
    ['\u001c', 'ctrl+\\'],
    ['\u001d', 'ctrl+]'],
    ['\u001e', 'ctrl+^'],
    ['\u001f', 'ctrl+_'],
    ['\u001b', 'escape'],
    ['\u001b\u001b', 'escape escape'],
    ['\u001bb', 'alt+b'],
    ['\u001bB', 'alt+shift+b'],
    ['\u001bé', 'alt+é'],
    ['\u001b\r', 'alt+enter'],
    ['\u001b\u007f', 'alt+backspace'],
    ['\u001b\u0001', 'ctrl+alt+a'],
    ['\u001b ', 'alt+space'],
    ['\u001b[', 'alt+['],
    ['\u001bO', 'alt+shift+o'],
    ['\u001b]', 'alt+]'],
    ['\u001b[A', 'up'],
    ['\u001bOA', 'up'],
    ['\u001b[1;5A', 'ctrl+up'],
    ['\u001b[1;2D', 'shift+left'],
    ['\u001b[1;8C', 'ctrl+alt+shift+right'],
    ['\u001b\u001b[A', 'alt+up'],
    ['\u001b\u001bOC', 'alt+right'],
    ['\u001b\u001b[5~', 'alt+pageup'],
    ['\u001b[Z', 'shift+tab'],
    ['\u001b[H', 'home'],
    ['\u001b[F', 'end'],
    ['\u001b[1~', 'home'],
    ['\u001b[7~', 'home'],
    ['\u001b[4~', 'end'],
    ['\u001b[2~', 'insert'],
    ['\u001b[3~', 'delete'],
    ['\u001b[3;5~', 'ctrl+delete'],
    ['\u001b[5~', 'pageup'],
    ['\u001b[6;3~', 'alt+pagedown'],
    ['\u001bOP', 'f1'],
    ['\u001b[11~', 'f1'],
    ['\u001b[[A', 'f1'],
    ['\u001b[[E', 'f5'],
    ['\u001bOR', 'f3'],
    ['\u001b[1;5R', 'ctrl+f3'],
    ['\u001bO5P', 'ctrl+f1'],
    ['\u001b[15;2~', 'shift+f5'],
    ['\u001b[24~', 'f12'],
    ['\u001b[25~', 'f13'],
    ['\u001b[34~', 'f20'],
    ['\u001b[45~', 'f24'],
    // rxvt
    ['\u001b[a', 'shift+up'],
    ['\u001bOd', 'ctrl+left'],
    ['\u001b[3$', 'shift+delete'],
    ['\u001b[3^', 'ctrl+delete'],
    ['\u001b[5@', 'ctrl+shift+pageup'],
    // keypad in application mode
    ['\u001bOM', 'enter'],
    ['\u001bOp', '0:0'],
    ['\u001bOk', '+:+'],
  ])('%j', (bytes, expected) => {
    expect(keys(bytes).join(' ')).toBe(expected);
  });
});

describe('modifyOtherKeys and the Kitty protocol', () => {
  test.each([
    ['\u001b[27;5;13~', 'ctrl+enter'],
    ['\u001b[27;2;13~', 'shift+enter'],
    ['\u001b[27;6;80~', 'ctrl+shift+p'],
    ['\u001b[27;6;63~', 'ctrl+?'],
    ['\u001b[13;2u', 'shift+enter'],
    ['\u001b[27u', 'escape'],
    ['\u001b[9;5u', 'ctrl+tab'],
    ['\u001b[127;5u', 'ctrl+backspace'],
    ['\u001b[104;5u', 'ctrl+h'],
    ['\u001b[97;5u', 'ctrl+a'],
    ['\u001b[112:80;6u', 'ctrl+shift+p'],
    ['\u001b[47:63;6u', 'ctrl+?'],
    ['\u001b[47;6u', 'ctrl+?'],
    ['\u001b[45:95;6u', 'ctrl+_'],
    // Ctrl with the key of `c` on a Cyrillic keyboard
    ['\u001b[1089::99;5u', 'ctrl+c'],
    ['\u001b[1089u', 'с:с'],
    ['\u001b[97;65u', 'a:a'],
    ['\u001b[97;129u', 'a:a'],
    ['\u001b[97:65;2u', 'shift+a:A'],
    ['\u001b[32;2u', 'shift+space: '],
    ['\u001b[97;;32u', 'a: '],
    ['\u001b[97;;31u', 'a:a'],
    ['\u001b[97;;160u', 'a:\u00a0'],
    ['\u001b[97;;159u', 'a:a'],
    ['\u001b[97;1:2u', 'a:a repeat'],
    ['\u001b[97;1:3u', 'a release'],
    ['\u001b[97;5:3u', 'ctrl+a release'],
    ['\u001b[1;1:3A', 'up release'],
    ['\u001b[3;5:2~', 'ctrl+delete repeat'],
    ['\u001b[13;1:3u', 'enter release'],
    ['\u001b[229;;229u', 'å:å'],
    ['\u001b[0;;20320:22909u', ''],
    ['\u001b[97;;20320:22909u', 'a:你好'],
    ['\u001b[97;9u', 'super+a'],
    ['\u001b[57376u', 'f13'],
    ['\u001b[57387u', 'f24'],
    ['\u001b[57400u', '1:1'],
    ['\u001b[57414u', 'enter'],
    ['\u001b[57417u', 'left'],
    ['\u001b[13~', 'f3'],
    // media and modifier keys by themselves
    ['\u001b[57430u', ''],
    ['\u001b[57441;2u', ''],
    // Escape, then a key whose modifiers are in the sequence
    ['\u001b\u001b[97;5u', 'escape ctrl+a'],
  ])('%j', (bytes, expected) => {
    expect(keys(bytes).join(' ')).toBe(expected);
  });
});

describe('replies', () => {
  test.each<[string, object]>([
    ['\u001b[?62;4c', { type: 'attributes', level: 1, params: [62, 4] }],
    ['\u001b[>1;10;0c', { type: 'attributes', level: 2, params: [1, 10, 0] }],
    ['\u001b[?2026;2$y', { type: 'mode', mode: 2026, state: 2 }],
    ['\u001b[?7u', { type: 'keyboard', flags: 7 }],
    ['\u001b]11;rgb:1e1e/2a2a/ffff\u0007', { type: 'colour', of: 'background', value: '#1e2aff' }],
    ['\u001b]10;rgb:f/8/0\u001b\\', { type: 'colour', of: 'foreground', value: '#ff8800' }],
    ['\u009d11;#102030\u009c', { type: 'colour', of: 'background', value: '#102030' }],
    ['\u001b]4;7;rgba:0000/0000/0000/ffff\u001b\\', { type: 'colour', of: 7, value: '#000000' }],
    ['\u001bP>|kitty(0.35)\u001b\\', { type: 'version', text: 'kitty(0.35)' }],
    ['\u001b_Gi=31;OK\u001b\\', { type: 'graphics', id: 31, ok: true, message: 'OK' }],
    ['\u001b_Gi=31;ENOTSUP:no\u001b\\', { type: 'graphics', id: 31, ok: false, message: 'ENOTSUP:no' }],
    ['\u001b[24;80R', { type: 'cursor', row: 24, column: 80 }],
    ['\u001b[?1;3R', { type: 'cursor', row: 1, column: 3 }],
    ['\u001b[?997;1n', { type: 'scheme', scheme: 'dark' }],
    ['\u001b[?997;2n', { type: 'scheme', scheme: 'light' }],
    ['\u001b[6;18;9t', { type: 'size', of: 'cell', height: 18, width: 9 }],
  ])('%j', (bytes, reply) => {
    expect(decode([bytes])).toEqual([reply]);
    // Escape was pressed just before.
    expect(decode([`\u001b${bytes}x`]).map(({ type }) => type)).toEqual(['key', 'type' in reply && reply.type, 'key']);
  });
});

test('what is not understood is swallowed whole and never typed', () => {
  const unknown = [
    '\u001b[<0;10;20M',
    '\u001b[<0;10;20m',
    '\u001b[M !!',
    '\u001b[32;10;20M',
    '\u001b[?1;2;3;4z',
    '\u001b[99~',
    '\u001b[1;2!p',
    '\u001b]52;c;aGVsbG8=\u0007',
    '\u001bP1$r0m\u001b\\',
    '\u001b^private\u001b\\',
    '\u001bXstart of string\u001b\\',
    '\u001bO~',
    '\u009b5z',
    '\u0085',
    `\u001b]${'x'.repeat(9_000)}\u0007`,
    `\u001b[${'1;'.repeat(9_000)}m`,
  ];
  for (const sequence of unknown) expect(keys(`a${sequence}b`)).toEqual(['a:a', 'b:b']);
});

test('a sequence that a control breaks off is forgotten, and the control counts', () => {
  expect(keys('\u001b[12\u0003')).toEqual(['ctrl+c']);
  expect(keys('\u001b]11;rgb\u0003')).toEqual(['ctrl+c']);
  expect(keys('\u001b[12\u001b[A')).toEqual(['up']);
  expect(keys('\u001b]11;rgb\u001b[A')).toEqual(['up']);
});

test('a character in two chunks of bytes is one key', () => {
  const bytes = new TextEncoder().encode('é😀');
  expect(keys(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(['é:é', '😀:😀']);
  expect(keys('\ud83d', '\ude00')).toEqual(['😀:😀']);
});

test('focus is told', () => {
  expect(keys('\u001b[I\u001b[O')).toEqual(['focus', 'blur']);
});

describe('paste', () => {
  const begin = '\u001b[200~';
  const end = '\u001b[201~';

  test('comes as one event, with line breaks as \\n and without controls', () => {
    expect(keys(`a${begin}x\r\ny\rz\t\u0007\u001b[31mred\u001b[0m\u001b]8;;u\u0007!\u009b\ud800${end}b`)).toEqual([
      'a:a',
      'paste(x\ny\nz\tred!\ufffd)',
      'b:b',
    ]);
  });

  test('of nothing is told too: there may be a picture on the clipboard', () => {
    expect(keys(begin + end)).toEqual(['paste()']);
  });

  test('keeps its line breaks when tmux writes them as keys', () => {
    expect(keys(`${begin}a\u001b[106;5ub\u001b[105;5uc${end}`)).toEqual(['paste(a\nb\tc)']);
  });

  test('ends at its marker wherever that is split', () => {
    for (let at = 1; at < end.length; at += 1) {
      expect(keys(`${begin}x\u001b[20`, `1~y${end.slice(0, at)}`, `${end.slice(at)}z`)).toEqual(
        keys(`${begin}x${end}y${end}z`),
      );
      expect(keys(`${begin}xy${end.slice(0, at)}`, `${end.slice(at)}z`)).toEqual(['paste(xy)', 'z:z']);
    }
  });

  test('over the limit comes in parts that lose nothing', () => {
    const out = decode([`${begin}${'ab\r\n😀'.repeat(10)}${end}`], 7);
    expect(out.length).toBeGreaterThan(5);
    expect(out.map((event) => (event.type === 'paste' ? event.text : '?')).join('')).toBe('ab\n😀'.repeat(10));
  });

  test('of megabytes is taken a chunk at a time', () => {
    const line = 'x'.repeat(1_023);
    const chunks = [begin, ...Array.from({ length: 4_096 }, () => `${line}\r`), end];
    const out = decode(chunks);
    expect(out).toHaveLength(1);
    expect(out[0]).toMatchObject({ type: 'paste', text: expect.stringMatching(/^x{1023}\nx/) });
    expect(out[0]?.type === 'paste' && out[0].text.length).toBe(4 * 1024 * 1024);
  });
});

describe('time', () => {
  function timed(): { events: string[]; feed(text: string): void } {
    const events: InputEvent[] = [];
    const decoder = createDecoder({ onEvent: (event) => events.push(event) });
    return {
      get events() {
        return shown(events);
      },
      feed: decoder.feed,
    };
  }

  test('a lone ESC is the Escape key after a short wait, and nothing waits when nothing is pending', async () => {
    vi.useFakeTimers();
    try {
      const input = timed();
      input.feed('a');
      expect(vi.getTimerCount()).toBe(0);
      input.feed('\u001b');
      expect(vi.getTimerCount()).toBe(1);
      expect(input.events).toEqual(['a:a']);
      await vi.advanceTimersByTimeAsync(60);
      expect(input.events).toEqual(['a:a', 'escape']);
      input.feed('\u001b');
      input.feed('[A');
      expect(vi.getTimerCount()).toBe(0);
      expect(input.events).toEqual(['a:a', 'escape', 'up']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a sequence whose rest is late is waited for, and dropped when it never comes', async () => {
    vi.useFakeTimers();
    try {
      const input = timed();
      input.feed('\u001b[1;');
      await vi.advanceTimersByTimeAsync(500);
      input.feed('5A');
      expect(input.events).toEqual(['ctrl+up']);
      input.feed('\u001b[1;');
      await vi.advanceTimersByTimeAsync(2_000);
      input.feed('b');
      expect(input.events).toEqual(['ctrl+up', 'b:b']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a paste whose end never comes is taken after a silence', async () => {
    vi.useFakeTimers();
    try {
      const input = timed();
      input.feed('\u001b[200~lost');
      await vi.advanceTimersByTimeAsync(2_000);
      input.feed(' end');
      await vi.advanceTimersByTimeAsync(2_000);
      expect(input.events).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_500);
      input.feed('k');
      expect(input.events).toEqual(['paste(lost end)', 'k:k']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
