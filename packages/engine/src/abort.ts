/** Abort signals that hang below another, and waiting that ends when one fires. */

export interface Branch {
  signal: AbortSignal;
  abort(): void;
  /** It is over: the signal above lets go of it. */
  release(): void;
}

/**
 * Makes signals that follow another and can also be aborted by themselves. However many there are, the one above has a
 * single listener, and keeps nothing of those that were released; `AbortSignal.any` keeps something of each on Node 20.
 */
export function createBranches(above: AbortSignal): () => Branch {
  const live = new Set<AbortController>();
  const abortAll = () => {
    for (const controller of live) controller.abort(above.reason);
  };
  return () => {
    const controller = new AbortController();
    if (above.aborted) controller.abort(above.reason);
    if (live.size === 0) above.addEventListener('abort', abortAll);
    live.add(controller);
    return {
      signal: controller.signal,
      abort: () => controller.abort(),
      release() {
        live.delete(controller);
        if (live.size === 0) above.removeEventListener('abort', abortAll);
      },
    };
  };
}

/** Waits for something that may not listen to the signal itself, such as a person or a hook. */
export function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Waits for something that should listen to the signal, and a little longer for it to end in good order: what does not
 * listen at all must not hold up whoever interrupted.
 */
export async function orGiveUp<T>(work: Promise<T>, signal: AbortSignal, graceMs: number, lost: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const given = new Promise<T>((resolve) => {
    stop = () => {
      timer = setTimeout(() => resolve(lost()), graceMs);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, given]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
