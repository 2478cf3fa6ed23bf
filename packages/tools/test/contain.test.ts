/** What a model is told of what the sandbox refused, and of what it could not refuse. */
import type { SandboxViolation } from '@tau/core';
import { expect, test } from 'vitest';
import { type Held, refusedLine } from '../src/bash/contain.ts';

const held = (refused: readonly SandboxViolation[]): Held => ({
  policy: { writable: [], readOnly: [], unreadable: [], network: 'none' },
  ...{ report() {}, onAsking() {}, done() {}, refused: () => refused, wayOut: 'Ask.', insisted: () => ['Again.'] },
});
const line = (...refused: SandboxViolation[]) => refusedLine(held(refused));

test('nothing refused is nothing told, and of much only the first is named', () => {
  expect(line()).toBeUndefined();
  const many = Array.from({ length: 7 }, (_, at): SandboxViolation => ({ what: 'write', path: `/etc/${at}` }));
  expect(line(...many)).toMatch(/^The sandbox refused: write \/etc\/0; .*write \/etc\/4; 2 more\. Ask\. Again\.$/);
});

test('what was made all the same is told as made, and where it is now', () => {
  const told = line(
    { what: 'connect', host: 'a.example', reason: 'no' },
    { what: 'write', path: '/p/.envrc', happened: true, aside: '/p/.envrc.refused' },
    { what: 'write', path: '/p/.npmrc', happened: true },
  );
  expect(told?.split('\n')).toEqual([
    'The sandbox refused: connect a.example (no). Ask. Again.',
    expect.stringMatching(/it was made: write \/p\/\.envrc \(moved to \/p\/\.envrc\.refused\); write \/p\/\.npmrc\. /),
  ]);
});

test('whoever succeeded is told so, and has not insisted', () => {
  const told = refusedLine(held([{ what: 'write', path: '/home/me/.cache/x' }]), true);
  expect(told).toBe('The sandbox refused: write /home/me/.cache/x. The command succeeded all the same. Ask.');
});
