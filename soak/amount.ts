/** How much of it: from the environment, so that a night can have more of it than a coffee break. */
export function amount(name: string, usual: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${name} must be a whole number above zero, not "${text}"`);
}

export function report(what: string, figures: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
}
