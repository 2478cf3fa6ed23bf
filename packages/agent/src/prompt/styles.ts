/** How answers are to sound: three known ways by name, or the user's own words. */

const styles: Readonly<Record<string, string>> = {
  concise: 'Style: answer in as few words as carry the meaning. No preamble, no summary of what was just done.',
  explanatory:
    'Style: explain as you go. Say why you chose a way over its alternatives, and what in this codebase led you there.',
  learning:
    'Style: help the user learn. Explain the idea before the code, and leave small, instructive pieces for the user to write, marked TODO(user), where that does no harm.',
};

export function isStyle(name: string): boolean {
  return Object.hasOwn(styles, name);
}

export function styleText(style: string): string {
  return isStyle(style) ? (styles[style] ?? style) : `Style: ${style.trim()}`;
}

export function languageText(language: string): string {
  // A name, not a text: one line of it.
  return `Answer in ${language.trim().replace(/\s+/g, ' ').slice(0, 60)}. Keep code, commands and names as they are.`;
}
