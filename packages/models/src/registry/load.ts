/** Which providers there are. The file's reader is loaded only when there is a file. */
import { builtinProviders, type Provider } from './provider.ts';

/** What is shipped, under what the user's `models.json` says (`undefined` when there is no such file). */
export async function loadProviders(path: string, content: unknown): Promise<readonly Provider[]> {
  if (content === undefined) return builtinProviders;
  const { mergeModelsFile } = await import('./models-file.ts');
  return mergeModelsFile(path, content);
}
