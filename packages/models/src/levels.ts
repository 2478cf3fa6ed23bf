/** The level of thinking that is asked for, as far as the model takes it. */
import { type Model, type ThinkingLevel, thinkingLevels } from '@tau/core';

/** The nearest level of those the model is known to take, rather more than less; any where they are not known. */
export function takenLevel(level: ThinkingLevel, { thinkingLevels: taken }: Model): ThinkingLevel {
  if (!taken || taken.length === 0) return level;
  const more = thinkingLevels.slice(thinkingLevels.indexOf(level)).find((one) => taken.includes(one));
  return more ?? thinkingLevels.findLast((one) => taken.includes(one)) ?? level;
}
