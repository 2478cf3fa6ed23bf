/** An output as a person at a terminal would have read it in the end: no colours, no overwritten states, no controls. */

const esc = '\u001b';
const bell = '\u0007';
const backspace = '\b';
/** Each stops at the next escape, so that no character is looked at more than a few times. */
const escapeSequence = new RegExp(
  [
    // A title or a link: ends with a bell or a string terminator.
    `${esc}[\\]PX^_][^${bell}${esc}]*(?:${bell}|${esc}\\\\)`,
    // Colours and moves of the cursor.
    `${esc}\\[[0-?]*[ -/]*[@-~]`,
    `${esc}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);
const overstrike = new RegExp(`[^\\n${backspace}]${backspace}`, 'g');
const control = /[^\P{Cc}\t\n\r]/gu;

export function readable(text: string): string {
  let plain = text;
  if (plain.includes(esc)) plain = plain.replace(escapeSequence, '');
  if (plain.includes('\r')) plain = plain.split('\n').map(lastState).join('\n');
  if (plain.includes(backspace)) plain = plain.replace(overstrike, '');
  return plain.replace(control, '');
}

/** A progress bar writes over its line again and again; what it wrote last counts. A return at the end is a line end. */
function lastState(line: string): string {
  const end = line.endsWith('\r') ? '\r' : '';
  const text = end ? line.slice(0, -1) : line;
  if (!text.includes('\r')) return line;
  return (text.split('\r').findLast((state) => state !== '') ?? '') + end;
}
