/** What `tau doctor` tells. Loaded when it is asked for: no run needs it. */
import type { Check, DoctorPlace } from './doctor/check.ts';

export type { Check } from './doctor/check.ts';

export async function examine(place: DoctorPlace): Promise<Check[]> {
  const doctor = await import('./doctor/examine.ts');
  return doctor.examine(place);
}
