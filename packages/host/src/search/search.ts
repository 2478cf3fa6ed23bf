/**
 * Looking through many files at once. Whatever does the work, the answers are the same: files that ignore files name,
 * `.git`, binary files and what a symlink leads to are left out; hidden files are not.
 */

export interface Search {
  /** The regular files below a folder, newest first. */
  files(request: SearchRequest): Promise<FilesFound>;
  /** The lines that match, in the order of their paths. */
  grep(request: GrepRequest): Promise<GrepFound>;
  /** The files that have matching lines, newest first. */
  count(request: SearchRequest & TextPattern): Promise<CountFound>;
  /** What is in one folder, sorted by name. */
  entries(folder: string): Promise<FolderEntry[]>;
  /**
   * The same search, but a root leads where it was judged to lead, whatever links somebody puts in the way. A root
   * without such a place is not searched.
   */
  pinned(places: ReadonlyMap<string, string>): Search;
}

export interface SearchRequest {
  /** A folder, or one file, which is then searched even if it is ignored. */
  root: string;
  /** Which files, by their path below the root. Without a slash it is about names; with a leading `!` about the others. */
  glob?: string;
  /** Asked about every file before anything of it is given away, by where it was said to be and where it really is. */
  mayRead?(absolutePath: string): boolean;
  /** What git ignores is searched too; `.ignore` files still count. */
  gitIgnored?: boolean;
  /** Of `files`: names alone, in no order and without their times, for whoever needs very many at once. */
  namesOnly?: boolean;
  signal: AbortSignal;
  limit: number;
}

export interface TextPattern {
  /** A regular expression in ripgrep's syntax, tried on each line by itself. */
  pattern: string;
  /** The pattern is plain text. */
  literal?: boolean;
  ignoreCase?: boolean;
}

interface GrepRequest extends SearchRequest, TextPattern {
  /** Lines before and after each match. */
  context?: number;
}

export interface FilesFound {
  /** Paths below the root. */
  files: { path: string; mtimeMs: number }[];
  total: number;
  /** How many files were left out because they may not be read. */
  denied: number;
  /** False when there were too many files to look at all of them. */
  complete: boolean;
  /** Folders, or files, that the system did not let tau read. */
  unreadable: number;
}

export interface GrepFound {
  files: { path: string; lines: FoundLine[] }[];
  matches: number;
  /** False when there are more matches than the limit. */
  complete: boolean;
  unreadable: number;
}

export interface FoundLine {
  number: number;
  /** Of a long line the part around its first match. */
  text: string;
  /** False for a line of context. */
  isMatch: boolean;
  isCut: boolean;
}

export interface CountFound {
  files: { path: string; count: number; mtimeMs: number }[];
  totalFiles: number;
  totalLines: number;
  complete: boolean;
  unreadable: number;
}

export interface FolderEntry {
  name: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  /** Where a link points, as it was written. */
  target?: string;
}
