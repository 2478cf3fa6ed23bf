/**
 * What a line has another machine do. Its paths, variables and functions are not those of this one, so nothing of that is
 * kept: only which programs are started, for rules that ask or deny, and what is dangerous there as well as here.
 */
import type { Part } from '../analysis.ts';
import { emit, nothingFound, type Spot, type Walk } from './state.ts';

export function elsewhere(spot: Spot, walk: Walk, go: (spot: Spot, walk: Walk) => void): void {
  const { glob, realPath, holdsLinks, ...facts } = walk.facts;
  const away: Walk = {
    ...walk,
    facts,
    ...nothingFound(),
  };
  go({ ...spot, folders: ['/'], assigns: [], values: new Map(), inside: [] }, away);
  walk.effects = away.effects;
  walk.characters = away.characters;
  walk.problem ??= away.problem;
  for (const part of away.parts) tell(part, walk);
}

/** Without what it does to paths, and as one that nothing here depends on. */
function tell({ invocation, finding }: Part, walk: Walk): void {
  const removes = finding.effects.some((effect) => effect.kind === 'write' && effect.removes === 'tree');
  const danger = finding.danger ?? (removes ? 'it removes folders where nobody can look' : undefined);
  emit(
    walk,
    { ...invocation, wrapper: true },
    {
      class: finding.class,
      known: false,
      effects: [],
      why: 'it does that elsewhere',
      ...(danger !== undefined && { danger }),
      ...(finding.hidden && { hidden: true }),
    },
  );
}
