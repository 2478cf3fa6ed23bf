/** Which addresses in a document become links. */

/** The address, encoded, if it is of a kind that is safe to open. */
export function linkTarget(href: string): string | undefined {
  if (!/^(?:https?|file|mailto):/i.test(href.trim()) || href.length > 2048) return undefined;
  try {
    return new URL(href.trim()).href;
  } catch {
    return undefined;
  }
}

/** Whether the text of a link says where it leads, so that it need not be said again. */
export function saysTarget(text: string, href: string): boolean {
  const bare = (url: string) =>
    url
      .trim()
      .replace(/^(?:mailto:|https?:\/\/)/i, '')
      .replace(/\/$/, '');
  return bare(text) === bare(href);
}

/** Whether the text of a link looks like an address itself: then one that leads elsewhere must say so. */
export function looksLikeUrl(text: string): boolean {
  return /^(?:https?:\/\/|www\.)\S+$|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|app|ai|co|gov|edu)(?:\/\S*)?$/i.test(
    text.trim(),
  );
}
