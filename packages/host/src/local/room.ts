/**
 * Room on the disks that a command can fill: a contained one may write to a private temporary folder and to the project, and
 * the session of tau itself may be on the same disk. Before that is full, the command is stopped.
 */
import { promises } from 'node:fs';

export interface RoomOptions {
  /** Files and folders on the disks in question. */
  places: readonly string[];
  /** Bytes that stay free. Absent: a gigabyte, or half of what was free at first if that is less. */
  leave?: number | undefined;
  /** Called once, with the place that has too little. */
  onShort(place: string, free: number): void;
  /** Bytes that the user may still write there. */
  freeAt?(place: string): Promise<number>;
  lookEveryMs?: number;
}

const gigabyte = 1024 ** 3;
/** In such a time a fast disk takes half a gigabyte. Commands that end sooner cost nothing. */
const usualLookMs = 200;
const maxPlaces = 16;

/** Returns what ends it. */
export function watchRoom(options: RoomOptions): () => void {
  const { leave, onShort, freeAt = freeOnDisk, lookEveryMs = usualLookMs } = options;
  const places = [...new Set(options.places)].slice(0, maxPlaces);
  const least = new Map<string, number>();
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    for (const place of places) {
      const free = await freeAt(place).catch(() => undefined);
      // A place that is gone cannot be filled.
      if (over || free === undefined) continue;
      const atLeast = least.get(place) ?? leave ?? Math.min(gigabyte, free / 2);
      least.set(place, atLeast);
      if (free >= atLeast) continue;
      over = true;
      onShort(place, free);
    }
    later();
  };
  const later = () => {
    if (over) return;
    timer = setTimeout(() => void look(), lookEveryMs);
    timer.unref();
  };
  later();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

async function freeOnDisk(place: string): Promise<number> {
  const { bavail, bsize } = await promises.statfs(place);
  return bavail * bsize;
}
