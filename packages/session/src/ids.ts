/**
 * Names that do not clash: UUIDv7 for sessions, eight hex digits for entries. They are no secrets, so the plain random
 * generator serves; loading the cryptographic one would cost every start two to three milliseconds.
 */

/** Time first, so that ids sort by age (RFC 9562). */
export function uuidv7(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  const version = `7${hex(3)}`;
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16) + hex(3);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${hex(12)}`;
}

export function freshEntryId(taken: (id: string) => boolean): string {
  let id = hex(8);
  while (taken(id)) id = hex(8);
  return id;
}

/** Up to twelve random hex digits. */
function hex(digits: number): string {
  return Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0');
}
