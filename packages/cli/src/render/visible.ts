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
