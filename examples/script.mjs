// A script: one prompt, the answer as it comes, and what it cost.
//   node examples/script.mjs "What does this project do?"
import { createAgent, describeError } from '@tau/cli/sdk';

const [prompt] = process.argv.slice(2);
if (!prompt) {
  console.error('usage: node script.mjs PROMPT');
  process.exit(2);
}

// Settings, models and keys are those of the user, as for the command. Nobody is here to approve anything, so what needs
// approval is denied, and the model is told. Without a key there is no agent; the error says what to do.
const agent = await createAgent({ cwd: process.cwd() }).catch((error) => {
  console.error(describeError(error));
  process.exit(2);
});
for (const warning of agent.warnings) console.error(warning);

const control = new AbortController();
process.once('SIGINT', () => control.abort());

try {
  const run = agent.prompt(prompt, { signal: control.signal });
  for await (const event of run) {
    if (event.type === 'message_update' && event.delta.kind === 'text') process.stdout.write(event.delta.text);
    if (event.type === 'tool_execution_start') console.error(`[${event.toolName}] ${JSON.stringify(event.input)}`);
    if (event.type === 'error') console.error(event.message);
  }
  const { reason, turns, usage } = await run.outcome;
  // A model without a known price costs "0" here: `agent.model.cost` says whether there is one.
  const price = agent.model.cost ? `$${usage.cost.total.toFixed(4)}` : 'price unknown';
  console.error(`\n${reason} after ${turns} ${turns === 1 ? 'turn' : 'turns'}, ${usage.totalTokens} tokens, ${price}`);
  process.exitCode = reason === 'done' ? 0 : 1;
} finally {
  await agent.close();
}
