/** The built-in tools. */
export { builtinTools } from './builtin.ts';
export { createJobs, type JobHooks, type Jobs } from './jobs/jobs.ts';
export type { PlanMode, PlanRules } from './plan/plan.ts';
export { readWhole } from './read/whole.ts';
export { listFolder } from './search/ls.ts';
