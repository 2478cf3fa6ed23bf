/** The card of what reads and searches: the title says it all, unless it failed or brought an image. */
import type { ToolResult } from '@tau/agent';
import { type CallBody, type CardWorld, errorLines, imageLines, innerWidth, inset, textOfResult } from './card.ts';

export function quietBody(world: CardWorld): CallBody {
  let result: ToolResult | undefined;
  return {
    input() {},
    write() {},
    end(ended) {
      result = ended;
    },
    live: () => [],
    final(width) {
      if (!result) return [];
      if (result.isError) return inset(errorLines(textOfResult(result), world, innerWidth(width)));
      return imageLines(result, world, width);
    },
  };
}
