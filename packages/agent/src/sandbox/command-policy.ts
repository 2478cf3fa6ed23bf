/**
 * What one command may do in the sandbox: the session's own folders, and what was judged and allowed for this very call.
 * Nothing else widens it, and what steers tools or holds secrets stays closed unless a person or a rule opened it by name.
 */
import { dirname } from 'node:path';
import type { ResolvedEffect } from '@tau/core';
import type { SandboxPolicy } from '@tau/host';
import type { GuardedPlaces, PathScope } from '@tau/policy';
import { isBelow } from '../place.ts';

export interface Session {
  scope: PathScope;
  guarded: GuardedPlaces;
  /** Of the settings, as real paths that no link is on. */
  writable: readonly string[];
  unreadable: readonly string[];
  exists(path: string): boolean;
  /** With all links followed; undefined for what is not there. */
  realOf(path: string): string | undefined;
}

export interface Judged {
  command: string;
  /** As they were judged, all of them allowed. */
  effects: readonly ResolvedEffect[];
  /** Nothing on the disk may change: plan mode. */
  looksOnly: boolean;
}

export function commandPolicy(session: Session, judged: Judged): Omit<SandboxPolicy, 'network' | 'env'> {
  const { scope, guarded } = session;
  const { effects } = judged;
  const readOnly = effects.some((effect) => effect.kind === 'exec' && effect.readOnly);
  // What is proved to only read needs no place to write, and where nothing can be written nothing has to be guarded.
  const looksOnly = judged.looksOnly || readOnly;
  const opened = looksOnly ? [] : effects.flatMap((effect) => openedBy(effect, judged, session));
  const own = looksOnly ? [] : outermost(session);
  const writable = [...new Set([...own, ...opened.flatMap((one) => one.writable)])];
  const there = looksOnly ? scope.roots : writable;
  return {
    writable,
    readOnly: guarded.readOnly.filter((path) => !opened.some(({ frees }) => frees(path))),
    unreadable: [...guarded.unreadable, ...session.unreadable],
    shown: [
      ...(looksOnly ? scope.roots : []),
      ...mentionedTemp(judged.command, session).filter((path) => !there.some((folder) => isBelow(path, folder))),
    ],
    temp: 'session',
    // What is proved to only read is refused nothing that anybody wants to know of.
    witness: !readOnly,
  };
}

/**
 * What lies in another writable place is writable with it. Opened by its own path, a link that a command puts there while
 * another one starts would lead out.
 */
function outermost({ scope, guarded, writable, unreadable }: Session): string[] {
  const places = [...scope.roots, ...writable];
  const closed = [...guarded.readOnly, ...guarded.unreadable, ...unreadable, ...scope.temp];
  const isIn = (place: string, other: string) =>
    place !== other &&
    other !== '/' &&
    isBelow(place, other) &&
    !closed.some((one) => one !== other && isBelow(one, other) && isBelow(place, one));
  return places.filter((place) => !places.some((other) => isIn(place, other)));
}

interface Opened {
  writable: readonly string[];
  /** A guarded place that is the very one, or that is not there yet and the write makes. */
  frees(path: string): boolean;
}

/** A write that was allowed: in the session's folders it is open already, unless the place is guarded. */
function openedBy(effect: ResolvedEffect, { effects }: Judged, session: Session): Opened[] {
  if (effect.kind !== 'write' || effect.resolved === undefined) return [];
  const { scope, guarded, exists } = session;
  const { resolved } = effect;
  const guards = guarded.readOnly.filter((path) => isBelow(resolved, path));
  const inside = [...scope.roots, ...session.writable].some((folder) => isBelow(resolved, folder));
  if (inside && guards.length === 0) return [];
  // Of equal places the stricter word counts.
  if (exists(resolved) && effect.removes === undefined) {
    return [{ writable: [resolved], frees: (path) => path === resolved }];
  }
  const folder = nearestFolder(dirname(resolved), exists);
  const frees = (path: string) => guards.includes(path) && (path === folder || !exists(path));
  // Temporary files are the session's own: no command gets a folder that others write to, where a link could wait.
  if (!inside && (folder === '/' || scope.temp.some((temp) => isBelow(folder, temp)))) return [];
  // Only of a command of which all is known nothing else would land in so wide a folder.
  const known = effects.every((one) => one.kind !== 'exec' || one.known === true);
  const wide = [scope.home, scope.tauHome, ...scope.roots].some((place) => isBelow(place, folder));
  return [{ writable: inside || (wide && !known) ? guardedFolder(folder, guards) : [folder], frees }];
}

/** In the project the folder is writable anyway, but for one that is guarded as a whole. */
function guardedFolder(folder: string, guards: readonly string[]): string[] {
  return guards.some((guard) => isBelow(folder, guard)) ? [folder] : [];
}

function nearestFolder(path: string, exists: (path: string) => boolean): string {
  return exists(path) || path === '/' ? path : nearestFolder(dirname(path), exists);
}

const maxShown = 20;

/**
 * Files of the shared temporary folder that the command names: tau's own tools, or the user, have put them there. The folder
 * may be reached by a link, nothing in it may: a link there may lead to what is hidden.
 */
function mentionedTemp(command: string, { scope: { temp }, realOf }: Session): string[] {
  const words = command.split(/[\s'"`=:;|&<>()]+/).slice(0, 10_000);
  const found = new Set<string>();
  for (const word of words) {
    const folder = temp.find((one) => isBelow(word, one) && word !== one);
    const real = folder === undefined ? undefined : realOf(folder);
    if (folder === undefined || real === undefined || found.size >= maxShown) continue;
    const path = real + word.slice(folder.length);
    if (realOf(word) === path) found.add(path);
  }
  return [...found];
}
