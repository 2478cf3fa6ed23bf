import type { Answer, Question, Reply, Tool, ToolInput, ToolResult } from '@tau/core';
import { createGate } from '@tau/engine';
import { decide } from '@tau/policy';
import { describe, expect, test } from 'vitest';
import { askUserTool } from '../src/ask-user.ts';
import { planEnterTool, planExitTool } from '../src/plan/plan.ts';
import { todoTool } from '../src/todo.ts';
import { toolSearchTool } from '../src/tool-search.ts';
import { shellIn } from './shell-in.ts';
import { textOf } from './workbench.ts';

interface Gated {
  call(input: ToolInput): Promise<ToolResult>;
  questions: Question[];
  asks: string[];
}

interface World {
  reply?: Reply;
  answer?: Answer;
  mode?(): 'default' | 'plan';
}

const scope = { roots: ['/w'], temp: ['/tmp'], toolchain: [], home: '/home/me', tauHome: '/home/me/.tau' };

/** A tool behind the real gate and the real policy. */
function gated(tool: Tool, world: World = {}): Gated {
  const {
    reply = { unattended: true },
    answer = { outcome: 'deny', unattended: true },
    mode = () => 'default',
  } = world;
  const questions: Question[] = [];
  const asks: string[] = [];
  const gate = createGate(
    {
      findTool: () => ({ tool, source: 'builtin' }),
      resolve: async (effects) => [...effects],
      beforeTool: () => undefined,
      decide: (call, source, effects) =>
        decide(call, source, effects, { mode: mode(), rules: [], scope, analyse: shellIn().analyse }),
      async ask(ask) {
        asks.push(ask.decision.reason);
        return answer;
      },
      async question(question) {
        questions.push(question);
        return reply;
      },
      checkpoint: async () => {},
      journal: async () => {},
      afterTool: async (_, result) => result,
      keep: async () => '',
      emit() {},
    },
    { cwd: '/w', resultChars: 100_000 },
  );
  const { signal } = new AbortController();
  const call = async (input: ToolInput) => {
    const checked = await gate.check({ type: 'toolCall', id: 'c', name: tool.name, arguments: input }, signal);
    return gate.execute(await gate.approve(checked, signal), signal);
  };
  return { call, questions, asks };
}

describe('todo', () => {
  const todos = [
    { task: 'look', status: 'completed' },
    { task: 'build', status: 'in_progress' },
    { task: 'test', status: 'pending' },
    { task: 'paint', status: 'cancelled' },
  ];

  test('the list comes back counted and marked, and as details', async () => {
    const { call, asks } = gated(todoTool());
    const result = await call({ todos });
    expect(textOf(result)).toBe('1 of 4 completed:\n[x] look\n[>] build\n[ ] test\n[-] paint');
    expect(result.details).toEqual({ todos });
    expect(asks).toEqual([]);
  });

  test.each([
    ['Claude Code', { todos: [{ content: 'look', status: 'pending', activeForm: 'Looking' }] }],
    ['opencode', { todos: [{ id: '1', content: 'look', status: 'pending', priority: 'high' }] }],
    ['Codex', { explanation: 'why', plan: [{ step: 'look', status: 'pending' }] }],
    ['a model that sends text', { todos: '[{"task":"look","status":"pending"}]' }],
  ])('the list as %s writes it is understood', async (_, input) => {
    const result = await gated(todoTool()).call(input);
    expect(result).toMatchObject({ details: { todos: [{ task: 'look', status: 'pending' }] } });
    expect(textOf(result)).toBe('0 of 1 completed:\n[ ] look');
  });

  test('an unknown status is refused', async () => {
    const result = await gated(todoTool()).call({ todos: [{ task: 'a', status: 'maybe' }] });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('status');
  });

  test('an empty list is a list', async () => {
    expect(textOf(await gated(todoTool()).call({ todos: [] }))).toBe('The todo list is empty.');
  });
});

describe('ask_user', () => {
  const question = 'Which one?';

  test('the user’s answers go back to the model', async () => {
    const { call, questions } = gated(askUserTool(), { reply: { answers: ['A', 'and more'] } });
    const options = [{ label: 'A', description: 'the first' }, 'B'];
    expect(textOf(await call({ question, options, multi_select: true }))).toBe('The user answered: A, and more');
    expect(questions).toEqual([
      { question, options: [{ label: 'A', description: 'the first' }, { label: 'B' }], multiSelect: true },
    ]);
  });

  test('when nobody is there it is an error that says what to do', async () => {
    const result = await gated(askUserTool()).call({ question });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('Nobody is there to answer: decide yourself, and say in your answer what you assumed.');
  });

  test('a user who will not say is no error', async () => {
    const result = await gated(askUserTool(), { reply: { declined: true } }).call({ question });
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain('The user would not answer');
    expect(textOf(await gated(askUserTool(), { reply: { answers: [] } }).call({ question }))).toContain(
      'chose nothing',
    );
  });

  test('several questions in another agent’s form are asked one after another', async () => {
    const { call, questions } = gated(askUserTool(), { reply: { answers: ['yes'] } });
    const one = { question: 'First?', header: 'One', multiSelect: true, options: [{ label: 'yes', description: 'y' }] };
    const result = await call({ questions: [one, { ...one, question: 'Second?', multiSelect: false }] });
    expect(textOf(result)).toBe('First?\nThe user answered: yes\n\nSecond?\nThe user answered: yes');
    expect(questions.map(({ question: asked, multiSelect }) => [asked, multiSelect])).toEqual([
      ['First?', true],
      ['Second?', false],
    ]);
  });

  test('when nobody is there only the first of several is asked', async () => {
    const { call, questions } = gated(askUserTool());
    await call({ question, more: [{ question: 'And?' }] });
    expect(questions).toHaveLength(1);
  });

  test('a call without a question is refused', async () => {
    expect(await gated(askUserTool()).call({ options: ['a'] })).toMatchObject({ isError: true });
    expect(await gated(askUserTool()).call({ questions: [] })).toMatchObject({ isError: true });
  });
});

describe('plan mode', () => {
  function planning(active: boolean) {
    const state = { active };
    return {
      state,
      mode: () => (state.active ? ('plan' as const) : ('default' as const)),
      plan: {
        active: () => state.active,
        enter() {
          state.active = true;
        },
        leave() {
          state.active = false;
        },
        weigh: async (rules: readonly string[]) => ({
          allowed: rules.filter((rule) => rule.startsWith('bash(')),
          ignored: rules.filter((rule) => !rule.startsWith('bash(')),
        }),
      },
    };
  }

  test('is entered without asking', async () => {
    const { plan, state, mode } = planning(false);
    const { call, asks } = gated(planEnterTool(plan), { mode });
    expect(textOf(await call({ description: 'a big change', steps: ['x'] }))).toMatch(/^Plan mode is on\./);
    expect(state.active).toBe(true);
    expect(textOf(await call({}))).toBe('Plan mode is on already.');
    expect(asks).toEqual([]);
  });

  test('is entered with steps, which are the todo list unless nobody wants one', async () => {
    const { plan, mode } = planning(false);
    const { call } = gated(planEnterTool(plan), { mode });
    const tracked = await call({ reason: 'big', steps: ['one', 'two'], allowed_prompts: ['bash(x)'] });
    expect(textOf(tracked)).toMatch(/^Plan mode is on\..*\nThe todo list:\n\[ \] one\n\[ \] two$/);
    expect(tracked.details).toMatchObject({ todos: [{ task: 'one', status: 'pending' }, { task: 'two' }] });
    const untracked = await call({ steps: ['one'], enable_tracking: false });
    expect(textOf(untracked)).toBe('Plan mode is on already.\n- one');
    expect(untracked.details).toEqual({ steps: ['one'] });
  });

  test('ends with the rules that the plan needs, in whatever form the model gives them', async () => {
    const { plan, mode } = planning(true);
    const { call, asks } = gated(planExitTool(plan), { mode, answer: { outcome: 'allow' } });
    const allowedPrompts = [{ tool: 'Bash', prompt: 'npm test' }, 'Edit(src/a.ts)', { tool: 'Read' }];
    const result = await call({ plan: 'x', allowedPrompts });
    expect(asks).toHaveLength(1);
    expect(textOf(result).split('\n')).toEqual([
      'The user approved the plan: carry it out.',
      'Allowed for this session: bash(npm test).',
      'Not allowed ahead, but asked about as usual: edit(src/a.ts), read.',
    ]);
  });

  test('ends when the user approves the plan', async () => {
    const { plan, state, mode } = planning(true);
    const { call, asks } = gated(planExitTool(plan), { mode, answer: { outcome: 'allow' } });
    const result = await call({ plan: '1. do it', allowedPrompts: [] });
    expect(textOf(result)).toBe('The user approved the plan: carry it out.');
    expect(result.details).toEqual({ plan: '1. do it' });
    expect(state.active).toBe(false);
    expect(asks).toHaveLength(1);
  });

  test('goes on when the user says no, and the model hears why', async () => {
    const { plan, state, mode } = planning(true);
    const answer: Answer = { outcome: 'deny', feedback: 'think of the tests' };
    const result = await gated(planExitTool(plan), { mode, answer }).call({ plan: 'x' });
    expect(textOf(result)).toBe('The user said no: think of the tests');
    expect(state.active).toBe(true);
  });

  test('goes on when nobody is there, and the plan is to be the answer', async () => {
    const { plan, state, mode } = planning(true);
    const result = await gated(planExitTool(plan), { mode }).call({ plan: 'x' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('give the plan as your answer');
    expect(state.active).toBe(true);
  });

  test('cannot be left when it is not on, and nobody is asked', async () => {
    const { plan, mode } = planning(false);
    const { call, asks } = gated(planExitTool(plan), { mode, answer: { outcome: 'allow' } });
    const result = await call({ plan: 'x' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Not in plan mode/);
    expect(asks).toEqual([]);
  });
});

describe('tool_search', () => {
  const tools = [
    { name: 'web_fetch', snippet: 'read a web page, PDF or file by its URL' },
    { name: 'todo', snippet: 'keep a todo list for a long job' },
    { name: 'mcp__github__create_issue', snippet: 'open an issue in a repository' },
  ];

  function searching(list = tools) {
    const offered: string[][] = [];
    const tool = toolSearchTool({ list: () => list, offer: (names) => void offered.push([...names]) });
    return { tool, offered, call: gated(tool).call };
  }

  test.each([
    ['read a web page', ['web_fetch']],
    ['todo', ['todo']],
    ['WebFetch', ['web_fetch']],
    ['github issue', ['mcp__github__create_issue']],
    ['fetching pages', ['web_fetch']],
    ['select:todo, WebFetch', ['web_fetch', 'todo']],
    ['select:mcp__github__create_issue', ['mcp__github__create_issue']],
  ])('%s finds %j', async (query, names) => {
    const { call, offered } = searching();
    const text = textOf(await call({ query }));
    expect(offered).toEqual([names]);
    for (const name of names) expect(text).toContain(`- ${name}: `);
    expect(text).toContain('from your next turn on');
  });

  test('where nothing fits, it says what there is and offers nothing', async () => {
    const { call, offered } = searching();
    expect(textOf(await call({ query: 'rocket launcher' }))).toBe(
      'Nothing fits. There are: web_fetch, todo, mcp__github__create_issue.',
    );
    expect(textOf(await call({ query: 'select:read' }))).toMatch(/^Nothing fits/);
    expect(textOf(await searching([]).call({ query: 'x' }))).toBe('Nothing fits. There are: no more tools.');
    expect(offered).toEqual([]);
  });

  test('its description names what there is now, and stays short whatever there is', () => {
    expect(searching().tool.description).toBe('Get more tools: web_fetch, todo, mcp__github__create_issue.');
    const many = Array.from({ length: 500 }, (_, at) => ({ name: `tool_${at}`, snippet: 'x' }));
    expect(searching(many).tool.description).toMatch(/tool_19 and 480 others\.$/);
  });

  test('it offers no more than a few', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `page_${at}`, snippet: 'a page' }));
    const { call, offered } = searching(many);
    await call({ query: 'page' });
    expect(offered[0]).toHaveLength(5);
  });
});
