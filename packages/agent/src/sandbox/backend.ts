/** The sandbox itself: its test, and the making of one. Loaded when nobody has tested it yet, or by the first command. */
import { loadSandbox, type NetworkOptions, type Sandbox, type SandboxFacts, type SandboxFinding } from '@tau/host';
import { scrub } from '@tau/models';

export async function testBackend(
  backend: Sandbox['name'],
  env: NodeJS.ProcessEnv,
  project: string,
): Promise<SandboxFinding> {
  const { findSandbox } = await loadSandbox();
  return findSandbox({ env, project, backend });
}

export async function makeBackend(facts: SandboxFacts, env: NodeJS.ProcessEnv): Promise<Sandbox> {
  const { openSandbox } = await loadSandbox();
  return openSandbox(facts, { env, isSecret });
}

/** What would be taken out of a log has no place in an environment either. */
export function isSecret(value: string): boolean {
  return scrub(value, []) !== value;
}

/** How its commands get to the network. Undefined: they do not. */
export function networkOf(facts: SandboxFacts | undefined): NetworkOptions['way'] | undefined {
  if (facts?.backend === 'seatbelt') return { kind: 'loopback' };
  const { path: bwrap, nsenter } = facts ?? {};
  return bwrap === undefined || nsenter === undefined ? undefined : { kind: 'namespace', programs: { bwrap, nsenter } };
}
