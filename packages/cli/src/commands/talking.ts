/** Commands about who answers, how hard it thinks, and what waits to be heard. */
import { listModels, noProvider, TauError, thinkingLevels } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';
import { type Command, type CommandWorld, oneOf } from './command.ts';

export const talkingCommands: readonly Command[] = [
  {
    ...{ name: 'model', argument: '[NAME]', help: 'which model answers, or another from now on', panel: 'model' },
    choices: () => readyModels(),
    run: model,
  },
  {
    ...{
      name: 'thinking',
      aliases: ['effort'],
      argument: '[LEVEL]',
      help: `how hard it thinks: ${thinkingLevels.join(', ')}`,
    },
    ...{ panel: 'thinking', choices: () => thinkingLevels, run: thinking },
  },
  {
    ...{ name: 'scoped-models', help: 'which models the keys for the next one go through', panel: 'scope' },
    ...{ needsScreen: true, run: (_, world) => scoped(world) },
  },
  { name: 'tools', help: 'what the model may use', run: (_, { agent }) => agent.tools.join(' ') || 'no tools' },
  {
    name: 'queue',
    help: 'what you said that waits to be heard',
    run: (_, { waiting }) => listed(waiting(), 'Nothing waits.'),
  },
  {
    name: 'clear-queue',
    help: 'take back what waits',
    run: (_, { clearWaiting }) => listed(clearWaiting(), 'Nothing waited.', 'Taken back:'),
  },
  { name: 'cost', help: 'tokens and money so far', run: (_, { spent }) => spent() },
];

async function model(argument: string, { agent }: CommandWorld): Promise<string> {
  if (argument === '' && agent.model.provider === noProvider)
    return 'No model can be asked yet. tau auth set PROVIDER keeps a key; tau models --all lists them.';
  if (argument === '') return choices(labelOf(agent.model), await readyModels());
  await agent.setModel(/^\d+$/.test(argument) ? numbered(await readyModels(), Number(argument)) : argument);
  return `Now ${labelOf(agent.model)}.`;
}

/** Those that can be asked now, in the order in which they are shown. */
async function readyModels(): Promise<string[]> {
  const { models } = await listModels({ env: process.env, cwd: process.cwd() });
  return models.map(labelOf);
}

const maxModels = 30;

function choices(now: string, ready: readonly string[]): string {
  const rows = ready
    .slice(0, maxModels)
    .map((one, at) => `${one === now ? '*' : ' '} ${String(at + 1).padStart(3)}  ${visibleLine(one)}`);
  const more = ready.length > maxModels ? [`  and ${ready.length - maxModels} more: tau models lists them`] : [];
  return [`${now} answers. /model and a number or a name changes to another:`, ...rows, ...more].join('\n');
}

function numbered(ready: readonly string[], number: number): string {
  const found = ready[number - 1];
  if (found !== undefined) return found;
  throw new TauError('usage', `There is no model number ${number}`, { remedy: '/model lists them' });
}

export const labelOf = ({ provider, id }: { provider: string; id: string }) =>
  provider === noProvider ? 'no model' : `${provider}/${id}`;

function thinking(argument: string, { agent }: CommandWorld): string {
  if (argument !== '') agent.setThinking(oneOf(thinkingLevels, argument, 'level'));
  return `thinking: ${agent.thinking ?? "the model's own"}`;
}

/** Only where there is none to choose from: else they are shown to be marked. */
function scoped({ agent }: CommandWorld): string {
  const { cycleModels } = agent.settings;
  return cycleModels === undefined ? 'all that are ready' : listed(cycleModels, 'none');
}

function listed(texts: readonly string[], none: string, title?: string): string {
  if (texts.length === 0) return none;
  return [...(title === undefined ? [] : [title]), ...texts.map((text) => `◷ ${visibleLine(text)}`)].join('\n');
}
