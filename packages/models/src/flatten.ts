/**
 * A stream of batches as a stream of items. By hand, because an async generator makes several promises an item, and a
 * long answer has tens of thousands of them.
 */
export function flatten<T extends object>(batches: AsyncGenerator<readonly T[], void>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let batch: readonly T[] = [];
      let at = 0;

      function take(): IteratorResult<T, undefined> | undefined {
        const value = batch[at];
        at += 1;
        return value && { done: false, value };
      }

      async function refill(): Promise<IteratorResult<T, undefined>> {
        for (;;) {
          const next = await batches.next();
          if (next.done) return { done: true, value: undefined };
          batch = next.value;
          at = 0;
          const item = take();
          if (item) return item;
        }
      }

      return {
        next() {
          const item = take();
          return item ? Promise.resolve(item) : refill();
        },
        async return() {
          await batches.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
