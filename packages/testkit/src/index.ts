/** What tests stand on: a model that follows a script over real HTTP, and a private home to run the binary in. */
export type { RunningTau, TauRun } from './run.ts';
export { makeSandbox, type Sandbox } from './sandbox.ts';
export type { RecordedRequest, ScriptBlock, ScriptedReply, ScriptStep } from './script.ts';
export { type ScriptedModel, startScriptedModel } from './scripted-model.ts';
