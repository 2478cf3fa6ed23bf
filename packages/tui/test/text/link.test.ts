import { expect, test } from 'vitest';
import { tokens } from '../../src/text/ansi.ts';
import { link } from '../../src/text/link.ts';

test('a link has an id made from its address, so that the same link has the same one everywhere', () => {
  const made = link('text', 'https://a.example/path');
  expect(made).toBe(link('text', 'https://a.example/path'));
  const [open, text, close] = tokens(made);
  expect(open).toMatchObject({
    kind: 'link',
    url: 'https://a.example/path',
    parameters: expect.stringMatching(/^id=\w+$/),
  });
  expect(text).toEqual({ kind: 'text', text: 'text' });
  expect(close).toMatchObject({ kind: 'link', url: '' });
  expect(tokens(link('x', 'https://b.example'))[0]).not.toMatchObject({ parameters: tokens(made)[0] });
});

test('an address cannot end its sequence, and what is no ASCII is encoded', () => {
  expect(tokens(link('x', 'https://a.example/\x1b\\\x07 ü\ud800'))[0]).toMatchObject({
    kind: 'link',
    url: 'https://a.example/%1B\\%07%20%C3%BC%EF%BF%BD',
  });
});

test('an address that is too long or empty leaves the text alone', () => {
  expect(link('x', `https://a.example/${'a'.repeat(3000)}`)).toBe('x');
  expect(link('x', '')).toBe('x');
  expect(link('', 'https://a.example')).toBe('');
});
