import { expect, test } from 'vitest';
import { builtinThemes } from '../../src/theme/builtin.ts';
import { type Colour, parseColour, rgbOf } from '../../src/theme/colours.ts';
import type { ResolvedTheme } from '../../src/theme/paint.ts';
import { contrast, distance, type Rgb } from '../../src/theme/perception.ts';
import { resolveTheme } from '../../src/theme/resolve.ts';
import { type Role, roleFacts } from '../../src/theme/roles.ts';
import type { ThemeSource } from '../../src/theme/source.ts';

const find = (name: string) => builtinThemes.find((theme) => theme.name === name);
const names = builtinThemes.map(({ name }) => name);

test('there are a dark and a light theme, each also for the colour-blind and in high contrast', () => {
  expect(names.sort()).toEqual([
    'dark',
    'dark-daltonized',
    'dark-high-contrast',
    'light',
    'light-daltonized',
    'light-high-contrast',
  ]);
  for (const name of names) expect(resolved(name).kind).toBe(name.startsWith('dark') ? 'dark' : 'light');
});

test('there are roles for all that a screen shows, and each falls back on a role of the same part in the end', () => {
  expect(roleFacts.length).toBeGreaterThan(60);
  const facts = new Map(roleFacts.map((fact) => [fact.role, fact]));
  expect(facts.size).toBe(roleFacts.length);
  for (const { role, part } of roleFacts) {
    const chain: Role[] = [];
    for (let at: Role | undefined = role; at !== undefined; at = facts.get(at)?.like) {
      expect(chain).not.toContain(at);
      expect(facts.get(at)?.part === 'ground').toBe(part === 'ground');
      chain.push(at);
    }
  }
});

test.each(names)('%s can be read: every role against the background, and on the grounds it stands on', (name) => {
  const theme = resolved(name);
  const background = backgroundOf(name);
  const least = name.endsWith('high-contrast') ? 7 : 4.5;
  const weak: string[] = [];
  const check = (role: Role, ground: Rgb, where: string, needed: number) => {
    const style = theme.styles.get(role);
    const text = rgb(style?.fg);
    const behind = rgb(style?.bg) ?? ground;
    if (!text) return;
    const found = contrast(text, behind);
    if (found < needed) weak.push(`${role} on ${where}: ${found.toFixed(2)}`);
  };
  for (const { role, part } of roleFacts) {
    if (part !== 'ground') check(role, background, 'the background', part === 'line' ? (least === 7 ? 4.5 : 3) : least);
  }
  const on: Partial<Record<Role, Role[]>> = {
    userMessageBg: ['userMessageText', 'muted', 'accent', 'path'],
    customMessageBg: ['customMessageText', 'customMessageLabel'],
    toolPendingBg: ['toolTitle', 'toolInput', 'toolOutput', 'toolPending', 'muted', 'path'],
    toolSuccessBg: ['toolTitle', 'toolInput', 'toolOutput', 'toolSuccess', 'diffAdded', 'diffRemoved', 'muted'],
    toolErrorBg: ['toolTitle', 'toolInput', 'toolOutput', 'toolError', 'muted'],
    diffAddedBg: ['diffAdded', 'diffLineNumber', 'syntaxKeyword', 'syntaxString', 'syntaxComment', 'syntaxNumber'],
    diffRemovedBg: ['diffRemoved', 'diffLineNumber', 'syntaxKeyword', 'syntaxString', 'syntaxComment', 'syntaxNumber'],
    selectionBg: ['selection'],
    overlayBg: ['accent', 'muted', 'title', 'error', 'warning'],
    warningBg: ['warning'],
    errorBg: ['error'],
    infoBg: ['info'],
    successBg: ['success'],
  };
  for (const { role: ground } of roleFacts) {
    const behind = rgb(theme.styles.get(ground)?.bg);
    for (const role of behind ? (on[ground] ?? []) : []) check(role, behind ?? background, ground, least);
  }
  expect(weak).toEqual([]);
  // Ordinary text is the terminal's own where the theme does not say.
  expect(theme.styles.has('text')).toBe(least === 7);
});

test.each(['dark-daltonized', 'light-daltonized'])('%s can be told apart by who sees no red or no green', (name) => {
  const theme = resolved(name);
  const pairs: [Role, Role, 'fg' | 'bg'][] = [
    ['success', 'error', 'fg'],
    ['diffAdded', 'diffRemoved', 'fg'],
    ['diffAddedBg', 'diffRemovedBg', 'bg'],
    ['diffAddedWord', 'diffRemovedWord', 'bg'],
    ['toolSuccessBg', 'toolErrorBg', 'bg'],
  ];
  const apart = (styles: ResolvedTheme, [a, b, layer]: (typeof pairs)[number], seen: (colour: Rgb) => Rgb) => {
    const first = rgb(styles.styles.get(a)?.[layer]);
    const second = rgb(styles.styles.get(b)?.[layer]);
    return first && second ? distance(seen(first), seen(second)) : 0;
  };
  const usual = resolved(name.replace('-daltonized', ''));
  for (const pair of pairs) {
    for (const seen of [withoutGreen, withoutRed]) {
      expect(apart(theme, pair, seen)).toBeGreaterThan(2 * apart(usual, pair, seen));
    }
  }
});

function resolved(name: string): ResolvedTheme {
  const source = find(name);
  if (!source) throw new Error(`no theme ${name}`);
  const { theme, problems } = resolveTheme(source, find);
  expect(problems).toEqual([]);
  return theme;
}

function backgroundOf(name: string): Rgb {
  let source: ThemeSource | undefined = find(name);
  while (source && source.background === undefined) source = find(source.extends ?? '');
  return rgb(parseColour(source?.background ?? '')) ?? [0, 0, 0];
}

function rgb(colour: Colour | undefined): Rgb | undefined {
  return colour && colour.kind !== 'default' ? rgbOf(colour) : undefined;
}

/** How colours look to who lacks a kind of cone, roughly: the matrices of Machado and others, 2009. */
function withoutGreen([r, g, b]: Rgb): Rgb {
  return [0.367 * r + 0.861 * g - 0.228 * b, 0.28 * r + 0.673 * g + 0.047 * b, -0.012 * r + 0.043 * g + 0.969 * b];
}

function withoutRed([r, g, b]: Rgb): Rgb {
  return [0.152 * r + 1.053 * g - 0.205 * b, 0.115 * r + 0.786 * g + 0.099 * b, -0.004 * r - 0.048 * g + 1.052 * b];
}
