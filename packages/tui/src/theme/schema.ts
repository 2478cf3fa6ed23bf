/** What is made from the list of roles for others to read: the JSON Schema of theme files, and the table in the docs. */
import { colourNames } from './colours.ts';
import { roleFacts } from './roles.ts';
import { styleSwitches } from './source.ts';

export function themeSchema(): Record<string, unknown> {
  const style = Object.fromEntries(styleSwitches.map((name) => [name, { type: 'boolean' }]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Theme of tau',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      name: { type: 'string', description: 'What the theme is chosen by. The name of the file if left out.' },
      kind: { enum: ['dark', 'light'], description: 'The background it is made for.' },
      extends: { type: 'string', description: 'The theme that says what this one does not.' },
      background: { type: 'string', description: 'The background the colours were chosen for. It is not painted.' },
      vars: {
        type: 'object',
        description: 'Names for colours.',
        additionalProperties: { $ref: '#/$defs/colour' },
      },
      colours: { $ref: '#/$defs/colours' },
      colors: { $ref: '#/$defs/colours' },
    },
    $defs: {
      colour: {
        anyOf: [
          { type: 'string', pattern: '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' },
          { type: 'integer', minimum: 0, maximum: 255 },
          { enum: ['default', ...colourNames()] },
          { type: 'string', description: 'A name of vars.' },
        ],
      },
      style: {
        type: 'object',
        additionalProperties: false,
        properties: { fg: { $ref: '#/$defs/colour' }, bg: { $ref: '#/$defs/colour' }, ...style },
      },
      colours: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(
          roleFacts.map(({ role, like, meaning }) => [
            role,
            {
              description: like === undefined ? meaning : `${meaning} Like ${like} if left out.`,
              anyOf: [{ $ref: '#/$defs/colour' }, { $ref: '#/$defs/style' }],
            },
          ]),
        ),
      },
    },
  };
}

export function rolesTable(): string {
  const rows = [
    ['role', 'is', 'if left out', 'for'],
    ...roleFacts.map(({ role, part, like, meaning }) => [
      `\`${role}\``,
      part,
      like === undefined ? '' : `\`${like}\``,
      meaning,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
