/** What extensions register, and how their hooks see a call. */
import {
  type BeforeToolVerdict,
  type Extension,
  type GateCall,
  TauError,
  type Tool,
  textResult,
  userMessage,
} from '@tau/core';
import { describe, expect, test } from 'vitest';
import { loadExtensions, type Origin } from '../src/index.ts';

const call: GateCall = { id: 'c', toolName: 'read', input: { path: 'a' } };

function tool(name: string, description = name): Tool {
  return { name, description, parameters: {}, effects: () => [], run: async () => textResult(name) };
}

function from(name: string, register: Extension['register'], source: Origin['source'] = 'extension'): Origin {
  return { extension: { name, register }, source };
}

type Before = (call: GateCall) => BeforeToolVerdict | Promise<BeforeToolVerdict>;

/** One extension for each hook: e0, e1, … */
async function before(...hooks: Before[]) {
  const registry = await loadExtensions(hooks.map((hook, at) => from(`e${at}`, (api) => api.beforeTool(hook))));
  return (given: GateCall = call) => registry.beforeTool(given);
}

describe('tools', () => {
  test('come in the order of their registration and remember who brought them', async () => {
    const registry = await loadExtensions([
      from('tau', (api) => ['read', 'bash'].forEach((name) => void api.tool(tool(name))), 'builtin'),
      from('mine', (api) => api.tool(tool('deploy'))),
      from('server', (api) => api.tool(tool('mcp__a__b')), 'mcp'),
    ]);
    expect(registry.tools().map(({ tool: { name }, source }) => `${source} ${name}`)).toEqual([
      'builtin read',
      'builtin bash',
      'extension deploy',
      'mcp mcp__a__b',
    ]);
  });

  test('are found by their exact name only', async () => {
    const read = tool('read');
    const registry = await loadExtensions([from('tau', (api) => api.tool(read), 'builtin')]);
    expect(registry.findTool('read')).toMatchObject({ tool: read, source: 'builtin' });
    for (const name of ['Read', 'rea', '', 'constructor', '__proto__']) expect(registry.findTool(name)).toBeUndefined();
  });

  test('of slow extensions keep their place: one registers after the other', async () => {
    const order: string[] = [];
    const slow = (name: string): Origin =>
      from(name, async (api) => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        api.tool(tool(name));
        order.push(`${name} ends`);
      });
    const registry = await loadExtensions([slow('a'), slow('b')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(registry.tools().map(({ tool: { name } }) => name)).toEqual(['a', 'b']);
  });

  test('of the same name are an error that names both extensions', async () => {
    const loading = loadExtensions([
      from('first', (api) => api.tool(tool('read'))),
      from('second', (api) => api.tool(tool('read'))),
    ]);
    const error: unknown = await loading.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TauError);
    expect(error).toMatchObject({
      code: 'configuration',
      message: 'The tool "read" comes from both first and second',
      remedy: expect.stringContaining('rename'),
    });
  });

  test('cannot take the name of a built-in one', async () => {
    const loading = loadExtensions([
      from('tau', (api) => api.tool(tool('bash')), 'builtin'),
      from('mine', (api) => api.tool(tool('bash'))),
    ]);
    await expect(loading).rejects.toThrow('both tau and mine');
  });

  test('the list that was handed out is not the registry', async () => {
    const registry = await loadExtensions([from('tau', (api) => api.tool(tool('read')))]);
    registry.tools().pop();
    expect(registry.tools()).toHaveLength(1);
  });
});

test('an extension that fails to register is named', async () => {
  const loading = loadExtensions([
    from('shaky', () => {
      throw new Error('no config');
    }),
  ]);
  await expect(loading).rejects.toThrow(/shaky.*no config/);
});

describe('before a call', () => {
  test('nothing to say is no verdict', async () => {
    expect(await (await before())()).toBeUndefined();
    expect(
      await (
        await before(
          () => undefined,
          async () => undefined,
        )
      )(),
    ).toBeUndefined();
  });

  test('the first block wins and the hooks after it are not asked', async () => {
    const asked: number[] = [];
    const verdict = await before(
      () => void asked.push(0),
      () => {
        asked.push(1);
        return { block: 'not today' };
      },
      () => {
        asked.push(2);
        return { block: 'never' };
      },
    );
    expect(await verdict()).toEqual({ block: 'not today' });
    expect(asked).toEqual([0, 1]);
  });

  test('a block without words is still a block', async () => {
    expect(await (await before(() => ({ block: '' })))()).toEqual({ block: '' });
  });

  test('a changed input is what the next hook sees, and what comes out', async () => {
    const seen: GateCall[] = [];
    const verdict = await before(
      (given) => ({ input: { ...given.input, first: true } }),
      async (given) => {
        seen.push(given);
        return undefined;
      },
      (given) => ({ input: { ...given.input, third: true } }),
    );
    expect(await verdict()).toEqual({ input: { path: 'a', first: true, third: true } });
    expect(seen).toEqual([{ id: 'c', toolName: 'read', input: { path: 'a', first: true } }]);
    expect(call).toEqual({ id: 'c', toolName: 'read', input: { path: 'a' } });
  });

  test('a block after a change is a block', async () => {
    const verdict = await before(
      () => ({ input: {} }),
      () => ({ block: 'no' }),
    );
    expect(await verdict()).toEqual({ block: 'no' });
  });

  test.each<[string, Before]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('a hook that %s blocks, is named, and the hooks after it are not asked', async (_, hook) => {
    let asked = 0;
    const verdict = await before(
      () => ({ input: {} }),
      hook,
      () => {
        asked += 1;
        return undefined;
      },
    );
    expect(await verdict()).toEqual({ block: 'a hook of e1 failed: broken' });
    expect(asked).toBe(0);
  });

  test('a hook cannot change the call in place, past the checks that a changed input gets', async () => {
    const given = { ...call, input: { path: 'a', deep: { list: [1] } } };
    const verdict = await before(({ input }) => {
      input.path = '/etc/passwd';
      Object.assign(input.deep ?? {}, { list: [] });
      return undefined;
    });
    await verdict(given);
    expect(given.input).toEqual({ path: 'a', deep: { list: [1] } });
  });
});

describe('after a call', () => {
  test('each hook sees the result of the one before, in order', async () => {
    const seen: string[] = [];
    const add = (word: string): Origin =>
      from(word, (api) =>
        api.afterTool(async (given, result) => {
          seen.push(`${word} ${given.toolName} ${JSON.stringify(result.content)}`);
          return textResult(word);
        }),
      );
    const registry = await loadExtensions([add('one'), add('two')]);
    expect(await registry.afterTool(call, textResult('zero'))).toEqual(textResult('two'));
    expect(seen).toEqual(['one read [{"type":"text","text":"zero"}]', 'two read [{"type":"text","text":"one"}]']);
  });

  test('without hooks the result is the same one', async () => {
    const registry = await loadExtensions([]);
    const result = textResult('x');
    expect(await registry.afterTool(call, result)).toBe(result);
  });

  test('a hook that throws is named, and no result is made up', async () => {
    const registry = await loadExtensions([
      from('shaky', (api) =>
        api.afterTool(() => {
          throw new Error('broken');
        }),
      ),
    ]);
    await expect(registry.afterTool(call, textResult('x'))).rejects.toThrow(/shaky.*broken/);
  });
});

describe('what is said', () => {
  test('each hook sees what the one before it made of the conversation, and nobody costs nothing', async () => {
    const first: Extension['register'] = (api) => api.transformContext((messages) => messages.slice(1));
    const second: Extension['register'] = (api) =>
      api.transformContext(async (messages) => [...messages, userMessage(`${messages.length}`, 0)]);
    const registry = await loadExtensions([from('one', first), from('two', second)]);
    expect(await registry.transform?.([userMessage('a', 0), userMessage('b', 0)])).toEqual([
      userMessage('b', 0),
      userMessage('1', 0),
    ]);
    expect((await loadExtensions([])).transform).toBeUndefined();
  });

  test('the first hook with words keeps the run from stopping', async () => {
    const stop = (words: string | undefined) => from('x', (api) => api.beforeStop((answer) => words && answer + words));
    const registry = await loadExtensions([stop(undefined), stop(' more'), stop(' never')]);
    expect(await registry.beforeStop?.('go')).toBe('go more');
    expect((await loadExtensions([])).beforeStop).toBeUndefined();
  });

  test('an extension speaks through the agent', async () => {
    const heard: unknown[] = [];
    const extension = from('x', (api) => {
      api.say('hi', 'followUp');
      api.status('build', 'green');
    });
    const hear = (...words: unknown[]) => void heard.push(words);
    await loadExtensions([extension], { say: hear, status: hear });
    expect(heard).toEqual([
      ['hi', 'followUp'],
      ['x: build', 'green'],
    ]);
  });
});
