/** Command lines that were taken apart by hand, to show what rules make of words that only the shell will know. */
import type { Decision } from '@tau/core';
import { type Analysis, decide, parseRules, type RuleSet } from '../src/index.ts';
import type { Invocation } from '../src/shell/invocation.ts';
import { scope } from './decisions.ts';

type Given = Partial<Invocation> & { words: Invocation['words'] };

export function analysisOf(...invocations: readonly Given[]): Analysis {
  const parts = invocations.map((given) => ({
    invocation: {
      plainName: true,
      folders: ['/w/app'],
      through: [],
      wrapper: false,
      assigns: [],
      open: false,
      input: 'none' as const,
      ...given,
    },
    finding: { class: 'unknown' as const, known: given.wrapper === true, effects: [] },
  }));
  return { parts, redirects: [], doubts: [] };
}

/** Of a line that starts these. The text itself says nothing. */
export function decideParts(rules: RuleSet, ...invocations: readonly Given[]): Decision {
  const effects = [{ kind: 'exec', command: 'as told', readOnly: false } as const];
  return decide({ id: 'c', toolName: 'bash', input: {} }, 'builtin', effects, {
    mode: 'default',
    rules: parseRules(rules).rules,
    scope,
    analyse: () => analysisOf(...invocations),
  });
}
