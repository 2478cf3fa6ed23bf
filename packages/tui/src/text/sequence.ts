/** Where escape sequences begin and end, of every form, whole or cut off. */

// A string (OSC, DCS, SOS, PM, APC) ends at BEL or ST, and any other escape or C1 character breaks it off. One that
// never ends takes its line and no more. Each start is scanned once: no input makes this slow.
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])(?:[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|[^\n\x07\x18\x1a\x1b\x80-\x9f]*)|\x1b[ -/]+[0-~]?|\x1b[0-~]?|[\x80-\x9f]/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const start = /[\x1b\x80-\x9f]/g;

/** Where the next sequence begins, or the text's end. */
export function sequenceStart(text: string, from: number): number {
  start.lastIndex = from;
  return start.exec(text)?.index ?? text.length;
}

/** Where the sequence that begins at `at` ends. Always behind `at`. */
export function sequenceEnd(text: string, at: number): number {
  sequence.lastIndex = at;
  return sequence.test(text) ? sequence.lastIndex : at + 1;
}
