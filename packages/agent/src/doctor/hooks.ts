/** Whether hooks can be read: a run does not begin with one that cannot. Nothing of them is started. */
import type { Home } from '../config/home.ts';
import { projectRoot } from '../config/layers.ts';
import type { Layer } from '../config/settings.ts';
import { declaredHooks } from '../hooks/declared.ts';
import { readTrust } from '../trust/trust.ts';
import { type Check, check, failed } from './check.ts';

export async function hookChecks(home: Home, cwd: string | undefined, layers: readonly Layer[]): Promise<Check[]> {
  const [id, title] = ['hooks', 'Hooks'];
  if (!layers.some(({ values }) => values.has('hooks') || values.get('claudeHooks') === true)) return [];
  const covers = (path: string) => cwd !== undefined && readTrust(home, cwd).covers(path);
  const root = cwd === undefined ? home.user : projectRoot(cwd, home);
  try {
    const { hooks, warnings } = await declaredHooks({ home, root, layers, covers, wanted: true });
    const left = warnings.map((text) => check(id, title, 'warning', text, 'docs/hooks.md says what is understood'));
    return left.length > 0 ? left : [check(id, title, 'ok', `${hooks.length} that can be read; /hooks lists them`)];
  } catch (error) {
    return [failed(id, title, error)];
  }
}
