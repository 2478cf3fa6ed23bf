/** `tool_search`: finds the tools that are not offered from the start, and has them offered from the next turn on. */
import { type Tool, textResult } from '@tau/core';
import { toolName } from '@tau/policy';
import { text } from './input.ts';

/** The tools that wait to be asked for. */
export interface OnDemand {
  list(): readonly OnDemandTool[];
  offer(names: readonly string[]): void;
}

interface OnDemandTool {
  name: string;
  snippet: string;
}

const maxFound = 5;
/** Its description is in every request: so many names and no more. */
const maxNames = 20;

export function toolSearchTool(onDemand: OnDemand): Tool {
  return {
    name: 'tool_search',
    // Asked for when the request is made: extensions register after this.
    get description() {
      const names = onDemand.list().map(({ name }) => name);
      const more = names.length > maxNames ? ` and ${names.length - maxNames} others` : '';
      return `Get more tools: ${names.slice(0, maxNames).join(', ')}${more}.`;
    },
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'what for, or select:name,name' } },
      required: ['query'],
      additionalProperties: false,
    },
    effects: () => [],
    async run(input) {
      const tools = onDemand.list();
      const found = find(text(input, 'query'), tools);
      const offered = found.map(({ name }) => name);
      if (found.length === 0) {
        const names = tools.map(({ name }) => name).join(', ');
        return textResult(`Nothing fits. There are: ${names === '' ? 'no more tools' : names}.`, { offered });
      }
      onDemand.offer(offered);
      const lines = found.map(({ name, snippet }) => `- ${name}: ${snippet}`);
      const next = 'You can call them from your next turn on; their parameters come with it.';
      return textResult([...lines, next].join('\n'), { offered });
    },
  };
}

function find(query: string, tools: readonly OnDemandTool[]): OnDemandTool[] {
  const selected = /^\s*select:(.*)$/s.exec(query)?.[1];
  if (selected !== undefined) {
    const names = new Set(selected.split(',').map((name) => toolName(name.trim())));
    return tools.filter(({ name }) => names.has(toolName(name)));
  }
  const words = wordsOf(query);
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, words, toolName(query.trim())) }));
  const fitting = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return fitting.slice(0, maxFound).map(({ tool }) => tool);
}

/** A word of the name counts more than one of what is said about it; the name itself counts most. */
function scoreOf({ name, snippet }: OnDemandTool, words: readonly string[], wanted: string): number {
  if (toolName(name) === wanted) return 100;
  const named = wordsOf(name);
  const told = wordsOf(snippet);
  return words.reduce((score, word) => {
    if (named.includes(word)) return score + 5;
    if (told.includes(word)) return score + 2;
    return score + ([...named, ...told].some((one) => areKin(one, word)) ? 1 : 0);
  }, 0);
}

/** `fetching` and `fetch`, `page` and `pages`. */
function areKin(a: string, b: string): boolean {
  return Math.min(a.length, b.length) > 3 && (a.startsWith(b) || b.startsWith(a));
}

/** Words that say nothing about a tool. */
const fillers = new Set(['a', 'an', 'the', 'to', 'of', 'for', 'and', 'or', 'by', 'in', 'it', 'its', 'i', 'tool']);

function wordsOf(said: string): string[] {
  const words = said.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '' && !fillers.has(word));
}
