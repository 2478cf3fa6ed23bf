/**
 * The places that settings open to commands, and hide. What is opened is fixed when the settings first name it: no link that
 * comes later, or that a command may have made, leads further. What is hidden is looked up again and again, and hides more.
 */
import { existsSync } from 'node:fs';
import type { Settings } from '../config/types.ts';
import { isStraight, leadsTo } from '../leads-to.ts';
import { isBelow, namedAt, realPlace } from '../place.ts';
import { forOneTurn } from '../shell-facts.ts';

export interface SettingPlaces {
  /** Real paths, as they were when the settings first named them. */
  opened(): readonly string[];
  /** Those of them that are there, and still what they were. */
  writable(): readonly string[];
  /** The same for what a rule opens, as it is written there. */
  openedBy(rule: readonly string[]): readonly string[];
  /** By every path they are known under: as written, as they led at first, and as they lead now. */
  unreadable(): readonly string[];
  /** These settings count from now on. What was named before stays where it was. What to tell the user. */
  use(settings: Settings): string[];
}

export function settingPlaces(place: { cwd: string; home: string; roots(): readonly string[] }): SettingPlaces {
  const { cwd, home, roots } = place;
  /** By what is written, in `sandbox.writable` and in rules. Undefined: left out. */
  let opened: ReadonlyMap<string, string | undefined> = new Map();
  let listed: readonly string[] = [];
  let hidden: ReadonlyMap<string, string> = new Map();
  const named = (path: string) => namedAt(path, cwd, home);
  const placesOf = (paths: Iterable<string>) =>
    [...new Set([...paths].map((path) => opened.get(path)))].filter((at) => at !== undefined);
  const isThere = (path: string) => existsSync(path) && isStraight(path);
  const openNow = () => placesOf(listed).filter(isThere);
  const lookUp = () => {
    const paths = [...hidden].flatMap(([path, first]) => [named(path), first]);
    return [...new Set(paths.flatMap((path) => [path, realPlace(path)]))];
  };
  let writable = forOneTurn(openNow);
  let unreadable = forOneTurn(lookUp);

  /** What lies where commands can write may be a command's link, of this session or of an earlier one. */
  function open(paths: readonly string[]): Map<string, string | undefined> {
    const fresh = paths.filter((path) => !opened.has(path)).map(named);
    const own = [...roots(), ...placesOf(opened.keys())];
    // Commands will write in all of them, so each is followed a second time with that in mind.
    const theirs = [...own, ...fresh.map((path) => leadsTo(path, isIn(own)) ?? path)];
    const openedAt = (path: string) => {
      const at = leadsTo(named(path), isIn(theirs));
      return at === undefined ? undefined : realPlace(at);
    };
    return new Map(paths.map((path) => [path, opened.has(path) ? opened.get(path) : openedAt(path)]));
  }

  function problemOf(key: string, path: string): string[] {
    const at = opened.get(path);
    if (at !== undefined) return wideness(key, path, at, home);
    const real = realPlace(named(path));
    // Open all the same.
    if (isIn([...roots(), ...placesOf(opened.keys())])(real)) return [];
    const why = `a link leads from it to ${real}, and commands can write where the link is`;
    return [`${key}: ${path} is left out: ${why}. Name ${real} itself if you mean it`];
  }

  function noPatterns(key: 'writable' | 'unreadable', paths: readonly string[]): string[] {
    return paths
      .filter((path) => path.includes('[') && !existsSync(named(path)))
      .map((path) => `sandbox.${key}: there is no ${path}, and patterns are not understood here`);
  }

  return {
    opened: () => placesOf(opened.keys()),
    writable: () => writable(),
    openedBy: (rule) => placesOf(rule).filter(isThere),
    unreadable: () => unreadable(),
    use({ sandbox = {}, permissions = {} }) {
      const [toOpen, toHide] = [sandbox.writable ?? [], sandbox.unreadable ?? []];
      const ofRules = (permissions.allow ?? []).flatMap((rule) =>
        typeof rule === 'string' ? [] : (rule.writable ?? []),
      );
      const freshOpen = toOpen.filter((path) => !opened.has(path));
      const freshInRules = ofRules.filter((path) => !opened.has(path));
      const freshHidden = toHide.filter((path) => !hidden.has(path));
      opened = open([...toOpen, ...ofRules]);
      listed = toOpen;
      hidden = new Map(toHide.map((path) => [path, hidden.get(path) ?? realPlace(named(path))]));
      writable = forOneTurn(openNow);
      unreadable = forOneTurn(lookUp);
      const lost = [...noPatterns('writable', freshOpen), ...noPatterns('unreadable', freshHidden)];
      return [
        ...freshOpen.flatMap((path) => problemOf('sandbox.writable', path)),
        ...freshInRules.flatMap((path) => problemOf('permissions.allow, writable', path)),
        ...lost,
      ];
    },
  };
}

function isIn(folders: readonly string[]): (path: string) => boolean {
  return (path) => folders.some((folder) => isBelow(path, folder));
}

function wideness(key: string, written: string, at: string, home: string): string[] {
  if (!isBelow(home, at)) return [];
  const what = at === home ? 'is your home' : 'holds your home';
  return [
    `${key}: ${written} ${what}: commands can change nearly all of your files. Name the folders they need instead`,
  ];
}
