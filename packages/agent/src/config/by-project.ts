/**
 * A file of tau's home that says something about each project, by its real path. Changed under a lock, from what is there
 * at that moment, and replaced whole. One that cannot be understood is never written over.
 */
import { describeError, isRecord, TauError } from '@tau/core';
import { lockFile } from '@tau/models';
import { replaceFile } from './replace-file.ts';
import { readText } from './text.ts';

export type Projects = Record<string, unknown>;

export interface ProjectsFile {
  path: string;
  maxBytes: number;
  /** What a file that cannot be used is told as. */
  broken(why: string): TauError;
}

const attempts = 5;

export function readProjects(file: ProjectsFile): Projects {
  return read(file).projects;
}

/** `edit` gets what is there at that moment; undefined leaves it so. */
export async function changeProjects(
  file: ProjectsFile,
  edit: (projects: Projects) => Projects | undefined,
): Promise<void> {
  const { path } = file;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const lock = await lockFile(path);
    try {
      const { value, projects } = read(file);
      const after = edit(projects);
      if (after === undefined) return;
      const text = `${JSON.stringify({ ...value, version: 1, projects: after }, null, 2)}\n`;
      if (!lock.held()) continue;
      replaceFile(path, text, { mode: 0o600 });
      return;
    } finally {
      lock.release();
    }
  }
  throw new TauError('file', `${path} was changed by others ${attempts} times meanwhile`, { remedy: 'Try again' });
}

/** `value`: the file as it stands, for what is not ours stays. */
function read({ path, maxBytes, broken }: ProjectsFile): { value: Record<string, unknown>; projects: Projects } {
  const text = readText(path, maxBytes)?.trim() ?? '';
  if (text === '') return { value: {}, projects: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(`it is not valid JSON: ${describeError(error)}`);
  }
  if (!isRecord(value)) throw broken('it must be an object');
  const { version, projects = {} } = value;
  if (version !== 1) throw broken(`its version is ${JSON.stringify(version) ?? 'missing'}, and this tau knows 1`);
  if (!isRecord(projects)) throw broken('"projects" must be an object');
  return { value, projects };
}
