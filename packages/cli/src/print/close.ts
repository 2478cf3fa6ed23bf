/** Ends an agent. Whoever asks for an end meanwhile does not wait for what still runs (a hook of `SessionEnd`): it ends with tau. */
import type { Agent } from '@tau/agent';
import { listenForInterrupt } from './interrupt.ts';

export async function closeAgent(agent: Agent): Promise<void> {
  const signals = listenForInterrupt();
  signals.signal.addEventListener('abort', () => process.exit(signals.code()), { once: true });
  try {
    await agent.close();
  } finally {
    signals.dispose();
  }
}
