/** How full the model's window is, told before it is too late. */
import type { AssistantMessage, Model } from '@tau/core';

const warnAbove = 0.8;

/** A sentence for the user once the conversation nearly fills the window; undefined before, or when the size is unknown. */
function fullness({ usage, provider, model: id }: AssistantMessage, model: Model): string | undefined {
  if (!model.contextWindow || provider !== model.provider || id !== model.id) return undefined;
  const share = usage.totalTokens / model.contextWindow;
  if (share <= warnAbove) return undefined;
  return `${beginning} ${Math.round(share * 100)} % of what ${provider}/${id} can take; begin a new one soon`;
}

const beginning = 'The conversation fills';

/** For a reader that tells it in its own way. */
export function isFullnessNotice(text: string): boolean {
  return text.startsWith(beginning);
}

/** Says so once. */
export function watchWindow(model: () => Model, warn: (text: string) => void): (message: AssistantMessage) => void {
  let warned = false;
  return (message) => {
    const text = warned ? undefined : fullness(message, model());
    if (text === undefined) return;
    warned = true;
    warn(text);
  };
}
