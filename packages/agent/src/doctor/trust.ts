/** Whether the project's own word counts here. */
import { trustStatus } from '../trust/view.ts';
import { type Check, check, type DoctorPlace, someOf } from './check.ts';

const most = 10;

export async function trustChecks({ env, cwd }: DoctorPlace): Promise<Check[]> {
  if (cwd === undefined) return [];
  const [id, title] = ['trust', 'Trust'];
  const { root, state, changed, enables, problems } = await trustStatus({ env, cwd });
  const wrong = problems.map((text) => check(id, title, 'warning', text, 'Mend it; until then nothing is trusted'));
  if (root === undefined) return [check(id, title, 'ok', 'there is no project here'), ...wrong];
  switch (state) {
    case 'trusted':
      return [check(id, title, 'ok', `${root} is trusted`), ...wrong];
    case 'nothing to trust':
      return [check(id, title, 'ok', `${root} brings nothing that would need it`), ...wrong];
    case 'untrusted': {
      const since = changed.map(({ path, change }) => `${path} (${change})`);
      const why = since.length === 0 ? '' : `, because of what is another since you said so: ${someOf(since, most)}`;
      const count = enables.filter(({ counts }) => counts).length;
      const detail = `${root} is not trusted${why}: ${count} of its settings and files do not count`;
      return [check(id, title, 'note', detail, 'tau trust shows what they would do'), ...wrong];
    }
  }
}
