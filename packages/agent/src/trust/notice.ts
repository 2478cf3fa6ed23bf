/** What to say where a project is not trusted and nobody is asked: one line, with the way out. */
import type { LoadedSettings } from '../config/settings.ts';

const maxNamed = 8;

/** Undefined when nothing was refused. */
export function trustNotice({ layers, trust }: Pick<LoadedSettings, 'layers' | 'trust'>): string | undefined {
  const names = [...new Set(layers.flatMap(({ refused }) => [...refused.keys()]))];
  if (trust === undefined || names.length === 0) return undefined;
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  const what = `${names.slice(0, maxNamed).join(', ')}${more} of it ${names.length === 1 ? 'does' : 'do'} not count`;
  const { decision, changed, problem, trusted } = trust;
  if (trusted) return `${what}: it stands in a file that leads out of the project`;
  if (problem !== undefined) return `This project is not trusted, so ${what}. ${problem}`;
  if (decision === 'no' && changed.length === 0) {
    return `You do not trust this project, so ${what}. tau trust yes changes that`;
  }
  if (decision === 'yes') {
    const files = changed.slice(0, maxNamed).map(({ path }) => path);
    return `This project changed since you trusted it (${files.join(', ')}), so ${what}. tau trust shows it, tau trust yes takes it`;
  }
  return `This project is not trusted, so ${what}. tau trust shows what it would enable, tau trust yes enables it`;
}
