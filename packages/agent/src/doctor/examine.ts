/**
 * What `tau doctor` tells: everything tau depends on here, each with the way out where it is not well. It only looks:
 * nothing is changed, nothing of the project is started, nobody is asked over the network. A look that fails is itself told.
 */
import { scrub } from '@tau/models';
import { findHome, type Home } from '../config/home.ts';
import { underHome } from '../place.ts';
import { type Check, check, type DoctorPlace, failed } from './check.ts';
import { lookAtCredentials } from './credentials.ts';
import { clockCheck, folderCheck, nodeCheck, platformCheck, userCheck } from './machine.ts';
import { certificateChecks, nodeOptionsChecks, proxyCheck } from './network.ts';
import { pathCheck, readPath } from './path.ts';
import { diskChecks, fileChecks, homeCheck, logsCheck, tempCheck } from './places.ts';
import { gitCheck, ripgrepCheck, shellCheck } from './programs.ts';
import { sandboxChecks } from './sandbox.ts';
import { sessionChecks } from './sessions.ts';
import { lookAtSettings, rulesChecks } from './settings.ts';
import { trustChecks } from './trust.ts';

type Part = () => Check | readonly Check[] | Promise<Check | readonly Check[]>;

export async function examine(place: DoctorPlace): Promise<Check[]> {
  const machine = [nodeCheck(), platformCheck(), userCheck(), folderCheck(place.cwd)];
  let home: Home;
  try {
    home = findHome(place.env);
  } catch {
    const remedy = 'Set HOME, or TAU_HOME';
    return [...machine, check('home', 'tau home', 'problem', 'nobody says where your home folder is', remedy)];
  }
  try {
    const { checks, secrets } = await examineWith(home, place);
    return [...machine, ...checks].map((one) => ({ ...one, detail: scrub(one.detail, secrets) }));
  } catch (error) {
    return [...machine, failed('doctor', 'A look that failed', error)];
  }
}

async function examineWith(home: Home, place: DoctorPlace): Promise<{ checks: Check[]; secrets: readonly string[] }> {
  const { env, cwd } = place;
  const look = await lookAtSettings(home, place);
  const { settings } = look;
  const programs = readPath({ ...env, ...settings.env }, cwd, home);
  const programPlace = { env, cwd, home, settings, programs };
  const sessions = underHome(settings.sessionDir, home) ?? home.sessions;
  const keys = await lookAtCredentials(home, env, settings);
  const parts: readonly Part[] = [
    () => clockCheck(home),
    () => pathCheck(programs),
    () => shellCheck(programPlace),
    () => gitCheck(programPlace),
    () => ripgrepCheck(programPlace),
    () => sandboxChecks(programPlace),
    () => look.checks,
    () => rulesChecks(place, look),
    () => trustChecks(place),
    () => keys.checks,
    () => proxyCheck(env),
    () => certificateChecks(env, settings, home),
    () => nodeOptionsChecks(env),
    () => homeCheck(home),
    () => fileChecks(home, sessions),
    () => sessionChecks(sessions),
    () => logsCheck(home),
    () => tempCheck(),
    () => diskChecks(home),
  ];
  const results = await Promise.all(parts.map((part) => guarded(part)));
  return { checks: results.flat(), secrets: keys.secrets };
}

/** One look that fails must not take the others with it. */
async function guarded(part: Part): Promise<readonly Check[]> {
  try {
    return [await part()].flat();
  } catch (error) {
    return [failed('doctor', 'A look that failed', error)];
  }
}
