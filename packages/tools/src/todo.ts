/** `todo`: the list of what is to be done. Each call replaces it; the conversation holds it, so nothing is kept here. */
import { type Tool, type ToolInput, textResult } from '@tau/core';
import { optionalObjects, text } from './input.ts';

const marks: Readonly<Record<string, string>> = { pending: ' ', in_progress: '>', completed: 'x', cancelled: '-' };

interface Todo {
  task: string;
  status: string;
}

export function todoTool(): Tool {
  return {
    name: 'todo',
    description: 'Replace the todo list of this job. Send the whole list each time.',
    snippet: 'keep a todo list for a long job',
    guidelines: ['For a job of several steps keep a todo list: one task in progress, completed as soon as it is done.'],
    deferred: true,
    parameters: {
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          maxItems: 100,
          items: {
            type: 'object',
            properties: {
              task: { type: 'string', maxLength: 500 },
              status: { enum: Object.keys(marks) },
            },
            required: ['task', 'status'],
          },
        },
      },
      required: ['todos'],
      additionalProperties: false,
    },
    aliases: { plan: 'todos', items: 'todos', content: 'task', step: 'task', title: 'task' },
    prepare: ({ explanation: _, ...input }: ToolInput) => input,
    effects: () => [],
    async run(input) {
      const todos = (optionalObjects(input, 'todos') ?? []).map(
        (one): Todo => ({ task: text(one, 'task'), status: text(one, 'status') }),
      );
      if (todos.length === 0) return textResult('The todo list is empty.', { todos });
      const completed = todos.filter(({ status }) => status === 'completed').length;
      return textResult([`${completed} of ${todos.length} completed:`, ...todoLines(todos)].join('\n'), { todos });
    },
  };
}

export function todoLines(todos: readonly Todo[]): string[] {
  return todos.map(({ task, status }) => `[${marks[status] ?? '?'}] ${task}`);
}
