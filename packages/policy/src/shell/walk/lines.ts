/** Text inside a line that a shell reads as a line of its own. */
import { readable } from './readable.ts';
import { deeper, type Flow, limits, type Spot, stay, tooLong, type Walk } from './state.ts';

export function walkText(text: string, spot: Spot, walk: Walk): Flow {
  walk.characters += text.length;
  if (walk.characters > limits.characters) walk.problem ??= tooLong;
  walk.problem ??= readable(text);
  if (walk.problem !== undefined) return stay(spot);
  if (walk.syntax === undefined) {
    walk.problem = 'no parser is loaded';
    return stay(spot);
  }
  return walk.script(walk.syntax.parse(text), deeper(spot, { source: text }), walk);
}
