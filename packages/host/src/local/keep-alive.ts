/** Whether something keeps the process alive. The types of streams do not tell that pipes have a say in it. */
export function keepAlive(one: object | null | undefined, what: 'ref' | 'unref'): void {
  const method = one && what in one ? Reflect.get(one, what) : undefined;
  if (typeof method === 'function') method.call(one);
}
