/** Lists in braces, as shells know them: `a.{x,y}` is `a.x` and `a.y`. */

/** More than anybody writes; each is a rule of its own. */
const most = 64;

/** What is meant, one by one. Undefined when that is too much, or when the braces do not match. */
export function bracesIn(source: string): readonly string[] | undefined {
  let found: readonly string[] = [source];
  // The innermost first: `{a,b{c,d}}` has none within it when its turn comes.
  while (found.some(hasList)) {
    found = [...new Set(found.flatMap(opened))];
    if (found.length > most) return undefined;
  }
  return found;
}

const list = /(?<!\\)\{([^{},]*(?:,[^{},]*)+)\}/;

function hasList(text: string): boolean {
  return list.test(text);
}

function opened(text: string): string[] {
  const at = list.exec(text);
  if (at === null) return [text];
  const [whole, inner = ''] = at;
  return inner.split(',').map((one) => text.slice(0, at.index) + one + text.slice(at.index + whole.length));
}
