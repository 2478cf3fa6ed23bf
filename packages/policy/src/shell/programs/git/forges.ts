/** Other ways to versions and to what hosts them: `gh`, `glab`, and the systems that are not git. */
import type { Invocation, Judge } from '../../invocation.ts';
import { anywhere, forEach, risky } from '../danger.ts';
import { gives, operandsOf, valuesGiven } from '../loose.ts';

export const forges: ReadonlyMap<string, Judge> = new Map([
  ...forEach('gh glab', judgeForge),
  ...forEach('hg svn jj bzr fossil', () => risky('git', 'tau does not know what it changes', undefined)),
]);

function judgeForge({ words: [, ...words] }: Invocation) {
  return risky('network', 'it talks to a server', dangerOf(words), [anywhere]);
}

function dangerOf(words: Invocation['words']): string | undefined {
  const [topic, verb] = operandsOf(words, '-R --repo --hostname');
  if (topic === 'auth' && (verb === 'token' || gives(words, 'show-token'))) return 'it hands out a token';
  if (topic === 'api') {
    const method = valuesGiven(words, 'X', 'method').some((value) => value === undefined || /^delete$/i.test(value));
    return method ? 'it deletes something on the server' : undefined;
  }
  return /^(delete|remove|archive|purge)$/.test(verb ?? '') || (topic === 'secret' && verb === 'set')
    ? 'it deletes or changes something on the server for everybody'
    : undefined;
}
