/** Text from a model, a tool or a file, made safe to show: control and format characters are seen, never obeyed. */
export function visible(text: string): string {
  // Line breaks, tabs and the joiner inside emoji keep their meaning.
  return text.replaceAll('\r\n', '\n').replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}]/gu, show);
}

function show(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** The same for text that comes in pieces: half of a line break or of a character waits for its other half. */
export function createVisible(): { piece(text: string): string; rest(): string } {
  let held = '';
  return {
    piece(text) {
      const whole = held + text;
      const last = whole.charCodeAt(whole.length - 1);
      const half = last === 0x0d || (last >= 0xd800 && last < 0xdc00);
      held = half ? whole.slice(-1) : '';
      return visible(half ? whole.slice(0, -1) : whole);
    },
    rest() {
      const last = visible(held);
      held = '';
      return last;
    },
  };
}
