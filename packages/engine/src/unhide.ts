/** Nothing reaches the model that the user could not have seen: results and messages, whoever they come from. */
import { type ResultBlock, type RunEvent, type ToolResult, type UserMessage, withHiddenTold } from '@tau/core';

type Tell = (event: RunEvent) => void;

export function seenResult(toolName: string, result: ToolResult, tell: Tell): ToolResult {
  const content = seenBlocks(result.content, `the result of ${toolName}`, tell);
  return content === result.content ? result : { ...result, content };
}

export function seenMessage(message: UserMessage, tell: Tell): UserMessage {
  const { content } = message;
  if (typeof content !== 'string') {
    const blocks = seenBlocks(content, 'a message to the model', tell);
    return blocks === content ? message : { ...message, content: blocks };
  }
  const seen = withHiddenTold(content);
  if (seen.told === undefined) return message;
  tell(notice('a message to the model', seen.told));
  return { ...message, content: seen.text };
}

/** The same array where there is nothing to hide: that is nearly always. */
function seenBlocks(blocks: ResultBlock[], where: string, tell: Tell): ResultBlock[] {
  let found = false;
  const seen = blocks.map((block) => {
    if (block.type !== 'text') return block;
    const { text, told } = withHiddenTold(block.text);
    if (told === undefined) return block;
    found = true;
    tell(notice(where, told));
    return { ...block, text };
  });
  return found ? seen : blocks;
}

function notice(where: string, told: string): RunEvent {
  return { type: 'notice', level: 'warning', text: `Removed ${told} from ${where}` };
}
