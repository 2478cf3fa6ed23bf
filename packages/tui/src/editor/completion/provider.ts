/** Who knows how a text may go on. The editor asks after every change; a provider that has nothing to say answers at once. */

export interface Completion {
  /** What is put into the text. */
  value: string;
  /** What is shown; the value, unless given. */
  label?: string;
  description?: string;
  /** Enter takes it and sends the text. */
  submits?: boolean;
  /** There is more behind it, as in a folder: the provider is asked again. */
  continues?: boolean;
}

export interface CompletionRequest {
  readonly text: string;
  /** The place in `text`. */
  readonly cursor: number;
  /** The cursor's line up to the cursor. */
  readonly before: string;
  /** Whether it is the first line. */
  readonly first: boolean;
  /** The user asked (Tab), it was not only typed. */
  readonly forced: boolean;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

export interface Completions {
  /** How much of `before`, from its end, the value replaces. */
  replaces: number;
  /** The best first. */
  items: readonly Completion[];
}

export type CompletionAnswer = Completions | undefined | Promise<Completions | undefined>;

export interface CompletionProvider {
  complete(request: CompletionRequest): CompletionAnswer;
}

/** The first of them that has something to say. */
export function firstOf(providers: readonly CompletionProvider[]): CompletionProvider {
  return {
    complete(request) {
      for (const [index, provider] of providers.entries()) {
        const answer = provider.complete(request);
        if (answer instanceof Promise) return rest(answer, providers.slice(index + 1), request);
        if (answer !== undefined && answer.items.length > 0) return answer;
      }
      return undefined;
    },
  };
}

async function rest(
  answer: Promise<Completions | undefined>,
  others: readonly CompletionProvider[],
  request: CompletionRequest,
): Promise<Completions | undefined> {
  const found = await answer;
  if (found !== undefined && found.items.length > 0) return found;
  return request.signal.aborted ? undefined : firstOf(others).complete(request);
}
