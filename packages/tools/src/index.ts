/** The built-in tools: read, write, edit, bash. */
export { builtinTools } from './builtin.ts';
