/**
 * What is switched on at a place in styled text: attributes, colours, a link, an isolated run. Cutting and wrapping
 * close it at a line's end and open it again on the next.
 */
import type { Token } from './ansi.ts';
import { linkId } from './link.ts';

/** One string per slot that is on: the parameters which switch it on. */
export interface Style {
  readonly slots: Readonly<Partial<Record<Slot, string>>>;
  readonly link: { readonly parameters: string; readonly url: string } | undefined;
  /** How many first-strong isolates are open. */
  readonly isolates: number;
}

/** The order in which slots are written, and the parameter that switches each off. */
const slots = [
  ['bold', '22'],
  ['dim', '22'],
  ['italic', '23'],
  ['underline', '24'],
  ['blink', '25'],
  ['inverse', '27'],
  ['hidden', '28'],
  ['strike', '29'],
  ['overline', '55'],
  ['fg', '39'],
  ['bg', '49'],
  ['underlineColour', '59'],
] as const;
type Slot = (typeof slots)[number][0];

export const isolateOpen = '\u2068';
export const isolateClose = '\u2069';
/** Deeper nesting is not kept over a line's end. */
const maxIsolates = 8;

export const plainStyle: Style = { slots: {}, link: undefined, isolates: 0 };

const switchOn: Readonly<Record<string, Slot>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  5: 'blink',
  6: 'blink',
  7: 'inverse',
  8: 'hidden',
  9: 'strike',
  21: 'underline',
  53: 'overline',
};

/** The style after a style or link token. Anything unknown changes nothing. */
export function styleAfter(style: Style, token: Token): Style {
  switch (token.kind) {
    case 'style':
      return { ...style, slots: slotsAfter(style.slots, token.parameters) };
    case 'link':
      return { ...style, link: token.url === '' ? undefined : named(token.parameters, token.url) };
    case 'text':
    case 'other':
      return style;
    default:
      return token satisfies never;
  }
}

export function isolated(style: Style, character: string): Style {
  if (character === isolateOpen) return { ...style, isolates: Math.min(style.isolates + 1, maxIsolates) };
  if (character === isolateClose) return { ...style, isolates: Math.max(style.isolates - 1, 0) };
  return style;
}

/** What to write to get from one style to another, and nothing more. */
export function transition(from: Style, to: Style): string {
  if (from === to) return '';
  const off = new Set<string>();
  for (const [slot, close] of slots) {
    if (from.slots[slot] !== undefined && to.slots[slot] === undefined) off.add(close);
  }
  const parameters = [...off];
  for (const [slot, close] of slots) {
    const wanted = to.slots[slot];
    // Bold and dim are switched off together, so the other one may have to come back.
    if (wanted !== undefined && (wanted !== from.slots[slot] || off.has(close))) parameters.push(wanted);
  }
  const sgr = parameters.length > 0 ? `\u001b[${parameters.join(';')}m` : '';
  return (
    isolateClose.repeat(Math.max(0, from.isolates - to.isolates)) +
    linkTransition(from, to) +
    sgr +
    isolateOpen.repeat(Math.max(0, to.isolates - from.isolates))
  );
}

function linkTransition(from: Style, to: Style): string {
  if (from.link?.url === to.link?.url && from.link?.parameters === to.link?.parameters) return '';
  return to.link ? `\u001b]8;${to.link.parameters};${to.link.url}\u001b\\` : '\u001b]8;;\u001b\\';
}

/** A link that may be cut in two needs a name by which the terminal knows that both are one. */
function named(parameters: string, url: string): Style['link'] {
  const hasId = parameters.split(':').some((parameter) => parameter.startsWith('id='));
  if (hasId) return { parameters, url };
  return { parameters: [`id=${linkId(url)}`, parameters].filter(Boolean).join(':'), url };
}

function slotsAfter(before: Style['slots'], parameters: string): Style['slots'] {
  let after: Partial<Record<Slot, string>> = { ...before };
  const list = parameters.split(';');
  for (let at = 0; at < list.length; at++) {
    const parameter = list[at] ?? '';
    const [code = ''] = parameter.split(':');
    const number = Number(code);
    if (number === 0) {
      after = {};
    } else if (number === 38 || number === 48 || number === 58) {
      const taken = parameter.includes(':') ? 1 : colourLength(list, at);
      after[number === 38 ? 'fg' : number === 48 ? 'bg' : 'underlineColour'] = list.slice(at, at + taken).join(';');
      at += taken - 1;
    } else if (parameter === '4:0') {
      delete after.underline;
    } else if ((number >= 30 && number < 38) || (number >= 90 && number < 98)) {
      after.fg = parameter;
    } else if ((number >= 40 && number < 48) || (number >= 100 && number < 108)) {
      after.bg = parameter;
    } else {
      const slot = switchOn[code];
      if (slot) after[slot] = parameter;
      for (const [closed, close] of slots) if (close === code) delete after[closed];
    }
  }
  return after;
}

/** How many parameters a colour written with semicolons takes. */
function colourLength(list: readonly string[], at: number): number {
  const kind = Number(list[at + 1]);
  return kind === 5 ? 3 : kind === 2 ? 5 : 1;
}
