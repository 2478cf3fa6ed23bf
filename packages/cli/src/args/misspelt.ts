/** A first word that was meant as a command: a slip of the fingers, or what other programs call it. No model is asked about it. */

/** What people type who come from elsewhere, and what it is here. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['login', 'auth set PROVIDER'],
  ['logout', 'auth remove PROVIDER'],
  ['version', '--version'],
  ['resume', '-r'],
  ['continue', '-c'],
  ['settings', 'config'],
  ['exec', '-p "PROMPT"'],
]);

const leastLetters = 4;

/** What stands behind `tau`, or undefined when it is a word like any other. */
export function commandMeant(word: string, commands: readonly string[]): string | undefined {
  const other = otherNames.get(word);
  if (other !== undefined || word.length < leastLetters) return other;
  return commands.find((name) => name !== word && isOneSlipOff(word, name));
}

/** A letter too many, too few or another, or two that changed places. */
function isOneSlipOff(typed: string, wanted: string): boolean {
  const [short = '', long = ''] = typed.length < wanted.length ? [typed, wanted] : [wanted, typed];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  if (short.length < long.length) return short.slice(same) === long.slice(same + 1);
  const swapped = `${short[same + 1] ?? ''}${short[same] ?? ''}${short.slice(same + 2)}`;
  return short.slice(same + 1) === long.slice(same + 1) || swapped === long.slice(same);
}
