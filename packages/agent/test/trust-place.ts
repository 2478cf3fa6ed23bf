/** A private home and a repository, and the user's word on it. */
import { findHome } from '../src/config/home.ts';
import { readTrust, recordTrust } from '../src/trust/trust.ts';
import { trustStatus } from '../src/trust/view.ts';
import { makePlace } from './settings-place.ts';

export function makeTrustPlace(files: Record<string, string | object> = {}) {
  const place = makePlace(files);
  const env = { HOME: place.home };
  const home = findHome(env);
  const read = (cwd = place.project) => readTrust(home, cwd);
  return {
    ...place,
    env,
    trustFile: home.trust,
    read,
    status: (cwd = place.project) => trustStatus({ env, cwd }),
    say: (decision: 'yes' | 'no', cwd = place.project) => recordTrust(home, read(cwd), decision),
  };
}
