/** Things to choose from. */
import { createSelectList, type SelectItem } from '../../src/lists/select-list.ts';
import { createSettingsList } from '../../src/lists/settings-list.ts';
import { createTable } from '../../src/lists/table.ts';
import { createTree } from '../../src/lists/tree.ts';
import type { Page } from '../kit.ts';

const planets: readonly SelectItem<string>[] = [
  ['Mercury', 'Nearest to the sun', 'Rock'],
  ['Venus', 'Hot under its clouds', 'Rock'],
  ['Earth', 'Known to have terminals', 'Rock'],
  ['Mars', 'Red', 'Rock'],
  ['Jupiter', 'The largest', 'Gas'],
  ['Saturn', 'With rings', 'Gas'],
  ['Uranus', 'On its side', 'Ice'],
  ['Neptune', 'Windy', 'Ice'],
  ['Pluto', undefined, 'Ice'],
].map(([label = '', description, group = '']) => ({
  value: label,
  label,
  group,
  ...(description === undefined ? { disabled: 'Not a planet any more' } : { description }),
}));

const select: Page = {
  title: 'Select',
  make: ({ theme, keys, say }) =>
    createSelectList({
      theme,
      keys,
      items: planets,
      filter: true,
      height: 9,
      onSelect: ([chosen]) => say(`Chosen: ${chosen}`),
    }),
};

const several: Page = {
  title: 'Several',
  make: ({ theme, keys, say }) =>
    createSelectList({
      theme,
      keys,
      items: planets.map(({ group: _, ...item }) => item),
      multiple: true,
      checked: ['Earth'],
      onSelect: (chosen) => say(`Chosen: ${chosen.join(', ')}`),
    }),
};

const settings: Page = {
  title: 'Settings',
  make: ({ theme, keys, say }) =>
    createSettingsList({
      theme,
      keys,
      filter: true,
      settings: [
        { id: 'sound', label: 'Sound', value: 'off', values: ['off', 'on'], description: 'Whether anything is heard.' },
        {
          id: 'size',
          label: 'Size',
          value: 'medium',
          values: ['small', 'medium', 'large'],
          description: 'How large it is.',
        },
        {
          id: 'planet',
          label: 'Home planet',
          value: 'Earth',
          description: 'Opens a list of its own.',
          submenu: (value, done) =>
            createSelectList({
              theme,
              keys,
              items: planets,
              selected: value,
              onSelect: ([chosen]) => done(chosen),
              onCancel: () => done(),
            }),
        },
      ],
      onChange: (id, value) => say(`${id} is ${value} now`),
    }),
};

const tree: Page = {
  title: 'Tree',
  make: ({ theme, keys, say }) => {
    const groups = [...new Set(planets.map(({ group = '' }) => group))];
    return createTree({
      theme,
      keys,
      filter: true,
      roots: [
        {
          value: 'sun',
          label: 'Sun',
          children: groups.map((group) => ({
            value: group,
            label: group,
            children: planets
              .filter((planet) => planet.group === group)
              .map(({ value, label, description = '' }) => ({ value, label, detail: description })),
          })),
        },
      ],
      onSelect: (value) => say(`Chosen: ${value}`),
    });
  },
};

const table: Page = {
  title: 'Table',
  make: ({ theme }) =>
    createTable({
      theme,
      columns: [
        { title: 'Planet', priority: 3, role: 'accent' },
        { title: 'Moons', align: 'right', priority: 2, min: 5 },
        { title: 'About', wrap: true, priority: 1, min: 12 },
        { title: 'Year in days', align: 'right', min: 6 },
      ],
      rows: [
        ['Mercury', '0', 'Nearest to the sun, and fast', '88'],
        ['Earth', '1', 'Has oceans, forests and terminals', '365'],
        ['Mars', '2', 'Red, cold and dry', '687'],
        ['Jupiter', '95', 'The largest, with a storm older than any program', '4333'],
      ],
    }),
};

export const listPages: readonly Page[] = [select, several, settings, tree, table];
