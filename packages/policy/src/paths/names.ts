/** Names of files that are special, under every spelling that some file system takes for them. */

/** The longest part of a name that its short form on a Windows disk keeps. */
const stemLength = 6;

/**
 * True when a folded segment of a path is the name, or the short form that a Windows disk gives it: `git~1` is `.git`
 * there, and so is `gi7eb2~1` when many names begin alike.
 */
export function isCalled(segment: string, name: string): boolean {
  if (segment === name) return true;
  const short = /^([^~]{1,6})~[0-9]{1,6}(?:\.[^.]{0,3})?$/.exec(segment)?.[1];
  if (short === undefined) return false;
  const stem = stemOf(name);
  if (short === stem.slice(0, stemLength)) return true;
  return /^.{1,2}[0-9a-f]{4}$/.test(short) && stem.startsWith(short.slice(0, -4));
}

/** Dots at the beginning go, and what follows the last of the others is an ending. */
function stemOf(name: string): string {
  const bare = name.replace(/^\.+/, '');
  const ending = bare.lastIndexOf('.');
  return (ending > 0 ? bare.slice(0, ending) : bare).replace(/[. ]/g, '');
}
