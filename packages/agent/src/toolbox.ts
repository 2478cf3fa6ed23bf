/**
 * The tools of an agent: those there are, those the user lets it have, and those the model is offered now. What is not
 * needed by most conversations waits until it is looked for, because every request pays for each tool it names.
 */
import { nearest, type RegisteredTool, TauError, type ToolSpec } from '@tau/core';
import { toolName } from '@tau/policy';

/** The least that is enough. */
const minimalTools: readonly string[] = ['read', 'write', 'edit', 'bash'];

export interface ToolWish {
  /** Only these; also those that wait otherwise. */
  only?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  /** None of those that tau brings. */
  builtin?: boolean | undefined;
  /** Offered from the start although they could wait: the model was trained on them, or had them before. */
  offered?: readonly string[] | undefined;
}

export interface Toolbox {
  /** What the next request names, in a fixed order: new ones come last, so that what was sent before stays as it was. */
  specs(): readonly ToolSpec[];
  names(): string[];
  /** By our name or by another agent's. */
  find(name: string): RegisteredTool | undefined;
  /** Those that wait. */
  waiting(): RegisteredTool[];
  /** From the next request on. Says which of them are new. */
  offer(names: readonly string[]): string[];
  /** A sentence for each name that means no tool. */
  problems: readonly string[];
}

const searchTool = 'tool_search';

export function createToolbox(all: readonly RegisteredTool[], wish: ToolWish): Toolbox {
  const { only, exclude = [], builtin = true, offered = [] } = wish;
  const known = all.map(({ tool }) => tool.name);
  const problems: string[] = [];
  const named = (names: readonly string[]) => {
    const found = new Set<string>();
    for (const name of names) {
      const own = known.includes(name) ? name : toolName(name);
      if (known.includes(own)) found.add(own);
      else problems.push(unknownTool(name, known));
    }
    return found;
  };
  const wanted = only && named(only);
  const unwanted = named(exclude);
  const available = new Map(
    all
      .filter(({ tool, source }) => (builtin || source !== 'builtin') && !unwanted.has(tool.name))
      .filter(({ tool }) => wanted === undefined || wanted.has(tool.name))
      .map((registered) => [registered.tool.name, registered]),
  );
  const active = new Set<string>();
  /** As they were first told: one that speaks of others (`tool_search`) must not change what was sent before. */
  const told = new Map<string, ToolSpec>();
  const waiting = () => [...available.values()].filter(({ tool }) => !active.has(tool.name));

  function offer(names: readonly string[]): string[] {
    const fresh = names.filter((name) => available.has(name) && !active.has(name));
    for (const name of fresh) active.add(name);
    return fresh;
  }

  offer([...available.values()].filter(({ tool }) => wanted || !tool.deferred).map(({ tool }) => tool.name));
  offer(offered);
  // Looking for more is no use when there is no more.
  if (!wanted?.has(searchTool) && waiting().length === 0) active.delete(searchTool);

  function specs(): ToolSpec[] {
    for (const name of active) {
      const found = available.get(name);
      if (found && !told.has(name)) told.set(name, specOf(found));
    }
    return [...told.values()];
  }

  return {
    specs,
    names: () => [...active],
    find: (name) => available.get(name) ?? available.get(toolName(name)),
    waiting,
    offer,
    problems,
  };
}

function specOf({ tool: { name, description, parameters } }: RegisteredTool): ToolSpec {
  return { name, description, parameters };
}

function unknownTool(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `There is no tool "${name}"${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** `minimal`, `default`, or names. A list on the command line is wrong as a whole when a part of it is. */
export function toolNames(wish: readonly string[] | string | undefined): readonly string[] | undefined {
  if (wish === undefined || wish === 'default' || (wish.length === 1 && wish[0] === 'default')) return undefined;
  if (wish === 'minimal') return minimalTools;
  return typeof wish === 'string' ? [wish] : wish.flatMap((one) => (one === 'minimal' ? minimalTools : [one]));
}

export function refuseUnknown(problems: readonly string[]): void {
  const [first] = problems;
  if (first !== undefined) throw new TauError('usage', first, { remedy: 'tau --help names the tools there are' });
}
