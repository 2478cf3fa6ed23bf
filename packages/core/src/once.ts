/** Made when it is first wanted, and kept: what a start does not need costs it nothing. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
