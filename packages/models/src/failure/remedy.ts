/** What a person can do about a failure, by its class. */
import type { ModelError } from '@tau/core';
import { inWords } from './text.ts';

export function remedyFor(provider: string, error: Omit<ModelError, 'message'>): string | undefined {
  switch (error.class) {
    case 'auth':
      return error.status === 403
        ? `The key of ${provider} may not do this: check its rights, or set another with "tau auth set ${provider}"`
        : `Set the key of ${provider} with "tau auth set ${provider}" or in its variable`;
    case 'rateLimited':
      if (error.retryAfterMs !== undefined) return `It wants to be left alone for ${inWords(error.retryAfterMs)}`;
      return error.final
        ? `Check the plan and the credit of your ${provider} account`
        : 'This passes with a little patience';
    case 'overloaded':
    case 'timeout':
      return 'The trouble is on its side and usually passes';
    case 'contextOverflow':
      return 'The conversation is too long for this model: start a new one, or choose a model with a larger context';
    case 'badRequest':
      return isElsewhere(error.status)
        ? 'Check the model id and the base URL'
        : 'Check that the model and its settings suit this provider';
    case 'refused':
      return 'Say it in other words, or choose another model';
    case 'network':
    case 'outputLimit':
    case 'unknown':
      return 'Try again';
    case 'aborted':
      return undefined;
  }
}

function isElsewhere(status: number | undefined): boolean {
  return status === 404 || (status !== undefined && status >= 300 && status < 400);
}
