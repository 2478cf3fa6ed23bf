/** OSC 8 hyperlinks. The name of a link comes from its address, so its parts on several lines are one link. */

/** Terminals ignore longer addresses, or worse. */
const maxLength = 2048;

/** The text as a link. An address that is empty or too long leaves the text as it is. */
export function link(text: string, url: string): string {
  const address = safe(url);
  if (text === '' || address === '' || address.length > maxLength) return text;
  return `\u001b]8;id=${linkId(address)};${address}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** The same for the same address, short, and only of letters and digits. */
export function linkId(url: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < url.length; at++) hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Only what may stand in the sequence: printable ASCII. The rest is percent-encoded, as in any address. */
function safe(url: string): string {
  return url.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e]+/gu, (part) => encodeURIComponent(part));
}
