/** What a tool wants to know of the user, who need not be there. Not an ask: nothing is approved by it. */

export interface Question {
  question: string;
  /** Without options, or besides them, the user may answer in words. */
  options: readonly { label: string; description?: string }[];
  /** Several options may be chosen. */
  multiSelect: boolean;
}

/** `answers`: labels or words. `declined`: the user would not say. `unattended`: nobody was there. */
export type Reply = { answers: readonly string[] } | { declined: true } | { unattended: true };
