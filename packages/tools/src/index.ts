/** The built-in tools. */
export { type Containment, type Held, refusedLine } from './bash/contain.ts';
export { builtinTools } from './builtin.ts';
export { commandName } from './jobs/job.ts';
export { createJobs, type JobEnd, type JobHooks, type Jobs } from './jobs/jobs.ts';
export type { PlanMode, PlanRules } from './plan/plan.ts';
export { type PreviewedFile, previewChange } from './preview.ts';
export { readWhole } from './read/whole.ts';
export { listFolder } from './search/ls.ts';
