/**
 * Keys of Claude Code's settings that people paste into tau's along with their rules. They mean nothing here, and what does
 * the same is called something else: that is said, and the rest of the file counts.
 */

/** By path, what to write instead. */
const keys: ReadonlyMap<string, string> = new Map([
  ['permissions.defaultMode', 'In tau this is "permissionMode", at the top of the file.'],
  ['permissions.additionalDirectories', 'In tau "additionalDirectories" stands at the top of the file.'],
  [
    'permissions.disableBypassPermissionsMode',
    'tau has no such switch: the mode is what "permissionMode" and the command line say.',
  ],
  ['permissions.disableAutoMode', 'tau has no such switch: "permissionMode" at the top of the file chooses a mode.'],
]);

export function elsewhere(path: readonly string[]): string | undefined {
  return keys.get(path.join('.'));
}
