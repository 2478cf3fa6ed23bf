/** Runs one hook to its end, whatever that is. Never throws: a failure is an answer too. */
import { describeError, type HookMoment } from '@tau/core';
import { tauAnswer } from './answer.ts';
import { claudeAnswer } from './answer-claude.ts';
import { variable } from './fields.ts';
import type { Handler, Hook } from './hook.ts';
import type { FailureKind, Output, Spoken } from './spoken.ts';
import { bodyFor, commandFor, variablesFor } from './told.ts';

export interface CommandRequest {
  command: string;
  stdin: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Of both outputs together. More is a flood: the command is ended. */
  maxBytes: number;
  signal: AbortSignal;
  /** Not in the sandbox. */
  outside?: boolean;
}

export interface CommandEnd {
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal?: string;
  killedBy?: 'timeout' | 'abort' | 'flood';
  stdout: string;
  stderr: string;
}

export interface PostRequest {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal;
  /** The user's own: it may go to this machine. */
  own: boolean;
}

/** What hooks need from the world. */
export interface HookPorts {
  /** Where commands run. */
  root: string;
  /** Why a hook may not run here, if so. */
  refusal(hook: Hook): string | undefined;
  run(request: CommandRequest): Promise<CommandEnd>;
  /** No redirects are followed. Rejects when there is no answer. */
  post(request: PostRequest): Promise<{ status: number; body: string; cut: boolean }>;
  variable(name: string): string | undefined;
}

const maxOutputBytes = 1024 * 1024;

export async function runHook(hook: Hook, moment: HookMoment, ports: HookPorts, signal: AbortSignal): Promise<Spoken> {
  if (signal.aborted) return failed('aborted', 'the user interrupted');
  const refusal = ports.refusal(hook);
  if (refusal !== undefined) return failed('refused', refusal);
  const { handler } = hook;
  try {
    switch (handler.type) {
      case 'command':
        return await runCommand(hook, handler, moment, ports, signal);
      case 'http':
        return await post(hook, handler, moment, ports, signal);
      case 'function':
        return { word: (await handler.run(moment)) ?? {} };
    }
  } catch (error) {
    return failed(signal.aborted ? 'aborted' : 'missing', `it could not be run: ${describeError(error)}`);
  }
}

async function runCommand(
  hook: Hook,
  handler: Extract<Handler, { type: 'command' }>,
  { input }: HookMoment,
  ports: HookPorts,
  signal: AbortSignal,
): Promise<Spoken> {
  const env = variablesFor(hook, input, ports.root);
  const filled = commandFor(handler.command, input, env);
  if ('problem' in filled) return failed('refused', filled.problem);
  const { timeoutMs } = hook;
  const place = { timeoutMs, maxBytes: maxOutputBytes, signal, outside: handler.outside === true };
  const request = { ...filled, stdin: bodyFor(hook, input), env, ...place };
  const { exitCode, signal: killer, killedBy, stdout, stderr } = await ports.run(request);
  if (killedBy === 'timeout') return failed('timeout', `it took longer than ${timeoutMs / 1000} s`);
  if (killedBy === 'flood') return failed('flood', 'it wrote more than 1 MB');
  if (killedBy === 'abort') return failed('aborted', 'the user interrupted');
  if (exitCode === null) return failed('signal', `it was ended by ${killer ?? 'a signal'}`);
  if (exitCode === 126 || exitCode === 127) {
    return failed('missing', `its program cannot be run: ${stderr.trim().slice(0, 300) || `code ${exitCode}`}`);
  }
  // How a shell says that what it ran was ended by a signal.
  if (exitCode > 128 && exitCode <= 128 + 64) return failed('signal', `it was ended by signal ${exitCode - 128}`);
  return meaning(hook, { exitCode, stdout, stderr });
}

async function post(
  hook: Hook,
  handler: Extract<Handler, { type: 'http' }>,
  { input }: HookMoment,
  ports: HookPorts,
  signal: AbortSignal,
): Promise<Spoken> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const [name, text] of Object.entries(handler.headers)) {
    headers[name.toLowerCase()] = text.replace(
      variable,
      (_, plain?: string, braced?: string) => ports.variable(plain ?? braced ?? '') ?? '',
    );
  }
  const { url } = handler;
  const { timeoutMs, source } = hook;
  const own = source.layer === 'user' || source.layer === 'config';
  const body = bodyFor(hook, input);
  const answer = await ports.post({ url, body, headers, timeoutMs, maxBytes: maxOutputBytes, signal, own });
  if (answer.cut) return failed('flood', 'it answered with more than 1 MB');
  if (answer.status < 200 || answer.status > 299) return failed('exit', `it answered with status ${answer.status}`);
  return meaning(hook, { exitCode: 0, stdout: answer.body, stderr: '' });
}

function meaning(hook: Hook, output: Output): Spoken {
  return hook.dialect === 'tau' ? tauAnswer(output) : claudeAnswer(hook.event, output);
}

function failed(kind: FailureKind, why: string): Spoken {
  return { failure: { kind, why } };
}
