// The way an editor's extension would do it, in the words of VS Code: a cancellation token becomes an AbortSignal, the
// sessions are kept in the workspace, what happens goes to an output channel, and approvals are asked in the window.
//   node examples/editor.mjs "Rename the function"     (below, the terminal plays the editor)
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createAgent, describeError } from '@tau/cli/sdk';

/** An AbortSignal for a CancellationToken: `isCancellationRequested`, and `onCancellationRequested(listener)`. */
function signalOf(token) {
  const control = new AbortController();
  if (token.isCancellationRequested) control.abort();
  else token.onCancellationRequested(() => control.abort());
  return control.signal;
}

/** What an extension's `activate` would make once, for each folder of the workspace. */
async function createAssistant(folder, window) {
  const output = window.createOutputChannel('tau');
  const agent = await createAgent({
    cwd: folder,
    sessionDir: join(folder, '.vscode', 'agent-sessions'),
    // The signal ends the wait when the run is cancelled while the question is still open.
    ask: async ({ toolName, input, decision }, signal) => {
      const question = `${toolName} ${JSON.stringify(input)}: ${decision.reason}`;
      const answer = await window.showWarningMessage(question, signal, 'Allow', 'Deny');
      return { outcome: answer === 'Allow' ? 'allow' : 'deny' };
    },
  });
  for (const warning of agent.warnings) output.appendLine(warning);
  agent.subscribe(
    (event) => {
      if (event.type === 'tool_execution_start') output.appendLine(`${event.toolName}: ${JSON.stringify(event.input)}`);
      if (event.type === 'error' || event.type === 'retry') output.appendLine(`${event.type}: ${event.message}`);
      if (event.type === 'agent_end') output.appendLine(`${event.reason}: ${event.usage.totalTokens} tokens`);
    },
    // Whole things only; whoever shows the words as they come iterates the run.
    { deltas: false },
  );
  return {
    /** Resolves to the answer; a cancelled one is what there was of it. */
    async ask(prompt, token) {
      const { reason, answer } = await agent.prompt(prompt, { signal: signalOf(token) }).outcome;
      return { reason, answer };
    },
    dispose: () => agent.close(),
  };
}

// From here on it is the terminal that plays the editor.
const lines = createInterface({ input: process.stdin, output: process.stderr });
const window = {
  createOutputChannel: (name) => ({ appendLine: (text) => console.error(`[${name}] ${text}`) }),
  async showWarningMessage(text, signal, ...buttons) {
    const said = await lines.question(`${text}\n${buttons.join(' or ')}? `, { signal }).catch(() => undefined);
    return buttons.find((button) => button.toLowerCase() === said?.trim().toLowerCase());
  },
};
const listeners = new Set();
const token = { isCancellationRequested: false, onCancellationRequested: (listener) => listeners.add(listener) };
const cancel = () => {
  token.isCancellationRequested = true;
  for (const listener of listeners) listener();
};
process.on('SIGINT', cancel);
lines.on('SIGINT', cancel);

const assistant = await createAssistant(process.cwd(), window).catch((error) => {
  console.error(describeError(error));
  process.exit(2);
});
const { reason, answer } = await assistant.ask(process.argv[2] ?? 'Say hello.', token);
console.log(answer);
process.exitCode = reason === 'done' ? 0 : 1;
lines.close();
await assistant.dispose();
