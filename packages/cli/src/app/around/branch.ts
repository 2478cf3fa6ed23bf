/** What is checked out, read when it may have changed and not at every frame. */
export interface Branch {
  current(): string | undefined;
  /** Something ran that may have switched it. */
  refresh(): void;
}

export interface BranchOptions {
  read(): string | undefined;
  /** Where it cannot be read: by a program, so later. */
  ask(): Promise<string | undefined>;
  onChange(): void;
}

export function createBranch({ read, ask, onChange }: BranchOptions): Branch {
  let known: string | undefined;
  let asked: string | undefined;
  let isAsking = false;
  /** It may have changed while it was asked for. */
  let isStale = false;

  async function askAgain(): Promise<void> {
    isAsking = true;
    do {
      isStale = false;
      const found = await ask();
      if (found !== asked) onChange();
      asked = found;
    } while (isStale);
    isAsking = false;
  }

  function refresh(): void {
    known = read();
    if (known !== undefined) return;
    if (isAsking) isStale = true;
    else void askAgain();
  }

  refresh();
  return { current: () => known ?? asked, refresh };
}
