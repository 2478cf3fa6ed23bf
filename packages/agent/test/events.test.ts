import type { RunEvent } from '@tau/core';
import { expect, test } from 'vitest';
import { createHub } from '../src/events.ts';
import type { StampedEvent } from '../src/index.ts';
import { createReader } from '../src/reader.ts';

const stamp = (event: RunEvent): StampedEvent => ({ ...event, timestamp: '2026-01-01T00:00:00.000Z' });
const text = (words: string, index = 0) =>
  stamp({ type: 'message_update', delta: { kind: 'text', index, text: words } });
const output = (delta: string, toolCallId: string) => stamp({ type: 'tool_execution_update', toolCallId, delta });

async function readAll(events: readonly StampedEvent[]): Promise<StampedEvent[]> {
  const reader = createReader(() => {});
  for (const event of events) reader.push(event);
  reader.end();
  const read: StampedEvent[] = [];
  for await (const event of reader.events) read.push(event);
  return read;
}

test('a slow reader finds neighbouring deltas of one block joined', async () => {
  const letters = Array.from({ length: 5000 }, (_, index) => text(String(index % 10)));
  const [joined, ...rest] = await readAll(letters);
  expect(rest).toEqual([]);
  expect(joined).toEqual(text('0123456789'.repeat(500)));
});

test('deltas of different blocks, kinds and calls stay apart and in order', async () => {
  const thinking = stamp({ type: 'message_update', delta: { kind: 'thinking', index: 0, text: 'hm' } });
  const begun = stamp({ type: 'message_update', delta: { kind: 'toolCallStart', index: 2, id: 'a', name: 'b' } });
  const argument = stamp({ type: 'message_update', delta: { kind: 'toolCallArguments', index: 2, text: '{' } });
  const events = [thinking, text('a'), text('b', 1), begun, text('c'), argument, output('x', '1'), output('y', '2')];
  expect(await readAll(events)).toEqual(events);
});

test('the output of calls that run together is joined call by call', async () => {
  const both = Array.from({ length: 1000 }, () => [output('x', '1'), output('y', '2')]).flat();
  expect(await readAll(both)).toEqual([output('x'.repeat(1000), '1'), output('y'.repeat(1000), '2')]);
});

test('of one thing a bounded tail waits, and what fell off is counted', async () => {
  const megabyte = 'm'.repeat(1024 * 1024);
  const read = await readAll([output('first', '1'), output(megabyte, '1'), output('last', '1')]);
  expect(read).toEqual([{ ...output(`${megabyte.slice(4)}last`, '1'), dropped: 9 }]);
});

test('a reader that leaves early, or gets an error, lets go', async () => {
  let left = 0;
  const early = createReader(() => left++);
  early.push(text('a'));
  early.push(stamp({ type: 'turn_start', turn: 1 }));
  for await (const _ of early.events) break;
  expect(left).toBe(1);

  const failed = createReader(() => left++);
  failed.push(text('a'));
  failed.end(new Error('the disk is full'));
  const read: StampedEvent[] = [];
  const all = (async () => {
    for await (const event of failed.events) read.push(event);
  })();
  await expect(all).rejects.toThrow('the disk is full');
  expect(read).toEqual([text('a')]);
  expect(left).toBe(2);
});

test('what is not a delta is never joined or dropped', async () => {
  const events = Array.from({ length: 100 }, (_, turn) => stamp({ type: 'turn_start', turn }));
  expect(await readAll([...events, text('a'), ...events])).toEqual([...events, text('a'), ...events]);
});

test('joining does not change the events that other readers hold', async () => {
  const first = text('a');
  await readAll([first, text('b')]);
  expect(first).toEqual(text('a'));
});

test('a fast reader gets each delta by itself, and ends when the stream does', async () => {
  const reader = createReader(() => {});
  const next = reader.events.next();
  reader.push(text('a'));
  expect((await next).value).toEqual(text('a'));
  const later = reader.events.next();
  reader.push(text('b'));
  expect((await later).value).toEqual(text('b'));
  const last = reader.events.next();
  reader.end();
  expect(await last).toMatchObject({ done: true });
});

test('a hub stamps an event once, and everyone gets the same', () => {
  const hub = createHub(() => 0);
  const seen: StampedEvent[] = [];
  hub.subscribe((event) => seen.push(event));
  hub.subscribe((event) => seen.push(event));
  hub.emit({ type: 'turn_start', turn: 1 });
  expect(seen[0]).toEqual({ type: 'turn_start', turn: 1, timestamp: '1970-01-01T00:00:00.000Z' });
  expect(seen[1]).toBe(seen[0]);
});

test('who leaves while an event is told does not keep it from the others', () => {
  const hub = createHub();
  const heard: string[] = [];
  const leave = hub.subscribe(() => {
    heard.push('first');
    leave();
  });
  hub.subscribe(() => heard.push('second'));
  hub.emit({ type: 'turn_start', turn: 1 });
  hub.emit({ type: 'turn_start', turn: 2 });
  expect(heard).toEqual(['first', 'second', 'second']);
});

test('who wants only whole things hears every one of them, and no delta', () => {
  const hub = createHub();
  const heard: string[] = [];
  const leave = hub.subscribe(({ type }) => heard.push(type), { deltas: false });
  const events: RunEvent[] = [
    { type: 'turn_start', turn: 1 },
    { type: 'message_update', delta: { kind: 'text', index: 0, text: 'a' } },
    { type: 'tool_execution_update', toolCallId: 'c', delta: 'b' },
    { type: 'notice', level: 'info', text: 'c' },
  ];
  for (const event of events) hub.emit(event);
  leave();
  for (const event of events) hub.emit(event);
  expect(heard).toEqual(['turn_start', 'notice']);
});
