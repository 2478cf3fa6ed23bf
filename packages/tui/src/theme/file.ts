/** The text of a theme file, JSON with comments: what it says, and what is wrong with it, by line and column. */
import type { Node, ParseError } from 'jsonc-parser';
import { nearestName } from '../keys/nearest.ts';
import { isRole, type Role, roles } from './roles.ts';
import {
  type ColourValue,
  type Place,
  type StyleValue,
  styleColours,
  styleSwitches,
  type ThemeProblem,
  type ThemeSource,
} from './source.ts';

const maxLength = 256 * 1024;
const keys = ['$schema', 'name', 'kind', 'extends', 'background', 'vars', 'colours', 'colors'];

/** What a file says so far, and how to say what is wrong with it. */
interface Reading {
  places: Map<string, Place>;
  placeOf(node: Node): Place;
  problem(message: string, at: Node): void;
}

interface Property {
  name: string;
  key: Node;
  value: Node;
}

/** No source if the file holds no theme at all; what is wrong with a part leaves out that part. */
export async function parseTheme(
  text: string,
  file: string,
): Promise<{ source: ThemeSource | undefined; problems: ThemeProblem[] }> {
  const problems: ThemeProblem[] = [];
  const refuse = (message: string, place?: Place) => {
    problems.push({ message, file, ...(place ? { place } : {}) });
    return { source: undefined, problems };
  };
  if (text.length > maxLength) return refuse(`The file is too long for a theme: more than ${maxLength / 1024} KB.`);
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const placeAt = placesIn(text);
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const broken = errors[0];
  if (broken) return refuse(`This is not valid JSON: ${printParseErrorCode(broken.error)}.`, placeAt(broken.offset));
  if (root?.type !== 'object') return refuse('A theme is an object: { "name": …, "colours": { … } }.', placeAt(0));
  const reading: Reading = {
    places: new Map(),
    placeOf: (node) => placeAt(node.offset),
    problem: (message, at) => problems.push({ message, file, place: placeAt(at.offset) }),
  };
  return { source: { ...readSource(root, file, reading), places: reading.places, file }, problems };
}

function readSource(root: Node, file: string, reading: Reading): ThemeSource {
  const source: ThemeSource = { name: nameOf(file) };
  for (const { name, key, value } of propertiesOf(root)) {
    reading.places.set(name, reading.placeOf(value));
    switch (name) {
      case '$schema':
        break;
      case 'name':
        source.name = readText(name, value, reading) ?? source.name;
        break;
      case 'extends':
      case 'background': {
        const said = readText(name, value, reading);
        if (said !== undefined) source[name] = said;
        break;
      }
      case 'kind':
        if (value.value === 'dark' || value.value === 'light') source.kind = value.value;
        else reading.problem('"kind" is "dark" or "light".', value);
        break;
      case 'vars':
        source.vars = readVars(value, reading);
        break;
      case 'colours':
      case 'colors':
        source.colours = readColours(value, reading);
        break;
      default:
        reading.problem(`A theme has no "${name}"${meant(name, keys)}.`, key);
    }
  }
  return source;
}

function readVars(node: Node, reading: Reading): Record<string, ColourValue> {
  const vars: Record<string, ColourValue> = {};
  for (const { name, value } of objectOf('vars', node, reading)) {
    reading.places.set(`vars.${name}`, reading.placeOf(value));
    const colour = readColour(value, reading);
    if (colour !== undefined) vars[name] = colour;
  }
  return vars;
}

function readColours(node: Node, reading: Reading): Partial<Record<Role, ColourValue | StyleValue>> {
  const colours: Partial<Record<Role, ColourValue | StyleValue>> = {};
  for (const { name, key, value } of objectOf('colours', node, reading)) {
    if (!isRole(name)) {
      reading.problem(`There is no role "${name}"${meant(name, roles)}.`, key);
      continue;
    }
    const path = `colours.${name}`;
    reading.places.set(path, reading.placeOf(value));
    const said = value.type === 'object' ? readStyle(path, value, reading) : readColour(value, reading);
    if (said !== undefined) colours[name] = said;
  }
  return colours;
}

function readStyle(path: string, node: Node, reading: Reading): StyleValue {
  const style: StyleValue = {};
  for (const { name, key, value } of propertiesOf(node)) {
    reading.places.set(`${path}.${name}`, reading.placeOf(value));
    const colour = styleColours.find((known) => known === name);
    const attribute = styleSwitches.find((known) => known === name);
    if (colour) {
      const said = readColour(value, reading);
      if (said !== undefined) style[colour] = said;
    } else if (attribute) {
      if (typeof value.value === 'boolean') style[attribute] = value.value;
      else reading.problem(`"${name}" is true or false.`, value);
    } else {
      reading.problem(`A style has no "${name}"${meant(name, [...styleColours, ...styleSwitches])}.`, key);
    }
  }
  return style;
}

function readColour(node: Node, reading: Reading): ColourValue | undefined {
  const value: unknown = node.value;
  if (typeof value === 'string' || typeof value === 'number') return value;
  reading.problem('A colour is a text such as "#7fb4ff" or "accent", or a number from 0 to 255.', node);
  return undefined;
}

function readText(name: string, node: Node, reading: Reading): string | undefined {
  const value: unknown = node.value;
  if (typeof value === 'string' && value !== '') return value;
  reading.problem(`"${name}" is a text.`, node);
  return undefined;
}

function objectOf(name: string, node: Node, reading: Reading): Property[] {
  if (node.type === 'object') return propertiesOf(node);
  reading.problem(`"${name}" is an object: { "name": colour, … }.`, node);
  return [];
}

function propertiesOf(node: Node): Property[] {
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    const name: unknown = key?.value;
    return key && value && typeof name === 'string' ? [{ name, key, value }] : [];
  });
}

/** A file without a name in it is known by its own. */
function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.jsonc?$/, '');
}

function meant(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function placesIn(text: string): (offset: number) => Place {
  return (offset) => {
    const before = text.slice(0, offset);
    const start = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, column: offset - start + 1 };
  };
}
