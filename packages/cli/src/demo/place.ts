/** Where the demo happens: a folder of its own with a project to repair, and a home that is not the user's. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { withOwnPrograms } from '@tau/agent';
import { makeProject, testsPass } from './project.ts';

export const demoPrompt = 'The tests fail. Find out why and fix it.';

export interface DemoPlace {
  project: string;
  env: NodeJS.ProcessEnv;
}

export async function makePlace(): Promise<DemoPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'tau-demo-'));
  const project = join(folder, 'median');
  const env = demoEnvironment(folder);
  mkdirSync(project);
  await makeProject(project);
  if (await testsPass(project, env))
    throw new Error('the demo has nothing to show: its tests passed before anything was done');
  return { project, env };
}

/** The user's environment, with a home of its own and the node that runs tau. */
function demoEnvironment(folder: string): NodeJS.ProcessEnv {
  // The demo may be run in a folder that brings programs along.
  const path = [dirname(process.execPath), withOwnPrograms(process.env).PATH ?? ''].join(delimiter);
  // A test runner that runs this demo would otherwise speak through the environment to the one inside.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  return { ...env, PATH: path, TAU_HOME: join(folder, 'tau-home') };
}
