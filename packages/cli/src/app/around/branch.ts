/** What is checked out, read when it may have changed and not at every frame. */
export interface Branch {
  current(): string | undefined;
  /** Something ran that may have switched it. */
  refresh(): void;
}

export function createBranch(read: () => string | undefined): Branch {
  let known = read();
  return {
    current: () => known,
    refresh() {
      known = read();
    },
  };
}
