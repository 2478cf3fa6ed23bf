/** Where a conversation was left: the last messages of branches that the active chain does not lead to. */
import type { Tree } from './tree.ts';

export interface BranchEnd {
  /** The place of its last message. */
  end: number;
  /** The place of the user's last message on it, if the branch has one of its own. */
  prompt: number | undefined;
}

/** The newest first. Entries that say nothing, as a move alone, make no branch. */
export function branchEnds(tree: Tree, limit: number): BranchEnd[] {
  const ends: BranchEnd[] = [];
  /** On the active chain, or on a branch that was met already: whoever leads there is no end. */
  const met = new Set(tree.chain());
  for (let place = tree.size() - 1; place >= 0 && ends.length < limit; place--) {
    if (met.has(place) || !tree.kind(place)?.startsWith('message:')) continue;
    let prompt: number | undefined;
    for (const at of tree.pathTo(place).reverse()) {
      if (met.has(at)) break;
      met.add(at);
      if (prompt === undefined && tree.kind(at) === 'message:user') prompt = at;
    }
    ends.push({ end: place, prompt });
  }
  return ends;
}
