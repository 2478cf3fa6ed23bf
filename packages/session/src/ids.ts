/** Names that cannot clash: UUIDv7 for sessions, eight hex digits for entries. */
import { randomBytes } from 'node:crypto';

/** Time first, so that ids sort by age (RFC 9562). */
export function uuidv7(milliseconds: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function freshEntryId(taken: (id: string) => boolean): string {
  let id = randomBytes(4).toString('hex');
  while (taken(id)) id = randomBytes(4).toString('hex');
  return id;
}
