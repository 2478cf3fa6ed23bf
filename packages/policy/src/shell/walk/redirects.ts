/** What redirections open: files to read and write, devices, connections. */
import { normalize } from 'node:path/posix';
import type { Redirection } from 'unbash';
import type { Invocation, Word } from '../invocation.ts';
import { pathsAt } from './folders.ts';
import { visitNested } from './nested.ts';
import { doubt, emitRedirect, type Spot, type Walk } from './state.ts';
import { isOwnName } from './variables.ts';
import { holdsForeign, isForeign, single, textOf } from './words.ts';

/** What a command gets from its redirections. */
export interface Plumbing {
  input: Invocation['input'];
  /** What it is given to read, where that is written in the line. */
  stdin: Word;
  danger: string | undefined;
}

export function redirect(redirects: readonly Redirection[], spot: Spot, walk: Walk): Plumbing {
  let found: Plumbing = { input: spot.input, stdin: spot.given, danger: undefined };
  for (const one of redirects) {
    const network = visitNested(one, spot, walk);
    if (givesAway(one, spot, walk)) doubt(walk, 'it hands on what the environment holds');
    if (one.type === 'HereDoc' && one.closing === undefined) walk.problem ??= 'a here-document in it does not end';
    if (one.descriptor?.type === 'FileDescriptorVariable') setsDescriptor(one.descriptor.name, walk);
    const feeds = one.type !== 'Redirect' || one.operator === '<' || one.operator === '<>' || one.operator === '<&';
    if (feeds && (one.descriptor?.type !== 'FileDescriptor' || one.descriptor.value === 0)) {
      found = { ...found, input: network ? 'network' : 'none', stdin: given(one, spot, walk) };
    }
    const danger = one.type === 'Redirect' ? opens(one, spot, walk) : undefined;
    found = { ...found, danger: found.danger ?? danger };
  }
  return found;
}

/** A text for a program is as good as printed. */
function givesAway(redirection: Redirection, spot: Spot, walk: Walk): boolean {
  if (redirection.type === 'HereString') {
    return redirection.target !== undefined && isForeign(redirection.target, spot, walk);
  }
  if (redirection.type !== 'HereDoc' || redirection.delimiter?.quoted) return false;
  return holdsForeign(redirection.body.parts ?? [], spot, walk);
}

/** The text that a here-document or a here-string holds. */
function given(redirection: Redirection, spot: Spot, walk: Walk): Word {
  if (redirection.type === 'HereString') {
    const text = redirection.target && single(redirection.target, spot, walk);
    return text === undefined ? undefined : `${text}\n`;
  }
  if (redirection.type !== 'HereDoc') return undefined;
  const { body, delimiter } = redirection;
  const text = delimiter?.quoted
    ? body.text
    : body.parts === undefined
      ? plainBody(body.text)
      : textOf(body.parts, spot, walk);
  return redirection.operator === '<<-' ? text?.replace(/^\t+/gm, '') : text;
}

function plainBody(text: string): Word {
  return /[\\`]|\$[\w({[@*#?$!'"-]/.test(text) ? undefined : text;
}

function setsDescriptor(name: string, walk: Walk): void {
  walk.assigned.add(name);
  if (isOwnName(name)) walk.texts.add(name);
  else doubt(walk, `it sets the variable ${name}`);
}

/** States what is opened. The answer is why that is dangerous, if it is. */
function opens(
  { operator, target }: Extract<Redirection, { type: 'Redirect' }>,
  spot: Spot,
  walk: Walk,
): string | undefined {
  if (target === undefined) {
    walk.problem ??= 'a redirection in it leads nowhere';
    return undefined;
  }
  const isCopy = operator === '>&' || operator === '<&';
  if (isCopy && /^(\d+-?|-)$/.test(target.text)) return undefined;
  // What runs on the other side is a part of its own.
  if (target.parts?.length === 1 && target.parts[0]?.type === 'ProcessSubstitution') return undefined;
  const path = single(target, spot, walk);
  if (path === undefined || path === '' || path.includes('\0')) {
    doubt(walk, 'where a redirection leads is known only when it runs');
    return undefined;
  }
  const writes = operator !== '<' && operator !== '<&';
  return opensPath(path, writes, spot, walk);
}

function opensPath(path: string, writes: boolean, spot: Spot, walk: Walk): string | undefined {
  const way = normalize(path);
  if (/^\/dev\/(null|stdin|stdout|stderr|fd\/\d+)$/.test(way)) return undefined;
  const host = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(way)?.[1];
  if (host !== undefined) {
    emitRedirect(walk, { kind: 'net', host: host === '' ? '*' : host });
    return undefined;
  }
  if (!writes && /^\/dev\/(zero|full|u?random)$/.test(way)) return undefined;
  const paths = pathsAt(path, spot.folders, walk.facts.cwd);
  if (paths === undefined) doubt(walk, 'which folder a redirection leads to is not known');
  for (const one of paths ?? []) emitRedirect(walk, { kind: writes ? 'write' : 'read', path: one });
  const isDevice = /^\/dev\//.test(way) && !/^\/dev\/(shm\/|tty$|ptmx$|pts\/)/.test(way);
  return writes && isDevice ? 'it writes to a device' : undefined;
}
