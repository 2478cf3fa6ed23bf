/** Kinds of models that need a word of their own. A habit of a family gets a line here only if it gets in the way. */

export type Family = 'gpt' | 'gemini' | 'small' | 'other';

/** The largest a model may be, in billions of parameters, to count as small. */
const smallSize = 14;

export function familyOf({ id }: { id: string }): Family {
  // `vendor/name:tag` of a reseller names the same model.
  const name = id.toLowerCase().split('/').at(-1) ?? '';
  if (/^(gpt|chatgpt|codex)\b|^o[1-9]\d*\b/.test(name)) return 'gpt';
  if (name.startsWith('gemini')) return 'gemini';
  const sizes = [...name.matchAll(/(?<![a-z\d.])(\d{1,4}(?:\.\d{1,3})?)b(?![a-z\d])/g)].map(([, size]) => Number(size));
  return sizes.length > 0 && Math.max(...sizes) <= smallSize ? 'small' : 'other';
}

export function familyLines(family: Family, tools: readonly { name: string }[]): string[] {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  switch (family) {
    case 'gpt':
      return [
        'Keep going until the task is done; stop early only for what the user alone can decide.',
        ...(has('apply_patch') ? ['Change files with apply_patch rather than through the shell.'] : []),
      ];
    case 'gemini':
      return [
        'Act with the tools instead of describing what you would do.',
        'Check that a library or command is there before you use it, and comment only what the code cannot say.',
      ];
    case 'small':
      return [
        'One step at a time: make one call, look at its result, then decide on the next.',
        'Use a tool by calling it, never by writing the call as text.',
      ];
    case 'other':
      return [];
  }
}
