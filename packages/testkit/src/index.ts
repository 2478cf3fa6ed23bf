/** What tests stand on: a model that follows a script over real HTTP, and a private home to run the binary in. */
export type { Fault } from './faults.ts';
export { type GitShape, gitShapes } from './hostile-git.ts';
export { type HostileRepo, plantHostileRepo } from './hostile-repo.ts';
export { startProxy, type TestProxy } from './proxy.ts';
export type { RunningTau, TauRun } from './run.ts';
export { makeSandbox, type Sandbox, type WireApi } from './sandbox.ts';
export type { RecordedRequest, ScriptBlock, ScriptedReply, ScriptStep } from './script.ts';
export { type ScriptedModel, startScriptedModel } from './scripted-model.ts';
export { openTerminal, type TerminalOptions, type TestTerminal } from './terminal/terminal.ts';
export { makeCertificate } from './tls.ts';
export { makeTracePlace, type TraceOptions, type TracePlace, traceLines } from './trace.ts';
export { startedNames, type Trace } from './trace-log.ts';
