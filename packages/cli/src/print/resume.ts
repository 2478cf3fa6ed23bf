/** `--resume` without an ID, where nobody can be shown a list to choose from. */
import { listSessions, type SessionPlace, TauError } from '@tau/agent';
import { clip } from '../render/clip.ts';

const shown = 5;

export async function whichSession(place: SessionPlace): Promise<TauError> {
  const { sessions } = await listSessions(place, { limit: shown });
  if (sessions.length === 0) {
    return new TauError('session', `There is no session of ${place.cwd} to go on with`, {
      remedy: 'tau sessions --all lists those of other folders',
    });
  }
  const rows = sessions.map(({ id, name, firstPrompt }) => `  ${id}  ${clip(name ?? firstPrompt ?? '', 60)}`.trimEnd());
  return new TauError('usage', '--resume needs to know which session', {
    remedy: [
      'Use --resume ID, --resume last, or -c for the newest; a name with blanks goes behind --resume="…". The newest here:',
      ...rows,
    ].join('\n'),
  });
}
