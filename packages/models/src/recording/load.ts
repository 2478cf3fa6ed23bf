/** Recording and replaying, loaded by a run that does either. */
import type { openRecording } from './file.ts';

/** The file that takes what is said. */
export type Recording = ReturnType<typeof openRecording>;

export async function loadRecording() {
  const [{ openRecording }, { record }, { replay }] = await Promise.all([
    import('./file.ts'),
    import('./record.ts'),
    import('./replay.ts'),
  ]);
  return { openRecording, record, replay };
}
